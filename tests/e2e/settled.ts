import { expect, type Page } from "@playwright/test";
import { answered } from "./samePage";

/**
 * Wait until the page has and shows what it requested. A page whose scripts still wait for the
 * processor has no requests and is idle, so its heading is awaited first.
 */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await answered(page);
  await expect(page.locator("[aria-busy=true]:not(details:not([open]) *)")).toHaveCount(0);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await answered(page);
}
