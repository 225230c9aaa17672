import { expect, type Page } from "@playwright/test";
import { follow, hrefs, noteLinks, oneOfEachKind, THOROUGH, third } from "./crawling";
import { demoAddress } from "./demo";
import { go, test } from "./samePage";
import { settled } from "./settled";
import { badTexts } from "./texts";
import { type Fleet, serveFleet } from "./unlikeFleet";

// Pages on fleets that nobody tuned them to, each view as it opens. THOROUGH=1 looks at every page
// in every width on every fleet, and follows links that differ in what they filter by; else a third
// of the two smallest fleets' pages are looked at, and one fleet's links followed.

const TOPICS = ["/storage", "/threads", "/cores", "/power"];
const OTHERS = [
  "/",
  "/workloads",
  "/power/residency",
  "/chips",
  "/machines",
  "/runs",
  "/compare",
  "/add",
];
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

for (const { name, start } of THOROUGH ? FLEETS : FLEETS.slice(2)) {
  test.describe(name, () => {
    let fleet: Fleet;
    test.beforeAll(async () => {
      test.setTimeout(600_000);
      fleet = await start();
    });
    test.afterAll(() => fleet.stop());

    test("texts are whole, apart and inside the page, and no link leads to an error", async ({
      page,
    }) => {
      test.setTimeout(2_700_000);
      const bad: string[] = [];
      const from = new Map<string, string>();
      const pages = third(await pagesOf(page, fleet.address));
      for (const [place, path] of pages.entries()) {
        for (const width of THOROUGH ? WIDTHS : [WIDTHS[place % WIDTHS.length] ?? 390]) {
          await page.setViewportSize({ width, height: 900 });
          if (!page.url().endsWith(path)) await go(page, fleet.address + path);
          await settled(page);
          bad.push(...(await badTexts(page)).map((text) => `${path}, ${width} px: ${text}`));
        }
        await noteLinks(page, path, from);
      }
      expect(bad).toEqual([]);
      // Pages without Macs have the same links.
      if (!THOROUGH && name === "no Mac at all") return;
      const followed = oneOfEachKind(from.keys());
      const broken = await follow(page, fleet.address, followed, from);
      console.log(`${followed.length} of ${from.size} links followed on ${name}`);
      expect(broken).toEqual([]);
    });
  });
}
