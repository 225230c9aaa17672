import type { Locator, Page } from "@playwright/test";

/** The panel of filters, opened as a reader opens it. */
export async function filtersOf(page: Page): Promise<Locator> {
  const button = page.getByRole("button", { name: /^Filters/ });
  if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
  return page
    .locator("aside, dialog[open]")
    .filter({ has: page.getByRole("heading", { name: "Filters" }) });
}

/** What takes an answer along: the list behind "Export". */
export async function exportsOf(page: Page): Promise<Locator> {
  await page.getByRole("button", { name: "Export" }).click();
  return page.getByRole("dialog", { name: "Export" });
}
