import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { violations } from "./axe";
import { fresh as test } from "./samePage";

const ADDRESS = process.env.BASE_URL ?? "";

interface Duplicates {
  name: string;
  /** Session cookie of the admin. */
  cookie: string;
  ids: Record<"former" | "present" | "old" | "new" | "shared", string>;
}

function duplicateMacs(): Duplicates {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const made = execFileSync(
    join(__dirname, "../../.venv/bin/python"),
    [join(__dirname, "duplicate_macs.py"), ADDRESS],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: "utf8" },
  );
  return JSON.parse(made) as Duplicates;
}

const short = (id: string) => id.slice(0, 8);
const row = (page: Page, name: string, id: string) =>
  page
    .getByRole("region", { name })
    .getByRole("listitem")
    .filter({ hasText: short(id) });

test("Macs with two ids are merged, kept apart and taken back, a line each", async ({
  page,
  context,
}) => {
  const { name, cookie, ids } = duplicateMacs();
  const [key = "", value = ""] = cookie.split("=");
  await context.addCookies([{ name: key, value, url: ADDRESS }]);
  const dashboard = `/fleets/${encodeURIComponent(name)}`;
  const waiting = page
    .getByRole("definition")
    .filter({ hasText: "to merge or tell apart" })
    .getByRole("link");
  // A fleet's page is computed seconds after its runs.
  await expect(async () => {
    await page.goto(dashboard);
    await expect(waiting).toHaveText("2", { timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
  await waiting.click();
  await expect(page.getByRole("heading", { name: "Duplicate Macs" })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  // The erased Mac: confirmed, merged, undone, and merged again.
  const likely = row(page, "Probably erased", ids.former);
  await likely.getByRole("button", { name: /^It’s one Mac/ }).click();
  await likely.getByRole("button", { name: "Cancel" }).click();
  for (const last of [false, true]) {
    await likely.getByRole("button", { name: /^It’s one Mac/ }).click();
    await likely
      .getByRole("button", { name: `Merge ${short(ids.former)} into ${short(ids.present)}` })
      .click();
    const done = page.getByRole("status").filter({ hasText: "Merged: 2 runs" });
    await expect(done).toBeVisible();
    await expect(row(page, "Merged", ids.former)).toContainText("2 runs");
    if (last) break;
    await done.getByRole("button", { name: "Undo" }).click();
    await expect(row(page, "Merged", ids.former)).toHaveCount(0);
    // The list of Macs is computed in the background.
    await expect(async () => {
      await page.reload();
      await expect(likely).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 180_000 });
  }

  // Any two, found by id; different Macs are refused with an explanation.
  const merging = page.getByRole("region", { name: "Merge two ids" });
  const choose = async (which: string, id: string) => {
    await merging.getByRole("searchbox", { name: new RegExp(`^${which}`) }).fill(short(id));
    await merging.getByRole("button", { name: new RegExp(short(id)) }).click();
  };
  await choose("Old id", ids.old);
  await choose("New id", ids.old);
  await expect(merging.getByRole("alert")).toContainText("same id twice");
  await merging.getByRole("button", { name: "Change new id" }).click();
  await choose("New id", ids.present);
  await merging.getByRole("button", { name: "Merge" }).click();
  await merging.getByRole("button", { name: /^Give 2 runs/ }).click();
  await expect(page.getByRole("alert")).toContainText("These are different Macs");
  await choose("Old id", ids.old);
  await choose("New id", ids.new);
  // Both are in use, like two installations of macOS on one Mac.
  await expect(merging.getByText("two installations of macOS")).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await merging.getByRole("button", { name: "Merge" }).click();
  await merging.getByRole("button", { name: /^Give 2 runs/ }).click();
  const merged = row(page, "Merged", ids.old);
  await expect(merged).toContainText(short(ids.new));
  await merged.getByRole("button", { name: /^Take back/ }).click();
  await merged.getByRole("button", { name: /^Give .* its 2 runs back/ }).click();
  await expect(merged).toHaveCount(0);

  // Several Macs with one id: decided, and the decision changed.
  const shared = row(page, "Same id, several Macs?", ids.shared);
  await shared.getByRole("button", { name: /^They’re copies/ }).click();
  await shared.getByRole("button", { name: "Give the copies ids of their own" }).click();
  await expect(shared).toContainText("copies now get ids of their own");
  await shared.getByRole("button", { name: /^It’s one Mac/ }).click();
  await shared.getByRole("button", { name: "Let it enrol again" }).click();
  await expect(shared).toHaveCount(0);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
});
