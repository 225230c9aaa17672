import { expect } from "@playwright/test";
import { filtersOf } from "./filters";
import { violations, violationsInTheDark } from "./axe";
import { fleetOfMacs, signIn } from "./ownFleet";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

const CASES =
  "/storage?by=storage&metric=disk.read_average&metric=disk.write_average&where=source:measured";

test("the legend of cases hides a metric and shows it again", async ({ page }) => {
  stored();
  await go(page, CASES);
  await settled(page);
  const chart = page.getByRole("group", { name: /^Chart: / });
  const marks = chart.getByRole("link", { name: /, write: .*Show runs$/ });
  await expect(marks).not.toHaveCount(0);
  const before = await marks.count();
  const read = await chart.getByRole("link", { name: /, read: / }).count();
  await chart.getByRole("button", { name: "write", pressed: true }).click();
  await expect(marks).toHaveCount(0);
  await expect(chart.getByRole("link", { name: /, read: / })).toHaveCount(read);
  await chart.getByRole("button", { name: "write", pressed: false }).click();
  await expect(marks).toHaveCount(before);
});

test("the legend of a trace hides a tier and a line", async ({ page }) => {
  await go(page, `/runs/${stored().suites.power}`);
  const figure = page.getByRole("figure", { name: "What the cores did" });
  const drawing = figure.getByRole("img");
  await expect(drawing.locator("svg").first()).toContainText("Performance");
  await figure.getByRole("button", { name: "Performance", pressed: true }).click();
  await expect(drawing.locator("svg").first()).not.toContainText("Performance");
  await expect(drawing.locator("svg").first()).toContainText("Efficiency");
  await figure.getByRole("button", { name: "by frequency", exact: true }).click();
  await expect(drawing.locator("svg").last()).not.toContainText("by frequency");
});

test("a run is without violations while a tip is open, in both appearances", async ({ page }) => {
  await go(page, `/runs/${stored().suites.power}`);
  await settled(page);
  await page
    .getByRole("group", { name: /^Chart: / })
    .first()
    .focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tooltip")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  expect(await violationsInTheDark(page)).toEqual([]);
});

test("a fleet, its settings and one's own page have no violations with forms open", async ({
  page,
  context,
}) => {
  test.slow();
  const fleet = fleetOfMacs();
  await signIn(context, fleet.admin);
  const path = `/fleets/${encodeURIComponent(fleet.name)}`;
  for (const address of [path, `${path}/settings`, "/you"]) {
    await page.goto(address);
    await settled(page);
    for (const summary of await page.locator("main details:not([open]) > summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("dialog")).toBeVisible();
    expect(await violations(page), `${address}, search open`).toEqual([]);
    expect(await violationsInTheDark(page), `${address}, search open`).toEqual([]);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    expect(await violations(page), address).toEqual([]);
    expect(await violationsInTheDark(page), address).toEqual([]);
  }
});

test("groups of filters have names, and what they hold is theirs", async ({ page }) => {
  stored();
  await go(page, "/storage");
  await settled(page);
  const filters = await filtersOf(page);
  const unnamed = await filters
    .getByRole("checkbox")
    .evaluateAll((all) => all.filter((box) => !box.closest("fieldset, [role=group]")).length);
  expect(unnamed).toBe(0);
  await expect(
    filters.getByRole("group", { name: "Chip" }).getByRole("checkbox").first(),
  ).toBeVisible();
});
