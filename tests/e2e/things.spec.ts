import { expect } from "@playwright/test";
import { violations, violationsInTheDark } from "./axe";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

test("a chip has a page with its figures among others, its models and its Macs", async ({
  page,
}) => {
  stored();
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: /^Search pages/ }).fill("apple m4 pro");
  await page.getByRole("option", { name: "Apple M4 Pro Chip", exact: true }).click();
  await expect(page).toHaveURL(/\/chips\/m4-pro$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apple M4 Pro");
  await expect(page).toHaveTitle("Apple M4 Pro · Macmeter");
  const figures = page.getByRole("region", { name: "Headline figures" });
  await expect(figures.getByRole("heading", { name: "Write speed" })).toBeVisible();
  await expect(page.getByRole("region", { name: "Macs behind these figures" })).toBeVisible();
  await settled(page);
  expect(await violations(page)).toEqual([]);
  expect(await violationsInTheDark(page)).toEqual([]);
  await figures.getByRole("link", { name: "Write speed" }).click();
  await expect(page).toHaveURL(/\/storage\?.*by=chip/);
  await page.goBack();
  await page
    .getByRole("region", { name: "Macs behind these figures" })
    .getByRole("link")
    .first()
    .click();
  await expect(page).toHaveURL(/\/machines\//);
});

test("a chip's figures are drawn month by month, and lead on", async ({ page }) => {
  stored();
  await go(page, "/chips/m4-pro");
  const time = page.getByRole("region", { name: "Over time" });
  await time.getByRole("button", { name: /^Metric / }).click();
  await page.getByRole("option", { name: "Write speed", exact: true }).click();
  await expect(time.getByRole("figure", { name: "Write speed by month" })).toContainText(
    "Chip: Apple M4 Pro",
  );
  await expect(time.getByRole("rowheader", { name: /^20\d\d-\d\d$/ }).first()).toBeVisible();
  await time.getByRole("link", { name: /^Open with filters/ }).click();
  await expect(page).toHaveURL(/\/storage\?by=month&metric=disk.write_average.*M4%20Pro/);
});

test("what nobody measured is missing, with a way on", async ({ page }) => {
  const answer = await page.goto("/chips/m99");
  expect(answer?.status()).toBe(404);
  await page.getByRole("link", { name: "Show all chips" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Chips");
});

test("a page fits a phone", async ({ page }) => {
  stored();
  await page.setViewportSize({ width: 390, height: 844 });
  await go(page, "/chips/m4-pro");
  await expect(page.getByRole("region", { name: "Headline figures" })).toBeVisible();
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
});
