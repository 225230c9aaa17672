import { expect } from "@playwright/test";
import { violations, violationsInTheDark } from "./axe";
import { filtersOf } from "./filters";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

test("the search is opened by / and Command-K, leads on by Enter, and remembers", async ({
  page,
}) => {
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: /^Search pages/ });
  await expect(field).toBeFocused();
  await field.fill("file size");
  const found = page.getByRole("dialog").getByRole("option");
  await expect(found.first()).toHaveText(/Storage: by file size/);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/storage\?.*by=file_size/);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  // Slashes typed into a field are kept.
  await settled(page);
  await filtersOf(page);
  await page.getByPlaceholder("Label, e.g. iops").fill("");
  await page.keyboard.press("/");
  await expect(page.getByPlaceholder("Label, e.g. iops")).toHaveValue("/");
  await page.keyboard.press("Control+k");
  await expect(found).toHaveText([/Storage: by file size/]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("chips, Macs and articles are found", async ({ page }) => {
  stored();
  await go(page, "/");
  await settled(page);
  await page.getByRole("button", { name: "Search" }).click();
  const field = page.getByRole("combobox", { name: /^Search pages/ });
  await field.fill("m4 pro");
  await expect(page.getByRole("option", { name: "Apple M4 Pro Chip", exact: true })).toBeVisible();
  // By its model: other tests store newer Macs with this chip, and few are listed.
  await field.fill("mac mini");
  await expect(page.getByRole("option", { name: /^Mac mini.*Mac$/ }).first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(await violationsInTheDark(page)).toEqual([]);
  await field.fill("oakley");
  await page
    .getByRole("option", { name: /Article$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/about#a\d/);
});

test("Enter opens the model that comes first, however late its list arrives", async ({ page }) => {
  stored();
  await page.route(/\/api\/v1\/things\/models$/, async (route) => {
    await page.waitForResponse(/\/api\/v1\/machines\?/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.goto("/");
  await settled(page);
  await page.keyboard.press("/");
  await page.getByRole("combobox", { name: /^Search pages/ }).fill("Mac16,11");
  await expect(page.getByRole("option").first()).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/models\/mac-mini-m4-pro/);
});

test("a page tells how to add a Mac, and notices the run that arrives", async ({ page }) => {
  await page.route("**/api/v1/events?*", (route) =>
    route.fulfill({
      contentType: "text/event-stream",
      body: 'event: run\nid: 1\ndata: {"id": "0197d6a2-0000-7000-8000-000000000001"}\n\n',
    }),
  );
  await go(page, "/");
  await page.getByRole("link", { name: "Measure your Mac" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Measure your Mac");
  const { origin } = new URL(page.url());
  await expect(page.getByText(`macmeter enroll --server ${origin}`)).toBeVisible();
  await page.getByRole("link", { name: "Show the newest runs" }).click();
  await expect(page).toHaveURL(/\/runs$/);
});

test("a question mark lists the shortcuts, and a key opens the filters", async ({ page }) => {
  await go(page, "/runs");
  await settled(page);
  await page.keyboard.press("f");
  await page.getByPlaceholder("Label, e.g. iops").press("?");
  await expect(page).toHaveURL(/\/runs$/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Filters/ })).toBeFocused();
  await page.keyboard.press("?");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Keyboard shortcuts");
  await page.goBack();
  await expect(page).toHaveURL(/\/runs/);
});

test("a cited article leads to its figures, and from there to its publisher", async ({ page }) => {
  await go(page, "/chips");
  await page.getByRole("link", { name: /“Which M4 chip and model\?”/ }).click();
  await expect(page).toHaveURL(/\/about#a004-which-m4$/);
  const article = page.locator("#a004-which-m4");
  await expect(article.getByRole("link", { name: "The Eclectic Light Company" })).toHaveAttribute(
    "href",
    "https://eclecticlight.co/2024/11/07/",
  );
});
