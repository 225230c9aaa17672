const STORED = "macmeter.invitation";

/**
 * The secret in the address, which it leaves at once: it is for this tab, not for its history. The
 * tab keeps it while its reader signs in.
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
