import { expect } from "@playwright/test";
import { go, test } from "./samePage";

test("an article's own curves are a click away, with equation, range and fit", async ({ page }) => {
  await go(page, "/");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Threads" }).click();
  await page.getByRole("link", { name: /^Show one article/ }).click();
  await expect(page).toHaveURL(/where=article:a004-more-threads/);
  // To the digits that the printed times allow: the article's 49.8863/T^0.91169 and
  // 54.737/T^0.854318.
  const folded = page.getByText(/^\d+ fitted curves?$/);
  await folded.click();
  const curves = page.getByRole("listitem").filter({ hasText: "r²" });
  await expect(curves).toHaveCount(2);
  await expect(curves.nth(0)).toContainText(/y = 49\.88\d* x\^−0\.911\d*/);
  await expect(curves.nth(0)).toContainText("from 1 to 5");
  await expect(curves.nth(1)).toContainText(/y = 54\.737 x\^−0\.854318/);
  await expect(curves.nth(1)).toContainText("from 2 to 5");
  // The guest's times begin with two threads, and so does its curve.
  const begins = await page
    .locator('figure path[class^="_curve"]')
    .evaluateAll((paths) => paths.map((path) => Math.round(path.getBoundingClientRect().left)));
  expect(begins).toHaveLength(2);
  expect(Math.max(...begins) - Math.min(...begins)).toBeGreaterThan(40);
  const alone = await curves.first().innerText();
  await page.getByRole("link", { name: "Back to all figures" }).click();
  await expect(page).not.toHaveURL(/article|fit/);
  await expect(folded).toHaveCount(0);
  await page.getByRole("link", { name: "Fit curves" }).click();
  await expect(page).toHaveURL(/fit=power/);
  await folded.click();
  await expect(curves.first()).not.toHaveText(alone);
  await page.getByRole("link", { name: "Without curves" }).click();
  await expect(folded).toHaveCount(0);
});
