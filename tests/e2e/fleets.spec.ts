import { expect, type Page } from "@playwright/test";
import { violations } from "./axe";
import { fleetOfMacs, type OwnFleet, signIn } from "./ownFleet";
import { fresh as test } from "./samePage";
import { settled } from "./settled";

/** Open the fleet's page and wait for its alert, which comes seconds after the runs. */
async function openWithAlert(page: Page, { name }: OwnFleet): Promise<void> {
  await expect(async () => {
    await page.goto(`/fleets/${encodeURIComponent(name)}`);
    const alert = page.getByRole("heading", { name: /Macs slower after macOS 26\.4/ });
    await expect(alert).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
}

test("what leaves a Mac is shown accessibly", async ({ page, context }) => {
  const fleet = fleetOfMacs();
  await signIn(context, fleet.admin);
  await page.goto(`/fleets/${encodeURIComponent(fleet.name)}/sent`);
  await expect(page.getByRole("heading", { name: "What leaves a Mac" })).toBeVisible();
  await settled(page);
  expect(await violations(page)).toEqual([]);
});

test("a fleet's page tells its members of Macs that an update slowed, and nobody else", async ({
  page,
  context,
  browser,
}) => {
  const fleet = fleetOfMacs();
  await signIn(context, fleet.admin);
  await openWithAlert(page, fleet);
  await expect(page.getByText("20 Macs · 120 runs")).toBeVisible();
  const changes = page.getByRole("region", { name: "Changes after macOS updates" });
  const change = changes.getByRole("row").nth(1);
  await expect(change).toContainText("Write speed");
  await expect(change).toContainText("16 of 20");
  await expect(change).toContainText("Apple M1 · Internal SSD · FileVault");
  expect(await violations(page)).toEqual([]);

  await page.getByRole("button", { name: "Acknowledge" }).click();
  await expect(page.getByText(/acknowledged by Fleet admin/)).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Name, model, chip, macOS or label" });
  await search.fill("26.3");
  await search.press("Enter");
  const machines = page.getByRole("region", { name: "Macs of this fleet" });
  await expect(machines.getByRole("row")).toHaveCount(1 + 4);

  // Macs that are changed together are undone together.
  for (const place of [1, 2]) await machines.getByRole("checkbox").nth(place).check();
  const chosen = page.getByRole("group", { name: "Chosen Macs" });
  await chosen.getByRole("button", { name: "Retire" }).click();
  await chosen.getByRole("button", { name: "Retire 2 Macs" }).click();
  await expect(machines.getByRole("row")).toHaveCount(1 + 2);
  await expect(page.getByText("18 Macs · 2 retired")).toBeVisible();
  await chosen.getByRole("button", { name: "Undo" }).click();
  await expect(machines.getByRole("row")).toHaveCount(1 + 4);

  // A label set here is in the list and makes a group at once, until it is undone.
  for (const place of [1, 2]) await machines.getByRole("checkbox").nth(place).check();
  await chosen.getByRole("button", { name: "Label" }).click();
  await chosen.getByRole("combobox", { name: "Label" }).fill("rack");
  await chosen.getByRole("combobox", { name: "Value" }).fill("north");
  await chosen.getByRole("button", { name: "Set label" }).click();
  await expect(machines.getByText("rack: north")).toHaveCount(2);
  await chosen.getByRole("button", { name: "Undo" }).click();
  await expect(machines.getByText("rack: north")).toHaveCount(0);

  // Every number links to its runs.
  await change.getByRole("link", { name: "16 of 20" }).click();
  await expect(page).toHaveURL(/\/runs\?.*os_version:26\.4/);
  await expect(page.getByText("32 runs, most recently received first")).toBeVisible();

  // Macs are deleted for good, after their runs were counted; others than these are counted again.
  await openWithAlert(page, fleet);
  for (const place of [1, 2, 3]) await machines.getByRole("checkbox").nth(place).check();
  await chosen.getByRole("button", { name: "Delete 3 Macs" }).click();
  const forGood = chosen.getByRole("button", { name: "Delete 3 Macs with 18 runs, for good" });
  await expect(forGood).toBeFocused();
  await machines.getByRole("checkbox").nth(3).uncheck();
  await chosen.getByRole("button", { name: "Delete 2 Macs" }).click();
  await chosen.getByRole("button", { name: "Delete 2 Macs with 12 runs, for good" }).click();
  await expect(page.getByText("18 Macs · 108 runs")).toBeVisible();

  const viewing = await browser.newContext();
  await signIn(viewing, fleet.viewer);
  const viewed = await viewing.newPage();
  await openWithAlert(viewed, fleet);
  await expect(viewed.getByRole("button", { name: "Reopen" })).toHaveCount(0);
  await viewing.close();

  const signedOut = await browser.newContext();
  const other = await signedOut.newPage();
  await other.goto(`/fleets/${encodeURIComponent(fleet.name)}`);
  await expect(other.getByText("You’re signed out")).toBeVisible();
  await expect(other.getByText("Apple M1")).toHaveCount(0);
  await signedOut.close();
});

test("from a Mac of a private fleet every way stays in the fleet @thorough", async ({
  page,
  context,
}) => {
  const fleet = fleetOfMacs();
  const inFleet = /\?.*where=fleet:offices/;
  await signIn(context, fleet.viewer);
  await page.goto(`/fleets/${encodeURIComponent(fleet.name)}`);
  const macs = page.getByRole("region", { name: "Macs of this fleet" });
  const machine = (await macs.locator("tbody th a").first().getAttribute("href")) ?? "";
  // However one comes to it.
  for (const address of [machine, new URL(machine, page.url()).pathname]) {
    await page.goto(address);
    await expect(page).toHaveURL(inFleet);
    await settled(page);
    await expect(page.getByRole("banner")).toContainText(fleet.name);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("region", { name: / of \d\d / })).toBeVisible();
  }
  const ways = await page
    .getByRole("navigation", { name: "More about this Mac" })
    .or(page.getByRole("region", { name: "What to do next" }))
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  expect(ways.length).toBeGreaterThanOrEqual(3);
  for (const way of ways) {
    await page.goto(way);
    await settled(page);
    await expect(page.getByRole("banner"), way).toContainText(fleet.name);
    await expect(page.getByRole("main").getByRole("alert"), way).toHaveCount(0);
    await expect(page.getByRole("table").first(), way).toBeVisible();
  }
  // A run, and back to its Mac.
  await page.goto(ways.find((way) => way.startsWith("/runs")) ?? "");
  await page.locator("tbody tr").first().getByRole("link").first().click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}\?.*where=fleet/);
  await page.getByRole("link", { name: "This Mac over time" }).click();
  await expect(page).toHaveURL(inFleet);
  await expect(page.getByRole("banner")).toContainText(fleet.name);
});
