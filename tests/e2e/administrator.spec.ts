import { execFile } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, expect, type Page, test } from "@playwright/test";
import { withPasskeys } from "./passkeys";
import { settled } from "./settled";

// Called by tests/e2e/test_administrator.py with a new server's link, and the agent.
const { ADMIN_LINK, AGENT = "", HOMES = "" } = process.env;
const ROOT = join(__dirname, "../..");
const RESULTS = join(ROOT, "agent/Tests/Fixtures/mac/fio_groups.json");
const FLEET = "Quokka studio";
const PAGE = `/fleets/${encodeURIComponent(FLEET)}`;
const CHIPS = {
  "imac-m4-usb3": "Apple M4",
  "mac-mini-m4-pro": "Apple M4 Pro",
  "macbook-pro-m5-max": "Apple M5 Max",
};

const execute = promisify(execFile);

/** Enrol a Mac's agent as the page says and upload runs; return its machine's id. */
async function enrolAndUpload(mac: string, command: string): Promise<string> {
  const home = join(HOMES, mac);
  mkdirSync(home);
  const env = {
    ...process.env,
    MACMETER_HOME: home,
    MACMETER_REPLAY: join(ROOT, "tests/documents/macs", mac),
  };
  const [program, ...words] = command.split(" ");
  expect(program).toBe("macmeter");
  const { stderr } = await execute(AGENT, [...words, "--yes"], { env });
  expect(stderr).toContain(`Fleet: ${FLEET}`);
  await execute(AGENT, ["import", RESULTS, "--path", home], { env });
  const identity = readFileSync(join(home, "identity.json"), "utf8");
  return (JSON.parse(identity) as { machine_id: string }).machine_id;
}

/** Wait until the fleet's page has all Macs: it is computed seconds after the runs. */
async function seesAllMacs(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto(PAGE);
    await expect(page.getByText("3 Macs · 9 runs")).toBeVisible({ timeout: 5_000 });
  }).toPass();
  const macs = page.getByRole("region", { name: "Macs of this fleet" });
  await expect(macs.getByRole("row")).toHaveCount(1 + 3);
  for (const chip of Object.values(CHIPS)) {
    await expect(macs.getByRole("cell", { name: chip, exact: true })).toBeVisible();
  }
}

/** Send a request that no viewer's page offers, and return the server's status. */
function attempt(page: Page, method: string, path: string, body?: object): Promise<number> {
  return page.evaluate(
    async ([how, where, what]) =>
      (
        await fetch(where, {
          method: how,
          headers: { "Content-Type": "application/json" },
          ...(what === undefined ? {} : { body: what }),
        })
      ).status,
    [method, path, body && JSON.stringify(body)] as const,
  );
}

async function somebody(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await withPasskeys(page);
  return page;
}

test("an administrator's first hour: from the printed link to three Macs and a viewer", async ({
  page,
  browser,
}) => {
  test.skip(!ADMIN_LINK, "needs the ADMIN_LINK of a new server");
  await withPasskeys(page);
  await page.goto(ADMIN_LINK ?? "");
  await page.getByLabel("Your name").fill("Ada Admin");
  await page.getByRole("button", { name: "Create a passkey and continue" }).click();
  await expect(page.getByRole("heading", { name: "Ada Admin" })).toBeVisible();

  await page.goto("/fleets");
  await page.getByLabel("Name").fill(FLEET);
  await page.getByRole("button", { name: "Create fleet" }).click();
  await expect(page.getByRole("heading", { name: `${FLEET}: settings` })).toBeVisible();
  const secrets = page.getByRole("region", { name: "Enrolment secrets" });
  await secrets.getByLabel("Name").fill("Office");
  await secrets.getByLabel("Mac limit (optional)").fill("3");
  await secrets.getByRole("button", { name: "Create secret" }).click();
  const command =
    (await secrets.locator("code", { hasText: "macmeter enroll" }).textContent()) ?? "";
  const ids = await Promise.all(Object.keys(CHIPS).map((mac) => enrolAndUpload(mac, command)));
  await expect(
    enrolAndUpload("macbook-air-m1", command),
    "the secret is for three",
  ).rejects.toThrow("reached its limit of Macs");

  await page.goto(`${PAGE}/settings`);
  await expect(secrets.getByText("3 of 3 Macs")).toBeVisible();
  const devices = page.getByRole("region", { name: "Enrolled Macs and uploaders" });
  const refused = devices.getByRole("list", { name: "Refused enrolments" });
  await expect(refused.getByRole("listitem")).toHaveCount(1);
  await expect(devices.getByRole("listitem")).toHaveCount(3 + 1);
  await expect(page.getByText(command), "a secret is shown once").toHaveCount(0);
  await seesAllMacs(page);

  await page.goto("/you");
  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("To").selectOption(FLEET);
  await invitations.getByRole("button", { name: "Invite" }).click();
  const invited = (await invitations.locator("code").textContent()) ?? "";

  // A person invited as a viewer sees the Macs, and changes nothing.
  const viewer = await somebody(browser);
  await viewer.goto(invited);
  await expect(viewer.getByText("As a viewer you see this fleet’s Macs")).toBeVisible();
  await viewer.getByLabel("Your name").fill("Vera");
  await viewer.getByRole("button", { name: "Create a passkey and continue" }).click();
  await expect(viewer.getByRole("link", { name: "Vera" })).toBeVisible();
  await viewer.goto("/fleets");
  await seesAllMacs(viewer);
  await viewer.goto(`${PAGE}/settings`);
  await expect(viewer.getByText("Its admins can change these settings.")).toBeVisible();
  await expect(viewer.getByRole("region", { name: "People" }).getByText("Ada Admin")).toBeVisible();
  await expect(viewer.getByRole("heading", { level: 2 })).toHaveText(["People"]);
  const api = `/api/v1${PAGE}`;
  expect(await attempt(viewer, "GET", api)).toBe(200);
  expect(await attempt(viewer, "GET", `${api}/secrets`)).toBe(403);
  expect(await attempt(viewer, "PATCH", api, { name: "Vera's" })).toBe(403);
  expect(await attempt(viewer, "POST", `${api}/secrets`, { name: "Hers" })).toBe(403);
  expect(await attempt(viewer, "DELETE", `/api/v1/machines/${ids[0]}`)).toBe(403);
  await seesAllMacs(viewer);
  await viewer.context().close();

  // Signed out, the fleet and the Mac don't exist; each page leads to signing in.
  const stranger = await (await browser.newContext()).newPage();
  for (const path of [PAGE, `${PAGE}/settings`]) {
    await stranger.goto(path);
    await expect(stranger.getByRole("heading", { name: "You’re signed out" })).toBeVisible();
  }
  for (const id of ids) {
    await stranger.goto(`/machines/${id}`);
    await expect(stranger.getByRole("heading", { name: "Not found" })).toBeVisible();
    const main = stranger.getByRole("main");
    await expect(main.getByRole("link", { name: "Sign in" })).toBeVisible();
  }
  const shown: Record<string, string> = {};
  for (const path of ["/", "/machines", "/runs"]) {
    await stranger.goto(path);
    await settled(stranger);
    shown[path] = await stranger.content();
  }
  for (const asked of ["runs", "machines", "facets?metric=disk.read_average&flagged=include"]) {
    const response = await stranger.request.get(`/api/v1/${asked}`);
    expect(response.status(), asked).toBe(200);
    shown[asked] = await response.text();
  }
  for (const [path, text] of Object.entries(shown)) {
    for (const own of ["Quokka", ...ids]) expect(text, path).not.toContain(own);
  }
  await stranger.context().close();
});
