import { expect, type Page } from "@playwright/test";
import { violations, violationsInTheDark } from "./axe";
import { demoAddress } from "./demo";
import { go, test } from "./samePage";

// The page of one Mac of a demo in which macOS 26.4 slows the writes of some chips.

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

interface Found {
  verdict: { title: string; next: { command: string }[] };
  headlines: { title: string }[];
}

/** The Mac with this chip whose verdict's title matches, with its verdict. */
async function macWith(page: Page, chip: string, title: RegExp): Promise<Found & { path: string }> {
  const ask = async (path: string) => (await page.request.get(`${demo}/api/v1/${path}`)).json();
  const where = new URLSearchParams({ where: `chip:${chip}` });
  const { items } = (await ask(`machines?${where}`)) as { items: { id: string }[] };
  for (const { id } of items) {
    const found = (await ask(`things/machines/${id}`)) as Found;
    if (title.test(found.verdict.title)) return { ...found, path: `${demo}/machines/${id}` };
  }
  throw new Error(`no ${chip} is “${title.source}”`);
}

const SLOWED = /^Write speed −1\d\s% since macOS 26\.4/u;

test("a planted change leads the page of a Mac", async ({ page }) => {
  const mac = await macWith(page, "Apple M2", SLOWED);
  await go(page, mac.path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(SLOWED);
  const time = page.getByRole("region", { name: "Over time" });
  await expect(time.getByRole("group", { name: /over time/ })).toContainText(/−1\d\s%/u);
  await expect(page.getByRole("heading", { name: / of \d+ M2 Macs$/ })).toBeVisible();
  const next = page.getByRole("region", { name: "What to do next" });
  await expect(next.getByRole("listitem")).toHaveCount(3);
  expect(await violations(page)).toEqual([]);
  expect(await violationsInTheDark(page)).toEqual([]);
  await next.getByRole("link", { name: "Before and after" }).click();
  await expect(page.getByRole("heading", { name: /macOS 26\.4/ }).first()).toBeVisible();
});

test("another figure is chosen from the table, and its peers are the reader's", async ({
  page,
}) => {
  const mac = await macWith(page, "Apple M2", SLOWED);
  await go(page, mac.path);
  const others = page
    .getByRole("table", { name: "Other figures" })
    .or(page.getByRole("region", { name: "Other figures among others" }));
  await others.getByRole("link", { name: "Read speed" }).click();
  await expect(page).toHaveURL(/show=disk\.read_average/);
  await expect(page.getByRole("heading", { name: /^Read speed, / })).toBeVisible();
  await expect(others.getByRole("link", { name: "Write speed" })).toBeVisible();
  const place = page.getByRole("region", { name: / of \d+ M2 Macs$/ });
  await place.getByText("Change", { exact: true }).click();
  await place.getByRole("checkbox", { name: /^encryption/ }).click();
  await expect(page).toHaveURL(/like=/);
  // In the words of a percentile, or of too few Macs for one.
  await expect(page.getByText(/^((Faster|Slower) than|Only) /u)).toBeVisible();
});

test("a steady Mac claims no change, and shows its first marks on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const mac = await macWith(page, "Apple M4 Pro", /did not change|^Nothing changed/);
  await go(page, mac.path);
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText("since");
  const mark = page
    .getByRole("group", { name: /over time/ })
    .getByRole("link")
    .first();
  const box = await mark.boundingBox();
  expect((box?.y ?? 844) + (box?.height ?? 0)).toBeLessThan(844);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
  expect(await violations(page)).toEqual([]);
});
