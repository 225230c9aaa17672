import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { violations } from "./axe";
import { withPasskeys } from "./passkeys";
import { fresh as test } from "./samePage";

// Passkeys are bound to a host name, which 127.0.0.1 is not.
const HERE = (process.env.BASE_URL ?? "").replace("127.0.0.1", "localhost");

test.describe.configure({ mode: "serial" });

/** The link that an operator creates. */
function adminLink(): string {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const printed = execFileSync(join(__dirname, "../../.venv/bin/macmeter-server"), ["admin-link"], {
    env: { ...process.env, DATA_DIR: dataDir, PUBLIC_URL: HERE },
    encoding: "utf8",
  });
  return printed.trim();
}

test("an administrator comes by a link, signs in by passkey and invites another", async ({
  page,
  browser,
}) => {
  await withPasskeys(page);
  const requested: string[] = [];
  page.on("request", (request) =>
    requested.push(request.url() + (request.headers().referer ?? "")),
  );
  const link = adminLink();
  const secret = link.split("#")[1] ?? "";
  expect(secret).toMatch(/^mml_/);
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Set up this server" })).toBeVisible();
  expect(page.url(), "the secret leaves the address").toBe(`${HERE}/invitations`);
  expect(await violations(page)).toEqual([]);
  await page.getByLabel("Your name").fill("Ada Admin");
  await page.getByRole("button", { name: "Create a passkey and continue" }).click();
  await expect(page.getByRole("heading", { name: "Ada Admin" })).toBeVisible();
  expect(requested.filter((one) => one.includes(secret))).toEqual([]);
  expect(await page.evaluate(() => document.cookie), "no script reads the session").toBe("");
  await expect(page.getByText("First passkey")).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // The only way to sign in can't be removed.
  await page.getByRole("button", { name: "Remove First passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("your only way to sign in");

  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  // Leaving before the response arrives would cancel the request.
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await page.goto(`${HERE}/you`);
  await expect(page.getByRole("heading", { name: "You’re signed out" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("heading", { name: "Ada Admin" })).toBeVisible();

  // Another person becomes the server's administrator with a link.
  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("To").selectOption("This server, as its admin");
  await invitations.getByRole("button", { name: "Invite" }).click();
  const invited = (await invitations.locator("code").textContent()) ?? "";
  const second = await (await browser.newContext()).newPage();
  await withPasskeys(second);
  await second.goto(invited);
  await expect(second.getByRole("heading", { name: "Administer this server" })).toBeVisible();
  await expect(second.getByText("Ada Admin invited you.")).toBeVisible();
  await second.getByLabel("Your name").fill("Vera");
  await second.getByRole("button", { name: "Create a passkey and continue" }).click();
  await expect(second.getByRole("heading", { name: "Vera" })).toBeVisible();
  await second.getByRole("button", { name: "Delete my account" }).click();
  await second.getByRole("button", { name: "Delete permanently" }).click();
  await expect(second.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await second.context().close();

  // A token is shown once.
  const tokens = page.getByRole("region", { name: "API tokens" });
  await tokens.getByLabel("Name").fill("Nightly report");
  await tokens.getByRole("button", { name: "Create token" }).click();
  await expect(tokens.locator("code")).toContainText("mmp_");
  await page.reload();
  await expect(tokens.getByText("Nightly report")).toBeVisible();
  await expect(page.getByText("mmp_")).toHaveCount(0);
  await tokens.getByRole("button", { name: "Revoke Nightly report" }).click();
  await expect(tokens.getByText("Nightly report")).toHaveCount(0);

  // The link was already used.
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  await expect(other.getByRole("alert")).toContainText("This link was already used");
  await other.context().close();
});

test("a browser without a passkey says so", async ({ page }) => {
  await withPasskeys(page);
  await page.goto(`${HERE}/sign-in?to=//evil.example`);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("alert")).toContainText("no passkey was found");
});

test("a link without its secret says so", async ({ page }) => {
  await page.goto(`${HERE}/invitations`);
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible();
  await page.goto(`${HERE}/invitations#mml_unknown`);
  await expect(page.getByRole("alert")).toContainText("doesn't know this link");
});
