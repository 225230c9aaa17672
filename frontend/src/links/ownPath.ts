/**
 * The path to continue to if it is a page of this site, otherwise the home page, so that no link
 * redirects elsewhere.
 */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !URL.canParse(path, location.origin)) return "/";
  const { origin, pathname, search, hash } = new URL(path, location.origin);
  const isOwn = origin === location.origin && path.startsWith("/") && !pathname.startsWith("//");
  return isOwn ? pathname + search + hash : "/";
}
