import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "@playwright/test";
import { violations } from "./axe";
import { fleetOfYears, signIn } from "./ownFleet";
import { fresh as test } from "./samePage";

const settingsOf = (name: string) => `/fleets/${encodeURIComponent(name)}/settings`;

/** Part of the settings page that only admins have. */
const left = (page: Page) => page.getByRole("region", { name: "Enrolment secrets" });

async function somebody(browser: Browser, cookie: string, path: string): Promise<Page> {
  const context = await browser.newContext();
  await signIn(context, cookie);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

test("what retention deletes is shown first, and comes back by Undo", async ({ page, context }) => {
  const { name, admin } = fleetOfYears();
  const runs = `/runs?where=fleet:${encodeURIComponent(name)}`;
  await signIn(context, admin);
  await page.goto(settingsOf(name));
  const kept = page.getByRole("region", { name: "How long runs are kept" });
  await expect(kept.getByText("All runs are kept.")).toBeVisible();

  // No run is that old, and a preview changes nothing.
  const days = kept.getByLabel("Runs older than, in days");
  const look = kept.getByRole("button", { name: "Show what goes" });
  await days.fill("900");
  await look.click();
  await expect(kept.getByRole("status")).toContainText("No run is so old yet.");
  await days.fill("365");
  await expect(kept.getByRole("status"), "shows what was asked for, or nothing").toHaveCount(0);
  await look.click();
  const effect = kept.getByRole("status");
  await expect(effect).toContainText("This deletes 3 runs of 3 Macs.");
  await expect(effect).toContainText("You can undo it for 7 days.");
  expect(await violations(page)).toEqual([]);
  await effect.getByRole("button", { name: "Cancel" }).click();
  await expect(kept.getByText("All runs are kept.")).toBeVisible();

  await look.click();
  await kept.getByRole("button", { name: "Delete 3 runs" }).click();
  await expect(kept.getByText(/^After 365 days runs are deleted/)).toBeVisible();
  await expect(kept.getByText(/runs will be deleted for good on/)).toBeVisible();
  // Lists still have them, as runs that answers exclude.
  await page.goto(runs);
  await expect(page.getByText("6 runs, most recently received first")).toBeVisible();
  await expect(page.getByRole("cell", { name: "withdrawn" })).toHaveCount(3);

  await page.goto(settingsOf(name));
  await kept.getByRole("button", { name: "Undo the deletion of 3 runs" }).click();
  await kept.getByRole("button", { name: "Bring them back and keep all" }).click();
  await expect(kept.getByText("brought back")).toBeVisible();
  await expect(kept.getByText("All runs are kept.")).toBeVisible();
  await page.goto(runs);
  await expect(page.getByText("6 runs, most recently received first")).toBeVisible();
  await expect(page.getByRole("cell", { name: "withdrawn" })).toHaveCount(0);
});

test("admins say what counts as a problem, and viewers see it", async ({ browser }) => {
  const { name, admin, viewer } = fleetOfYears();
  const page = await somebody(browser, admin, settingsOf(name));
  const amiss = page.getByRole("region", { name: "What counts as a problem" });
  const save = amiss.getByRole("button", { name: "Save" });
  await expect(save, "nothing has changed").toBeDisabled();
  await amiss.getByLabel("Days without an upload").fill("9");
  await amiss.getByLabel("Agent older than").fill("newest");
  await save.click();
  await expect(save, "the browser says what a version is").toBeEnabled();
  await amiss.getByLabel("Agent older than").fill("9.1");
  await amiss.getByLabel("FileVault off").check();
  await save.click();
  // The button is disabled while it saves, too.
  await expect(amiss.getByRole("status")).toHaveText("Saved.");
  await expect(save).toBeDisabled();
  await page.reload();
  await expect(amiss.getByLabel("Days without an upload")).toHaveValue("9");
  await expect(amiss.getByLabel("Agent older than")).toHaveValue("9.1");
  await expect(amiss.getByLabel("FileVault off")).toBeChecked();
  await page.context().close();

  const viewed = await somebody(browser, viewer, settingsOf(name));
  await expect(viewed.getByRole("region", { name: "People" })).toBeVisible();
  await expect(viewed.getByRole("region", { name: "What counts as a problem" })).toHaveCount(0);
  await expect(viewed.getByRole("region", { name: "How long runs are kept" })).toHaveCount(0);
  await viewed.context().close();
});

test("people are invited, get roles and go, and two admins can't remove each other", async ({
  browser,
}) => {
  const { name, admin, other, guest } = fleetOfYears();
  const page = await somebody(browser, admin, "/you");
  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("To").selectOption(name);
  await invitations.getByLabel("Role").selectOption("Viewer");
  await invitations.getByRole("button", { name: "Invite" }).click();
  const link = new URL((await invitations.locator("code").textContent()) ?? "");
  const joining = await somebody(browser, guest, `${link.pathname}${link.hash}`);
  await expect(joining.getByRole("heading", { name: `Join ${name}` })).toBeVisible();
  await joining.getByRole("button", { name: /^Accept/ }).click();
  await expect(joining.getByRole("heading", { name: `Join ${name}` })).toHaveCount(0);

  await page.goto(settingsOf(name));
  const people = page.getByRole("region", { name: "People" });
  const role = people.getByLabel("Role of Fleet guest");
  await expect(role).toHaveValue("viewer");
  const changed = page.waitForResponse((response) => response.request().method() !== "GET");
  await role.selectOption("Admin");
  await changed;
  await joining.goto(settingsOf(name));
  await expect(joining.getByLabel("Role of Fleet guest")).toHaveValue("admin");
  expect(await violations(page)).toEqual([]);
  await people.getByRole("button", { name: "Remove Fleet guest" }).click();
  await people.getByRole("button", { name: "Remove from this fleet" }).click();
  await expect(people.getByText("Fleet guest")).toHaveCount(0);
  await joining.reload();
  await expect(joining.getByRole("heading", { name: "Not found" })).toBeVisible();
  await joining.context().close();

  // Both make each other a viewer at the same time: one of them is too late.
  const second = await somebody(browser, other, settingsOf(name));
  const ofOther = people.getByLabel("Role of Fleet other");
  const ofAdmin = second.getByLabel("Role of Fleet admin");
  await expect(ofOther).toHaveValue("admin");
  await expect(ofAdmin).toHaveValue("admin");
  await Promise.all([ofOther.selectOption("Viewer"), ofAdmin.selectOption("Viewer")]);
  await expect(async () => {
    await Promise.all([page.reload(), second.reload()]);
    const roles = await Promise.all(
      [page, second].map(async (one) => {
        await expect(one.getByRole("region", { name: "People" })).toBeVisible();
        await expect(one.getByText("(you)")).toBeVisible();
        return left(one).count();
      }),
    );
    expect(roles.reduce((sum, count) => sum + count)).toBe(1);
  }).toPass();
  const stays = (await left(page).count()) ? page : second;
  const own = stays.getByRole("listitem").filter({ hasText: "(you)" });
  await own.getByRole("combobox").selectOption("Viewer");
  await expect(stays.getByRole("region", { name: "People" }).getByRole("alert")).toContainText(
    "would have no admin",
  );
  await expect(own.getByRole("combobox")).toHaveValue("admin");
  for (const one of [page, second]) await one.context().close();
});

test("an admin downloads a profile, which says its cost and has a secret only if asked", async ({
  page,
  context,
}) => {
  const { name, admin } = fleetOfYears();
  await signIn(context, admin);
  await page.goto(settingsOf(name));
  const profile = page.getByRole("region", { name: "Profile for device management" });
  const cost = profile.getByRole("status");
  await expect(cost).toContainText("Each week, a Mac writes 27 GB");
  await profile.getByLabel("Measure").selectOption("Every day");
  await profile.getByLabel("Cores").check();
  await profile.getByLabel("Quick tests").check();
  await expect(cost).toContainText(
    "Each week, a Mac writes 4 GB and measures for about 3 minutes, longer if it is slow.",
  );
  const download = async () => {
    const coming = page.waitForEvent("download");
    await profile.getByRole("button", { name: "Download profile" }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toMatch(/macmeter\.mobileconfig$/);
    return readFile(await file.path(), "utf8");
  };
  const without = await download();
  expect(without).toContain(`<key>server</key><string>${new URL(page.url()).origin}</string>`);
  expect(without).not.toContain("<key>secret</key>");
  await profile.getByLabel("Include a new enrolment secret").check();
  await expect(profile.getByText("Revoke it above when all have joined.")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const secret = /<key>secret<\/key><string>(.+)<\/string>/.exec(await download())?.[1] ?? "";
  expect(secret.length, "a secret of the server's").toBeGreaterThan(20);
  await expect(left(page).getByText(/^Profile of /)).toBeVisible();
  await expect(profile.getByLabel("Include a new enrolment secret")).not.toBeChecked();
});

test("whoever invites too many people learns when to try again @thorough", async ({
  page,
  context,
}) => {
  const { name, admin } = fleetOfYears();
  await signIn(context, admin);
  const data = { fleet: name, role: "viewer" };
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const invitations = page.getByRole("region", { name: "Invitations" });
  const refusal = invitations.getByRole("alert");
  // Start over if the hour ends in between.
  await expect(async () => {
    const made = await page.request.post("/api/v1/invitations", { data, headers });
    expect(made.status()).toBe(429);
    await page.goto("/you");
    await invitations.getByRole("button", { name: "Invite" }).click();
    await expect(refusal).toBeVisible({ timeout: 5_000 });
  }).toPass({ intervals: [0] });
  await expect(refusal).toHaveText(
    /^Invitations are limited to 50 per person and hour\. Try again in \d+ minutes?\.$/,
  );
  await expect(
    invitations.getByRole("button", { name: /^Revoke By link, / }).first(),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("links with a fleet's runs lose their ids, and single Macs once it goes private", async ({
  page,
  context,
}) => {
  const { name, admin } = fleetOfYears();
  await signIn(context, admin);
  const fleet = `/api/v1/fleets/${encodeURIComponent(name)}`;
  const headers = { "Sec-Fetch-Site": "same-origin" };
  const become = async (visibility: string) => {
    const data = { visibility, consent: true };
    expect((await page.request.patch(fleet, { data, headers })).status()).toBe(204);
  };
  await become("public");
  const question = `metric=disk.write_average&where=fleet:${encodeURIComponent(name)}`;
  const data = { question, title: "Disks of the archive" };
  const saved = await page.request.post("/api/v1/comparisons", { data });
  const { slug } = (await saved.json()) as { slug: string };

  await page.goto(settingsOf(name));
  const links = page.getByRole("region", { name: "Share links" });
  const link = links.getByRole("listitem").filter({ hasText: "Disks of the archive" });
  await expect(link).toContainText("1 figure with your Macs · names 6 runs · shows all figures");
  expect(await violations(page)).toEqual([]);
  const remove = link.getByRole("button", { name: "Remove run ids" });
  await remove.press("Enter");
  await expect(link.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(remove, "whoever holds Enter removes nothing").toBeFocused();
  await remove.click();
  await link.getByRole("button", { name: "Remove the ids of 6 runs" }).click();
  await expect(link).not.toContainText("names");
  await link.getByRole("link", { name: "Disks of the archive" }).click();
  await expect(page.getByRole("heading", { name: "Disks of the archive" })).toBeVisible();

  await become("private");
  await page.goto(settingsOf(name));
  await expect(link).toContainText("closed");
  await page.goto(`/c/${slug}`);
  const gone = { name: "This comparison is no longer public" };
  await expect(page.getByRole("heading", gone)).toBeVisible();
});
