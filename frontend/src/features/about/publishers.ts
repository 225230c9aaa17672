/** Publishers' sites, by the publisher's cited name. */
const SITES: Record<string, string> = {
  "The Eclectic Light Company": "https://eclecticlight.co/",
  Depot: "https://depot.dev/",
};

/** Publishers whose sites have a list of articles for each day. */
const BY_DAY = new Set(["The Eclectic Light Company"]);

/** The list of the article's day if the publisher has one, otherwise the publisher's site. */
export function siteOf(publisher: string, published: string | null): string | undefined {
  const site = SITES[publisher];
  if (!site || !published || !BY_DAY.has(publisher)) return site;
  return `${site}${published.replaceAll("-", "/")}/`;
}
