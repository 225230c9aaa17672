import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * The problems that axe finds in a page, each with the first element that has it; none of its rules is
 * left out unless `choose` leaves it out. Pages have no frames, so that one call in the page is all it
 * takes, and what passes is not listed element by element: that is most of the work.
 */
export async function violations(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const found = await choose(axe).analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}

/** The same in the dark, and in the light again afterwards: appearances differ in contrast alone. */
export async function violationsInTheDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: "dark" });
  const found = await violations(page, (axe) => axe.withRules(["color-contrast"]));
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}
