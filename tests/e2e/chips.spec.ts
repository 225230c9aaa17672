import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { go, test } from "./samePage";

interface Chips {
  chips: {
    chip: string;
    family: string;
    tiers: { name: string; cores: number; max_frequency: number | null }[];
    cycles: number | null;
  }[];
}

test("chips are reached from the header and shown as the API has them", async ({
  page,
  request,
}) => {
  await page.goto("/");
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Macs", exact: true })
    .click();
  await page
    .getByRole("navigation", { name: "Lists" })
    .getByRole("link", { name: "Chips" })
    .click();
  await expect(page).toHaveURL(/\/chips$/);
  const table = page.getByRole("region", { name: "Chips", exact: true });
  await table.waitFor();
  const { chips } = (await (await request.get("/api/v1/chips")).json()) as Chips;
  await expect(table.locator("tbody")).toHaveCount(chips.length);
  for (const [place, chip] of chips.entries()) {
    const body = table.locator("tbody").nth(place);
    await expect(body.getByRole("rowheader")).toContainText(chip.chip);
    const lines = body.getByRole("row");
    for (const [line, tier] of chip.tiers.entries()) {
      const text = (await lines.nth(line).innerText()).split("\t");
      expect(text).toContain(tier.name);
      expect(text).toContain(String(tier.cores));
      if (tier.max_frequency !== null) {
        expect(text).toContain((tier.max_frequency / 1e6).toLocaleString("en"));
      }
    }
    if (chip.cycles !== null) await expect(body).toContainText((chip.cycles / 1e9).toFixed(1));
  }
});

test("a family has an address of its own, daggers that lead to its articles, and a CSV", async ({
  page,
}) => {
  await go(page, "/chips");
  const families = page.getByRole("navigation", { name: "Chip families" });
  await families.getByRole("link", { name: "M4" }).click();
  await expect(page).toHaveURL(/family=M4/);
  await page.reload();
  await expect(families.getByRole("link", { name: "M4" })).toHaveAttribute("aria-current", "page");
  await expect(families.getByRole("link", { name: "All" })).not.toHaveAttribute("aria-current");
  const table = page.getByRole("region", { name: "Chips", exact: true });
  await expect(table).not.toContainText("Apple M1");
  await table.getByRole("link", { name: "Published, source 2" }).first().click();
  await expect(page.locator("#source-2")).toContainText("Howard Oakley");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Chips as CSV" }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
  expect(lines).toHaveLength(1 + (await table.locator("tbody tr").count()));
  expect(lines).toContain(
    "Apple M4 Pro,false,Performance,10,5 + 5,1260000000,4512000000,20,68719476736,thunderbolt3 thunderbolt4 usb4 thunderbolt5,55488000000,a004-which-m4 a004-pcores a004-vm-pcores a004-e-and-p",
  );
});

test("a family that nobody has measured yet is not an error", async ({ page }) => {
  await page.goto("/chips?family=M9");
  await expect(page.getByText("No chips of this family")).toBeVisible();
  await page.getByRole("link", { name: "Show all chips" }).click();
  await expect(page.getByRole("region", { name: "Chips", exact: true })).toBeVisible();
});
