/**
 * Owner secrets of comparisons saved in this browser. Losing them loses no figures, only the right
 * to pause or revoke a link without an account.
 */
const PREFIX = "macmeter.comparison.";
const FORMAT = "macmeter.links/1";

export interface KeptLink {
  slug: string;
  secret: string;
}

export function keepSecret(slug: string, secret: string): void {
  try {
    localStorage.setItem(PREFIX + slug, secret);
  } catch {
    // Without storage, the reader must note the secret, which is shown once.
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
    // Without storage, nothing was stored.
  }
}

/** Every link whose secret this browser stores, by slug. */
export function keptLinks(): KeptLink[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .toSorted()
      .map((key) => ({ slug: key.slice(PREFIX.length), secret: localStorage.getItem(key) ?? "" }));
  } catch {
    return [];
  }
}

/** The links as a file for another browser to import, with a warning that it contains secrets. */
export function printLinks(links: KeptLink[]): string {
  const about = "Whoever has this file can pause or revoke these links.";
  return `${JSON.stringify({ format: FORMAT, about, links }, null, 2)}\n`;
}

/** Read the links in such a file; throw a readable error for any other file. */
export function readLinks(text: string): KeptLink[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("The file is not JSON. Choose one that “Export” wrote.");
  }
  if (!isObject(file) || file.format !== FORMAT || !Array.isArray(file.links)) {
    throw new Error(`The file is not a list of links: its format would be “${FORMAT}”.`);
  }
  return file.links.map((link: unknown, index): KeptLink => {
    const { slug, secret } = isObject(link) ? link : {};
    if (typeof slug !== "string" || !/^[0-9a-z]{1,64}$/.test(slug)) {
      throw new Error(`Link ${index + 1} of the file has no slug. Nothing was imported.`);
    }
    if (typeof secret !== "string" || !/^mmo_[\w-]{8,200}$/.test(secret)) {
      throw new Error(
        `Link ${index + 1} of the file, ${slug}, has no secret. Nothing was imported.`,
      );
    }
    return { slug, secret };
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
