import { expect, type Page } from "@playwright/test";
import { follow, hrefs, linksOn, oneOfEachKind, THOROUGH } from "./crawling";
import { demoAddress } from "./demo";
import { go, test } from "./samePage";
import { settled } from "./settled";
import { badTexts } from "./texts";
import { type Fleet, serveFleet } from "./unlikeFleet";

// Pages on fleets that nobody tuned them to, each view as it opens. THOROUGH=1 looks at every page
// in every width on every fleet, and follows links that differ in what they filter by.

const TOPICS = ["/storage", "/threads", "/cores", "/power", "/workloads"];
const OTHERS = ["/", "/power/residency", "/chips", "/machines", "/runs", "/compare", "/add"];
const WIDTHS = [1440, 1024, 390];

const FLEETS = [
  { name: "a demo", start: async () => ({ address: await demoAddress(), stop: async () => {} }) },
  { name: "few Macs with many VMs", start: () => serveFleet("ci") },
  { name: "five reviewers' Macs", start: () => serveFleet("reviewers") },
  { name: "no Mac at all", start: () => serveFleet("") },
];

/** Addresses of every view, and of the other pages. */
async function pagesOf(page: Page, address: string): Promise<string[]> {
  const found = [...OTHERS];
  for (const topic of TOPICS) {
    await go(page, address + topic);
    await settled(page);
    found.push(...(await hrefs(page.locator('nav[aria-label^="Views of"] a[href*="view="]'))));
  }
  return found;
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
          if (!page.url().endsWith(path)) await go(page, fleet.address + path);
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
      const from = await linksOn(page, fleet.address, await pagesOf(page, fleet.address));
      const followed = oneOfEachKind(from.keys());
      const broken = await follow(page, fleet.address, followed, from);
      console.log(`${followed.length} of ${from.size} links followed on ${name}`);
      expect(broken).toEqual([]);
    });
  });
}
