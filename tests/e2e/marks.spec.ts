import { expect, type Page } from "@playwright/test";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

const CASES = "/storage?by=storage&metric=disk.write_average&where=source:measured";
const CURVES =
  "/cores?by=core_context&by=kernel&by=threads&metric=cores.total_time&where=source:measured";

const tip = (page: Page) => page.getByRole("tooltip", { includeHidden: true });
const chart = (page: Page) => page.getByRole("group", { name: /^Chart: / });
const marks = (page: Page) => chart(page).getByRole("link", { name: /Show runs$/ });

/** Lines of text in the tip, as shown on the screen. */
const linesOf = (page: Page) =>
  tip(page)
    .locator("p, li, dt")
    .evaluateAll((all) => all.length);

async function opened(page: Page, address: string): Promise<void> {
  stored();
  await go(page, address);
  await settled(page);
  await marks(page).first().waitFor({ state: "attached" });
}

test("a mark tells in at most six lines what it is based on, and leads to its runs", async ({
  page,
}) => {
  await opened(page, CASES);
  const mark = marks(page).first();
  await mark.hover();
  await expect(tip(page)).toContainText(/Median.*Runs/s);
  expect(await linesOf(page)).toBeLessThan(7);
  const [box, beside] = [await mark.boundingBox(), await tip(page).boundingBox()];
  if (!box || !beside) throw new Error("The mark or its tip has no place.");
  expect(Math.abs(beside.y - box.y)).toBeLessThan(160);
  await mark.click();
  await expect(page).toHaveURL(/\/runs[/?]/);
});

test("a click beside a mark pins its tip until Escape or a click elsewhere", async ({ page }) => {
  await opened(page, CASES);
  const box = await marks(page).first().boundingBox();
  if (!box) throw new Error("There is no mark.");
  await page.mouse.click(box.x + 60, box.y + box.height / 2);
  const pinned = page.getByRole("group", { name: "Pinned figures" });
  await expect(pinned).toBeVisible();
  // The pointer can cross other marks on its way to the links in the tip.
  await page.mouse.move(box.x, box.y + 60);
  await expect(pinned).toBeVisible();
  await expect(pinned.getByRole("link")).toHaveAttribute("href", /\/runs[/?]/);
  await page.keyboard.press("Escape");
  await expect(pinned).toHaveCount(0);
  await page.mouse.click(box.x + 60, box.y + box.height / 2);
  await page.getByRole("heading", { level: 1 }).click();
  await expect(pinned).toHaveCount(0);
});

test("arrow keys go from mark to mark of a chart that is one stop of the Tab key", async ({
  page,
}) => {
  await opened(page, CURVES);
  await chart(page).first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(marks(page).first()).toBeFocused();
  await expect(tip(page)).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(marks(page).nth(1)).toBeFocused();
  await page.keyboard.press("End");
  await expect(marks(page).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs[/?]/);
});

test("lines near the pointer stand out, and the legend hides the others", async ({ page }) => {
  await opened(page, CURVES);
  const first = marks(page).first();
  await first.hover({ force: true });
  await expect(chart(page).locator(".faint").first()).toBeAttached();
  await expect(chart(page).locator(".near").first()).toBeAttached();
  expect(await linesOf(page)).toBeLessThan(7);
  // Names that have no room beside their lines are in a legend.
  await page.setViewportSize({ width: 390, height: 844 });
  const before = await marks(page).count();
  const key = chart(page).getByRole("button", { pressed: true });
  await key.first().click();
  await expect.poll(() => marks(page).count()).toBeLessThan(before);
  await chart(page).getByRole("button", { pressed: false }).click();
  await expect(marks(page)).toHaveCount(before);
});

test("a finger's first tap on a mark opens the sheet that has the link", async ({ browser }) => {
  const context = await browser.newContext({
    hasTouch: true,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await opened(page, CASES);
  await marks(page).first().tap();
  const sheet = page.getByRole("group", { name: "Pinned figures" });
  await expect(sheet).toBeVisible();
  await expect(page).toHaveURL(/\/storage/);
  const box = await sheet.boundingBox();
  expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(844);
  await sheet.getByRole("link").tap();
  await expect(page).toHaveURL(/\/runs[/?]/);
  await context.close();
});
