import type { Page } from "@playwright/test";
import { go } from "./samePage";
import { settled } from "./settled";

/** Whether to look at everything, rather than at one of each kind. */
export const THOROUGH = Boolean(process.env.THOROUGH);

export const hrefs = (links: ReturnType<Page["locator"]>): Promise<string[]> =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));

/**
 * Links that ask different things. Of those to runs and Macs, one of each kind is enough: with the
 * same parameters, or, in the short form, with parameters of the same names.
 */
export function oneOfEachKind(links: Iterable<string>): string[] {
  const kinds = new Map<string, string>();
  for (const link of links) {
    const kind = kindOf(link);
    if (!kinds.has(kind)) kinds.set(kind, link);
  }
  return [...kinds.values()];
}

/** What two links share that lead to pages of one kind. */
export function kindOf(link: string): string {
  const { pathname, searchParams } = new URL(link, "http://x");
  const path = pathname.replace(/[0-9a-f-]{36}|(?<=\/(?:chips|models)\/).+/u, "…");
  const asked = [...searchParams].map(([name, value]) => {
    if (!THOROUGH) return name;
    return name === "where" ? `where=${/^[^:!]+/.exec(value)?.[0]}` : `${name}=${value}`;
  });
  return `${path}?${[...new Set(asked)].toSorted().join("&")}`;
}

/** Inner links of these pages, each with the page that it was first found on. */
export async function linksOn(
  page: Page,
  address: string,
  paths: string[],
): Promise<Map<string, string>> {
  const from = new Map<string, string>();
  for (const path of paths) {
    await go(page, address + path);
    await settled(page);
    await noteLinks(page, path, from);
  }
  return from;
}

/** Add a page's inner links to `from`, unless another page has them. */
export async function noteLinks(page: Page, path: string, from: Map<string, string>) {
  for (const link of await hrefs(page.locator('a[href^="/"]'))) {
    if (!from.has(link)) from.set(link, path);
  }
}

/** One of a list, another at each place; all of it takes long: `make bench ONLY=proofs` tries it. */
export const oneOf = <T>(all: readonly T[], place: number): readonly T[] =>
  THOROUGH ? all : all.filter((_, at) => at === place % all.length);

/** Of many, every third from a place on. */
export const third = <T>(all: readonly T[], place = 0): readonly T[] =>
  THOROUGH ? all : all.filter((_, at) => at % 3 === place);

/**
 * Open each link and return what is wrong: refused requests, and alerts instead of figures.
 * `look` returns what else is wrong with a page.
 */
export async function follow(
  page: Page,
  address: string,
  links: Iterable<string>,
  from: ReadonlyMap<string, string>,
  look: (link: string) => Promise<string[]> = async () => [],
): Promise<string[]> {
  const broken: string[] = [];
  page.on("response", (response) => {
    const { pathname, search } = new URL(response.url());
    // Whoever isn't signed in has no session; some pages are for those who are.
    if (response.status() >= 400 && response.status() !== 401) {
      broken.push(`${response.status()} ${pathname}${search}, on ${page.url()}`);
    }
  });
  for (const link of links) {
    if (/^\/(?:api|feeds)\//.test(link)) {
      const answer = await page.request.get(address + link);
      if (!answer.ok()) broken.push(`${answer.status()} ${link}, linked on ${from.get(link)}`);
      continue;
    }
    const document = await page.request.get(address + link);
    if (!document.ok()) broken.push(`${document.status()} ${link}, linked on ${from.get(link)}`);
    await go(page, address + link);
    await settled(page);
    const said = await page.getByRole("main").getByRole("alert").allInnerTexts();
    const wrong = [...said, ...(await look(link))];
    broken.push(...wrong.map((text) => `${text} at ${link}, linked on ${from.get(link)}`));
  }
  return broken;
}
