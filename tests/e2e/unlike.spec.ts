import { expect, type Page } from "@playwright/test";
import { demoAddress } from "./demo";
import { test } from "./samePage";
import { settled } from "./settled";
import { badTexts } from "./texts";
import { type Fleet, serveFleet } from "./unlikeFleet";

// Pages on fleets that nobody tuned them to, each view as it opens. THOROUGH=1 looks at every page
// in every width on every fleet, and follows links that differ in what they filter by.

const THOROUGH = Boolean(process.env.THOROUGH);
const TOPICS = ["/storage", "/threads", "/cores", "/power", "/workloads"];
const OTHERS = ["/", "/power/residency", "/chips", "/machines", "/runs", "/compare", "/add"];
const WIDTHS = [1440, 1024, 390];

const FLEETS = [
  { name: "a demo", start: async () => ({ address: await demoAddress(), stop: async () => {} }) },
  { name: "few Macs with many VMs", start: () => serveFleet("ci") },
  { name: "five reviewers' Macs", start: () => serveFleet("reviewers") },
  { name: "no Mac at all", start: () => serveFleet("") },
];

const hrefs = (links: ReturnType<Page["locator"]>): Promise<string[]> =>
  links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));

/** Addresses of every view, and of the other pages. */
async function pagesOf(page: Page, address: string): Promise<string[]> {
  const found = [...OTHERS];
  for (const topic of TOPICS) {
    await page.goto(address + topic);
    await settled(page);
    found.push(...(await hrefs(page.locator('nav[aria-label^="Views of"] a[href*="view="]'))));
  }
  return found;
}

/**
 * Links that ask different things. Of those to runs and Macs, one of each kind is enough: with the
 * same parameters, or, in the short form, with parameters of the same names.
 */
function oneOfEachKind(links: string[]): string[] {
  const kinds = new Map<string, string>();
  for (const link of links) {
    const { pathname, searchParams } = new URL(link, "http://x");
    const path = pathname.replace(/[0-9a-f-]{36}|(?<=\/(?:chips|models)\/).+/u, "…");
    const asked = [...searchParams].map(([name, value]) => {
      if (!THOROUGH) return name;
      return name === "where" ? `where=${/^[^:!]+/.exec(value)?.[0]}` : `${name}=${value}`;
    });
    const kind = `${path}?${[...new Set(asked)].toSorted().join("&")}`;
    if (!kinds.has(kind)) kinds.set(kind, link);
  }
  return [...kinds.values()];
}

for (const [number, { name, start }] of FLEETS.entries()) {
  test.describe(name, () => {
    let fleet: Fleet;
    test.beforeAll(async () => {
      test.setTimeout(600_000);
      fleet = await start();
    });
    test.afterAll(() => fleet.stop());

    test("texts are whole, apart and inside the page", async ({ page }) => {
      test.setTimeout(900_000);
      const bad: string[] = [];
      const pages = await pagesOf(page, fleet.address);
      // Fleets of many runs take longest: in the short form a third of their pages each.
      const looked = pages.filter((_, at) => THOROUGH || number > 1 || at % 3 === number);
      for (const [place, path] of looked.entries()) {
        const own = WIDTHS[(number + place) % WIDTHS.length] ?? 390;
        for (const width of THOROUGH ? WIDTHS : [own]) {
          await page.setViewportSize({ width, height: 900 });
          if (!page.url().endsWith(path)) await page.goto(fleet.address + path);
          await settled(page);
          bad.push(...(await badTexts(page)).map((text) => `${path}, ${width} px: ${text}`));
        }
      }
      expect(bad).toEqual([]);
    });

    // The views of the others have the same links, and take longer.
    if (!THOROUGH && number < 2) return;

    test("no link leads to an error", async ({ page }) => {
      test.setTimeout(1_800_000);
      const from = new Map<string, string>();
      for (const path of await pagesOf(page, fleet.address)) {
        await page.goto(fleet.address + path);
        await settled(page);
        for (const link of await hrefs(page.locator('a[href^="/"]'))) {
          if (!from.has(link)) from.set(link, path);
        }
      }
      const broken: string[] = [];
      page.on("response", (response) => {
        const { pathname, search } = new URL(response.url());
        // Whoever isn't signed in has no session; some pages are for those who are.
        if (response.status() >= 400 && response.status() !== 401) {
          broken.push(`${response.status()} ${pathname}${search}, on ${page.url()}`);
        }
      });
      const followed = oneOfEachKind([...from.keys()]);
      for (const link of followed) {
        if (/^\/(?:api|feeds)\//.test(link)) {
          const answer = await page.request.get(fleet.address + link);
          if (!answer.ok()) broken.push(`${answer.status()} ${link}, linked on ${from.get(link)}`);
          continue;
        }
        await page.goto(fleet.address + link);
        await settled(page);
        const said = await page.getByRole("main").getByRole("alert").allInnerTexts();
        broken.push(...said.map((text) => `${text} at ${link}, linked on ${from.get(link)}`));
      }
      console.log(`${followed.length} of ${from.size} links followed on ${name}`);
      expect(broken).toEqual([]);
    });
  });
}
