import type { Page } from "@playwright/test";
import { type RunOptions, source } from "axe-core";

/**
 * Problems that axe finds in a page, each with its first element; all rules apply unless `only`
 * names some. Pages have no frames, so one call in the page is enough. The script is compiled once
 * per page, and neither passes nor selectors are reported: that would be most of the work.
 */
export async function violations(page: Page, only?: RunOptions["runOnly"]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ["violations"], selectors: false };
  if (only) options.runOnly = only;
  return page.evaluate(async (asked) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    const found = await axe.run(asked);
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, options);
}

/** Check the dark appearance, then return to light: appearances differ only in contrast. */
export async function violationsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await violations(page, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
