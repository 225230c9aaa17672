import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, type Route } from "@playwright/test";
import { fresh as test } from "./samePage";
import { settled } from "./settled";

// Late content has its space reserved: nothing on the page moves.

/** Hold back responses of this path until the result is called. */
async function held(page: Page, path: string, answer: (route: Route) => Promise<void>) {
  const { promise: free, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    await free;
    await answer(route);
  });
  return release;
}

const boxes = (page: Page, names: RegExp[]) =>
  Promise.all(
    names.map((name) =>
      page
        .locator("main :is(h2, summary, select, button, a)")
        .filter({ hasText: name })
        .first()
        .boundingBox(),
    ),
  );

/** Positions once fonts and everything not held back have arrived. */
async function boxesAtRest(page: Page, names: RegExp[]) {
  await page.evaluate(() => document.fonts.ready);
  let found = await boxes(page, names);
  await expect(async () => {
    const before = found;
    await page.waitForTimeout(300);
    found = await boxes(page, names);
    expect(found).toEqual(before);
  }).toPass();
  return found;
}

interface Facets {
  dimensions: { name: string; distinct: number; values: unknown[] }[];
}

test("the labels of workloads come to their places", async ({ page }) => {
  const file = join(__dirname, "../figures/demo-workloads-names.json");
  const { answer, figure } = JSON.parse(readFileSync(file, "utf8")) as Record<string, object>;
  await page.route("**/api/v1/answer?**", (route) =>
    route.fulfill({ json: { ...answer, figure } }),
  );
  const release = await held(page, "**/api/v1/facets?**", async (route) => {
    const told = (await (await route.fetch()).json()) as Facets;
    const values = [{ value: "3000", runs: 2 }];
    told.dimensions.push({ name: "label:iops", distinct: 2, values });
    await route.fulfill({ json: told });
  });
  await page.goto("/workloads?metric=workload.duration&by=test&where=source:measured");
  await page.locator("tr[data-lane]").first().waitFor();
  const names = [/^About this figure/, /^Compare rows/, /^Split by/];
  const before = await boxesAtRest(page, names);
  release();
  await expect(page.getByRole("link", { name: "by iops" })).toBeVisible();
  expect(await boxes(page, names)).toEqual(before);
});

test("filters that a page chooses itself don't move those that it needs", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const release = await held(page, "**/api/v1/starting-point?**", (route) =>
    route.fulfill({ json: { canonical: "", fixed: FIXED } }),
  );
  await page.goto("/storage?view=sizes");
  const filters = page.locator("main header p");
  await expect(filters).toContainText("edit");
  // Content that is not there yet can't move.
  await expect(filters).toBeHidden();
  release();
  await expect(filters).toBeVisible();
  await expect(filters).toContainText("Apple M4 Pro");
});

test("a page opens with the words of the filters that it chose", async ({ page }) => {
  await page.route("**/api/v1/starting-point?**", (route) =>
    route.fulfill({ json: { canonical: "", fixed: FIXED } }),
  );
  const release = await held(page, "**/api/v1/filters?**", (route) => route.continue());
  const asked = page.waitForRequest("**/api/v1/filters?**where=chip%3AApple**");
  await page.goto("/power");
  await asked;
  const filters = page.locator("main header p");
  // Values alone might fit in one line, and move the page when they no longer do.
  await expect(filters).toBeHidden();
  release();
  await expect(filters).toContainText("Apple M4 Pro");
});

const FIXED = [{ dimension: "chip", value: "Apple M4 Pro", machines: 3 }];

for (const width of [1280, 390]) {
  test(`the licence comes to its place, ${width} pixels wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    const release = await held(page, "**/api/v1/corpus", (route) => route.continue());
    await page.goto("/about");
    const names = [/^How published figures are used/, /^Everything as CSV/];
    await page.getByRole("heading", { name: "How published figures are used" }).waitFor();
    const before = await boxesAtRest(page, names);
    release();
    await settled(page);
    await expect(page.locator("main strong").first()).toBeVisible();
    expect(await boxes(page, names)).toEqual(before);
  });
}

test("the foot of a page that waits for its content is out of sight", async ({ page }) => {
  const release = await held(page, "**/api/v1/things/**", (route) => route.continue());
  await page.goto("/chips/nothing");
  await expect(page.getByRole("contentinfo")).not.toBeInViewport();
  release();
});
