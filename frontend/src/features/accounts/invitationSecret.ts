const STORED = "macmeter.invitation";

/**
 * Take the secret out of the address at once, so that it stays out of the history. The tab keeps it
 * while the reader signs in.
 */
export function takeSecret(): string | undefined {
  const secret = location.hash.slice(1);
  if (secret === "") return sessionStorage.getItem(STORED) ?? undefined;
  sessionStorage.setItem(STORED, secret);
  history.replaceState(history.state, "", location.pathname);
  return secret;
}

export function forgetSecret(): void {
  sessionStorage.removeItem(STORED);
}
