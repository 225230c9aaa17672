/** Where publishers' sites are, by the name under which they are cited. */
const SITES: Record<string, string> = {
  "The Eclectic Light Company": "https://eclecticlight.co/",
  Depot: "https://depot.dev/",
};

/** Publishers whose sites list a day's articles under its date. */
const BY_DAY = new Set(["The Eclectic Light Company"]);

/** Where an article is found: its day's list where there is one, and else its publisher's site. */
export function siteOf(publisher: string, published: string | null): string | undefined {
  const site = SITES[publisher];
  if (!site || !published || !BY_DAY.has(publisher)) return site;
  return `${site}${published.replaceAll("-", "/")}/`;
}
