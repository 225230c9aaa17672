import { expect, type Page } from "@playwright/test";
import { answered } from "./samePage";

/**
 * Once the page has what it asked for and shows it. A page whose scripts still wait for the
 * processor has asked for nothing yet and is busy with nothing: its heading comes first.
 */
export async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await answered(page);
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await answered(page);
}
