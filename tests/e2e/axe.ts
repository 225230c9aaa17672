import type { Page } from "@playwright/test";
import { type RunOptions, source } from "axe-core";

/**
 * The problems that axe finds in a page, each with the first element that has it; none of its rules is
 * left out unless `only` names some. Pages have no frames, so that one call in the page is all it
 * takes. It is compiled once a page, and neither what passes nor where it is gets written down: that
 * is most of the work.
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

/** The same in the dark, and in the light again afterwards: appearances differ in contrast alone. */
export async function violationsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await violations(page, ["color-contrast"]);
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
