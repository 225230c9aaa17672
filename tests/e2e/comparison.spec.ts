import { expect, type Page, test } from "@playwright/test";
import { linesOf } from "./figures";

const QUESTION =
  "/storage?by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average&where=storage:internal";

async function save(page: Page, title: string): Promise<string> {
  await page.goto(QUESTION);
  await page.getByRole("button", { name: "Save comparison" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Note").fill("First line\nSecond line");
  await page.getByRole("button", { name: "Save and get the link" }).click();
  const link = page.getByRole("status").getByRole("link");
  await expect(link).toHaveText(/\/c\/\w+$/);
  return new URL((await link.textContent()) ?? "").pathname;
}

test("a saved comparison opens for somebody else as it was frozen", async ({ page, browser }) => {
  const path = await save(page, "Internal <b>SSD</b>, as published");
  await expect(page.getByText(/^mmo_/)).toBeVisible();
  const asked = await linesOf(page);

  const other = await browser.newContext();
  const guest = await other.newPage();
  await guest.goto(path);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText(
    "Internal <b>SSD</b>, as published",
  );
  await expect(guest).toHaveTitle(/Internal <b>SSD<\/b>/);
  await expect(guest.getByText("First line")).toBeVisible();
  await expect(guest.getByText(/Frozen on/)).toBeVisible();
  await expect(guest.getByText("Live data is the same.")).toBeVisible();
  await expect(guest.locator("code").filter({ hasText: /^[0-9a-f]{64}$/ })).toBeVisible();
  await expect(guest.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await guest.getByRole("table").waitFor();
  expect(await linesOf(guest)).toEqual(asked);
  await guest.getByRole("link", { name: "Live", exact: true }).click();
  await expect(guest).toHaveURL(/live=1/);
  await expect(guest.getByText("Live figures.")).toBeVisible();
  await guest.getByRole("link", { name: "Ask further from here" }).click();
  await expect(guest).toHaveURL(/\/storage\?.*where=storage:internal/);
  await other.close();
});

test("its maker pauses, resumes and revokes it", async ({ page, browser }) => {
  const path = await save(page, "To be revoked");
  const other = await browser.newContext();
  const guest = await other.newPage();

  await page.goto(path);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await guest.goto(path);
  await expect(guest.getByText("This comparison is paused")).toBeVisible();

  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await guest.reload();
  await expect(guest.getByRole("table")).toBeVisible();

  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("button", { name: "Revoke for good" }).click();
  await guest.reload();
  await expect(guest.getByText("This comparison was revoked")).toBeVisible();
  await page.reload();
  await expect(page.getByText("This comparison was revoked")).toBeVisible();
  await other.close();
});

test("a link to nothing says so", async ({ page }) => {
  await page.goto("/c/doesnotexist");
  await expect(page.getByRole("alert")).toContainText("Not found");
  await page.goto("/nowhere");
  await expect(page.getByText("There is no such page")).toBeVisible();
});
