import { expect } from "@playwright/test";
import { violations, violationsInTheDark } from "./axe";
import { failingFleet, signIn } from "./ownFleet";
import { test } from "./samePage";
import { settled } from "./settled";

test("the server's admins see what fails, and whose it is; nobody else does", async ({
  page,
  context,
}) => {
  const { name, root, admin } = failingFleet();
  const failing = page.getByRole("region", { name: "Failing on this server" });
  await signIn(context, admin);
  await page.goto("/you");
  await expect(page.getByRole("heading", { name: "Failures admin" })).toBeVisible();
  await expect(failing).toHaveCount(0);
  const refused = await page.request.get("/api/v1/failures");
  expect(refused.status()).toBe(403);

  await signIn(context, root);
  const webhook = failing.getByRole("listitem").filter({ hasText: name });
  await expect(async () => {
    await page.goto("/you");
    await expect(webhook).toBeVisible({ timeout: 5_000 });
  }, "alerts are sent some seconds after the run").toPass();
  await expect(webhook).toContainText(`Alert webhook · ${name}`);
  await expect(webhook).toContainText("in a private network, which is not allowed");
  await expect(webhook).toContainText(/\d attempts? · next \d/);
  expect(await violations(page)).toEqual([]);
  expect(await violationsInTheDark(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () =>
    page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow(), "long reasons are wrapped").toBeLessThanOrEqual(0);
  await webhook.getByRole("link", { name }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
});

test("a page asks a full server again by itself", async ({ page }) => {
  let refusals = 3;
  await page.route("**/api/v1/machines?**", (route) =>
    refusals-- > 0
      ? route.fulfill({
          status: 503,
          headers: { "Retry-After": "1" },
          json: { status: 503, code: "server_full", title: "Server full", detail: "Others wait." },
        })
      : route.continue(),
  );
  await page.goto("/machines");
  await expect(page.getByText("Server full")).toBeVisible();
  await expect(page.getByRole("table").first()).toBeVisible();
});

test("a Mac without internet still asks the server that runs on it", async ({ page }) => {
  await page.goto("/");
  await settled(page);
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Macs", exact: true })
    .click();
  await expect(page.getByRole("table").first()).toBeVisible();
  // Later tests use the same page.
  await page.evaluate(() => dispatchEvent(new Event("online")));
});
