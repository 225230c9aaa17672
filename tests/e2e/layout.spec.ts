import { expect } from "@playwright/test";
import { demoAddress } from "./demo";
import { overlaps } from "./overlaps";
import { go, test } from "./samePage";
import { settled } from "./settled";

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

for (const width of [1280, 1100]) {
  test(`no action is alone in a row, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 800 });
    for (const path of ["/threads", "/storage?view=hash", "/storage?view=ranking", "/power"]) {
      await go(page, demo + path);
      await settled(page);
      const feed = page.getByRole("link", { name: "Feed", exact: true });
      const tops = await feed.evaluate((last) =>
        [...(last.parentElement?.parentElement?.querySelectorAll(".button") ?? [])].map((action) =>
          Math.round(action.getBoundingClientRect().top),
        ),
      );
      expect(tops.length, path).toBeGreaterThan(5);
      for (const top of tops) {
        expect(tops.filter((other) => other === top).length, path).toBeGreaterThan(1);
      }
    }
  });
}

test("names are at the ends of lines, or have a row and a mark each", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const path of ["/threads", "/threads?view=rate", "/storage?view=sizes", "/power"]) {
    await go(page, demo + path);
    await settled(page);
    const chart = page.getByRole("group", { name: /^Chart: / }).first();
    await expect(chart.locator("svg text").first()).toBeVisible();
    expect(await overlaps(chart), path).toEqual([]);
    const paths = await chart
      .locator("svg g:has(> text > title)")
      .evaluateAll((labels) => labels.map((label) => label.querySelectorAll("path").length));
    // Names of kinds of storage and their encryption may be too long for the chart: its key has them.
    if (path === "/storage?view=sizes" && paths.length === 0) continue;
    expect(paths.length, path).toBeGreaterThan(1);
    // A label at its line's last point needs nothing; one outside the plot has a line to it, and the
    // mark of the labelled line before it.
    expect(new Set([0, 2, ...paths]), path).toEqual(new Set([0, 2]));
  }
});

test("a phone shows the names of metrics whole", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ["/storage", "/storage?view=docks", "/storage?view=hash"]) {
    await go(page, demo + path);
    await settled(page);
    const chart = page.getByRole("group", { name: /^Chart: / }).first();
    await expect(chart.locator("svg text").first()).toBeVisible();
    expect(await overlaps(chart), path).toEqual([]);
    const cut = await chart
      .locator("svg text")
      .evaluateAll((all) =>
        all
          .filter(({ textContent }) => textContent?.endsWith("…"))
          .map(({ textContent }) => textContent),
      );
    expect(cut, path).toEqual([]);
    const lefts = await chart
      .locator("svg text")
      .evaluateAll((all) => all.map((text) => text.getBoundingClientRect().left));
    expect(Math.min(...lefts), path).toBeGreaterThanOrEqual(0);
  }
});

test("a phone's first screen has the beginning of the figure, however many filters", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await go(page, `${demo}/storage`);
  await settled(page);
  const chips = page.getByRole("list", { name: "Filters in force" });
  expect(await chips.getByRole("listitem").count()).toBeGreaterThan(3);
  const chart = await page
    .getByRole("group", { name: /^Chart: / })
    .first()
    .boundingBox();
  expect(chart?.y).toBeLessThan(700);
  // Chips without space are reached by scrolling.
  const last = chips.getByRole("button", { name: "Remove all" });
  await last.focus();
  const box = await last.boundingBox();
  expect((box?.x ?? 999) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
});
