/**
 * Owner secrets of comparisons that were saved in this browser. Losing them loses no figures: only
 * the right to pause or revoke a link without an account.
 */
const PREFIX = "macmeter.comparison.";

export function keepSecret(slug: string, secret: string): void {
  try {
    localStorage.setItem(PREFIX + slug, secret);
  } catch {
    // Without storage the reader keeps the secret: it is on the screen once.
  }
}

export function secretOf(slug: string): string | undefined {
  try {
    return localStorage.getItem(PREFIX + slug) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetSecret(slug: string): void {
  try {
    localStorage.removeItem(PREFIX + slug);
  } catch {
    // Nothing was kept where nothing can be.
  }
}
