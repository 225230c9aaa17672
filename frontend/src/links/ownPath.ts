/**
 * Where an address says to go next, if that is a page of this site; the first page otherwise, so that
 * no link to here leads elsewhere.
 */
export function ownPath(path: string | undefined): string {
  if (path === undefined || !URL.canParse(path, location.origin)) return "/";
  const { origin, pathname, search } = new URL(path, location.origin);
  const isOwn = origin === location.origin && path.startsWith("/") && !pathname.startsWith("//");
  return isOwn ? pathname + search : "/";
}
