import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { third } from "./crawling";
import { demoAddress } from "./demo";
import { overlaps } from "./overlaps";
import { go, test } from "./samePage";
import { settled } from "./settled";

const { views } = JSON.parse(readFileSync(join(__dirname, "../figures/views.json"), "utf8")) as {
  views: { page: string; view: string }[];
};

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

for (const width of [1440, 1280]) {
  test(`the tools of a figure are one row, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    for (const path of ["/threads", "/storage?view=hash", "/storage?view=ranking", "/power"]) {
      await go(page, demo + path);
      await settled(page);
      const tops = await page
        .getByRole("button", { name: /^(Metric .|Group by|Filters|Share|Export)/ })
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
      expect(tops.length, path).toBe(5);
      expect(new Set(tops).size, path).toBe(1);
    }
  });
}

for (const [width, height, half] of [
  [1440, 900, true],
  [390, 844, false],
] as const) {
  test(`the first screen of every view holds its title and its chart, ${width} pixels wide`, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    for (const { page: path, view } of third(views, half ? 0 : 1)) {
      await go(page, `${demo}${path}?view=${view}`);
      await settled(page);
      const place = `${path} ${view}`;
      expect(
        (await page.getByRole("heading", { level: 1 }).innerText()).length,
        place,
      ).toBeGreaterThan(10);
      const chart = page.getByRole("group", { name: /^Chart: / }).first();
      if ((await chart.count()) === 0) continue;
      const box = await chart.boundingBox();
      // An axis, and the first marks below it.
      expect(box?.y, place).toBeLessThan(half ? 400 : height - 150);
      const seen = height - (box?.y ?? height);
      if (half) expect(seen, place).toBeGreaterThan(Math.min(box?.height ?? 0, height) / 2);
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

test("a phone's header can be hit, and a page that is missing leads to the overview", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await go(page, `${demo}/nothing`);
  const heights = await page
    .getByRole("banner")
    .locator("a, button")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await expect(page).toHaveURL(`${demo}/`);
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
  await expect(page.getByRole("button", { name: /^Filters/ })).toHaveText(/[4-9]$/);
  const chart = await page
    .getByRole("group", { name: /^Chart: / })
    .first()
    .boundingBox();
  expect(chart?.y).toBeLessThan(700);
});
