import { expect, type Page } from "@playwright/test";
import { filtersOf } from "./filters";
import { demoAddress } from "./demo";
import { go, test } from "./samePage";
import { settled } from "./settled";

// Tables that readers sort, and rankings, on a demo of sixty Macs.

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

async function opened(page: Page, path: string): Promise<void> {
  await go(page, demo + path);
  await settled(page);
}

const heading = (page: Page, name: RegExp) =>
  page.getByRole("table").first().getByRole("columnheader", { name });
const cells = (page: Page, column: string) =>
  page.locator(`tr[data-lane] td[data-column="${column}"]`).allInnerTexts();
const numbers = async (page: Page, column: string) =>
  (await cells(page, column)).map((text) => Number(text.replaceAll(/\s/gu, "")));

const CHIPS = "/storage?by=chip&metric=disk.write_average&where=storage:internal";

test("a column sorts its table, by pointer and by keyboard, and the address keeps the order", async ({
  page,
}) => {
  await opened(page, `${CHIPS}&where=source:measured`);
  const given = await cells(page, "value");
  const runs = heading(page, /^Runs/);
  await expect(runs).toHaveAttribute("aria-sort", "none");
  await runs.getByRole("button").click();
  await expect(runs).toHaveAttribute("aria-sort", "descending");
  await expect(page).toHaveURL(/sort=-runs/);
  const falling = await numbers(page, "runs");
  expect(falling).toEqual(falling.toSorted((a, b) => b - a));
  expect(new Set(falling).size).toBeGreaterThan(3);
  await runs.getByRole("button").press("Enter");
  await expect(runs).toHaveAttribute("aria-sort", "ascending");
  await page.reload();
  await settled(page);
  await expect(runs).toHaveAttribute("aria-sort", "ascending");
  const rising = await numbers(page, "runs");
  expect(rising).toEqual(rising.toSorted((a, b) => a - b));
  await runs.getByRole("button").press("Space");
  await expect(page).not.toHaveURL(/sort=/);
  expect(await cells(page, "value")).toEqual(given);
});

test("filters leave the order alone", async ({ page }) => {
  await opened(page, `${CHIPS}&sort=-value`);
  await (await filtersOf(page))
    .getByRole("checkbox", { name: /^FileVault/ })
    .first()
    .click();
  await expect(page).toHaveURL(/where=encryption:/);
  await expect(page).toHaveURL(/sort=-value/);
});

for (const [topic, unit] of [
  ["Storage", "GB/s"],
  ["Threads", "GB/s"],
  ["Cores", "million/s"],
] as const) {
  test(`the ranking of chips is one click from ${topic}, that of models two`, async ({ page }) => {
    await opened(page, `/${topic.toLowerCase()}`);
    await page
      .getByRole("navigation", { name: /^Views of/ })
      .getByRole("link", { name: "Ranking" })
      .click();
    await expect(page).toHaveURL(/by=chip&.*sort=-value/);
    await settled(page);
    const chart = page.getByRole("group", { name: /^Chart: / }).first();
    await expect(chart).toContainText(/1\. Apple M\d/);
    await expect(chart).toContainText(/\d Macs/);
    await expect(heading(page, /^Median/)).toContainText(unit);
    const values = await numbers(page, "value");
    expect(values.length).toBeGreaterThan(8);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    await expect(page.locator("tr[data-published=false] th").first()).toHaveText(/^1Apple/);
    await page.getByRole("button", { name: /^Group by/ }).click();
    await page.getByRole("option", { name: "Model" }).click();
    await expect(page).toHaveURL(/by=model&.*sort=-value/);
    await settled(page);
    await expect(chart).toContainText(/1\. Mac/);
  });
}

test("a page of a list says that it alone is sorted", async ({ page }) => {
  await opened(page, "/runs");
  const received = await page
    .locator("tbody td:last-child")
    .evaluateAll((all) => all.map((cell) => Date.parse(cell.textContent ?? "")));
  expect(received).toEqual(received.toSorted((a, b) => b - a));
  expect(received[0]).toBeGreaterThan(0);
  await heading(page, /^Flags/)
    .getByRole("button")
    .click();
  await expect(
    page.getByText(/most recently received first; the \d+ on this page are sorted/),
  ).toBeVisible();
  const flags = await page
    .locator("td.flags")
    .evaluateAll((all) => all.map((cell) => cell.children.length));
  expect(flags).toEqual(flags.toSorted((a, b) => b - a));
  await opened(page, "/machines?sort=chip");
  const chips = await page.locator("tbody tr td:nth-child(2)").allInnerTexts();
  expect(chips.slice(0, 3)).toEqual(["Apple M1", "Apple M1", "Apple M1"]);
});

test("cores by kernel are a table whose columns each have a scale", async ({ page }) => {
  await opened(page, "/cores?view=kernels");
  const grid = page.getByRole("group", { name: /^Chart: / }).getByRole("table");
  await expect(grid.getByRole("columnheader")).toHaveText([
    /core context/,
    "fp64",
    "int64",
    "neon",
  ]);
  const row = grid.getByRole("row", { name: /^Apple M4 Pro · Performance\/high/ });
  await expect(row.getByRole("cell")).toHaveCount(3);
  // The highest of each column has the deepest shade, independent of other columns.
  const shades = await grid.locator("tbody tr").evaluateAll((rows) =>
    rows.map((one) =>
      [...one.querySelectorAll("td")].map((cell) => ({
        shade: Number.parseFloat(cell.style.getPropertyValue("--shade")),
        value: Number(cell.textContent),
      })),
    ),
  );
  for (const place of [0, 1, 2]) {
    const column = shades.map((one) => one[place] ?? { shade: -1, value: -1 });
    const [top] = column.toSorted((a, b) => b.value - a.value);
    const low = column.toSorted((a, b) => a.value - b.value)[0];
    expect([top?.shade, low?.shade]).toEqual([100, 0]);
  }
  const cell = row.getByRole("link").first();
  await cell.hover();
  await expect(page.getByRole("tooltip", { includeHidden: true })).toContainText(/Median.*Runs/s);
  await page.getByRole("group", { name: /^Chart: / }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(grid.getByRole("link").first()).toBeFocused();
  await cell.click();
  await expect(page).toHaveURL(/\/runs\?.*Apple%20M4%20Pro/);
});
