import { expect, type Page } from "@playwright/test";
import { violations } from "./axe";
import { linesOf, sidesOf } from "./figures";
import { savedLinks } from "./ownFleet";
import { latencyRun, put, stored } from "./runs";
import { go, test } from "./samePage";

const QUESTION =
  "/storage?by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average&where=storage:internal";

/** Store a run of the plain run's machine with that latency. */
async function store(
  baseURL: string | undefined,
  labels: Record<string, string>,
  median: number,
): Promise<void> {
  const { token, machine } = stored();
  const run = latencyRun({ machine, labels, started: new Date(Date.now() - 3_600_000) }, [median]);
  await put(baseURL ?? "", token, run.id, JSON.stringify(run));
}

async function save(page: Page, title: string): Promise<string> {
  await go(page, QUESTION);
  await page.getByRole("table").waitFor();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Note").fill("First line\nSecond line");
  await page.getByRole("button", { name: "Save and copy link" }).click();
  const link = page.getByRole("status").getByRole("link");
  await expect(link).toHaveText(/\/c\/\w+$/);
  return new URL((await link.textContent()) ?? "").pathname;
}

/** Rows of the table under a chart, which loads after its chart. */
async function rowsOf(page: Page): Promise<string[]> {
  return (await sidesOf(page)).map(({ lane, text }) => `${lane} ${text}`);
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
  await expect(guest.getByText("Live figures are the same.")).toBeVisible();
  await guest.getByRole("region", { name: /the figures of the chart/ }).waitFor();
  await expect(guest.locator("code").filter({ hasText: /^[0-9a-f]{64}$/ })).toBeVisible();
  await expect(guest.getByRole("button", { name: "Pause" })).toHaveCount(0);
  await guest.getByRole("table").waitFor();
  expect(await linesOf(guest)).toEqual(asked);
  await guest.getByRole("link", { name: "Live", exact: true }).click();
  await expect(guest).toHaveURL(/live=1/);
  await expect(guest.getByText("Live figures.")).toBeVisible();
  await guest.getByRole("link", { name: "Explore live" }).click();
  await expect(guest).toHaveURL(/\/storage\?.*where=storage:internal/);
  await other.close();
});

test("its owner pauses, resumes and revokes it", async ({ page, browser }) => {
  const path = await save(page, "To be revoked");
  const other = await browser.newContext();
  const guest = await other.newPage();

  await go(page, path);
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
  const revoked = page.waitForResponse((response) => response.request().method() !== "GET");
  await page.getByRole("button", { name: "Revoke permanently" }).click();
  await revoked;
  await guest.reload();
  await expect(guest.getByText("This comparison was revoked")).toBeVisible();
  await page.reload();
  await expect(page.getByText("This comparison was revoked")).toBeVisible();
  await other.close();
});

test("frozen and live are side by side, and it can be cited and embedded", async ({
  page,
  request,
  baseURL,
}) => {
  await store(baseURL, { frozen: "e2e" }, 4.83e-4);
  const question = "by=test&metric=disk.latency&where=label:frozen:e2e";
  const response = await request.post("/api/v1/comparisons", { data: { question } });
  const { slug } = (await response.json()) as { slug: string };
  await store(baseURL, { frozen: "e2e" }, 5.21652e-4);

  await go(page, `/c/${slug}`);
  // The machine's value was 483 µs; the median of 483 and 521.652 is 4% more.
  await expect(page.getByText("Data has changed since: 1 group, by +4\u2009%.")).toBeVisible();
  await page.getByRole("link", { name: "Side by side" }).click();
  await expect(page).toHaveURL(/both=1/);
  const row = page.getByRole("row", { name: /read 1/ });
  await expect(row).toContainText("483");
  await expect(row).toContainText("502");
  await expect(row).toContainText("+4\u2009%");
  await page.reload();
  await expect(row).toContainText("+4\u2009%");

  await page.getByRole("link", { name: "Frozen", exact: true }).click();
  await page.getByText("Cite or embed").click();
  await expect(page.getByRole("region", { name: "Markdown" })).toContainText(`/c/${slug}`);
  await expect(page.getByRole("region", { name: "BibTeX" })).toContainText("@misc{");
  await expect(page.getByRole("region", { name: "Embed code" })).toContainText(`/embed/c/${slug}`);
});

test("sides are compared, shared by their button, and show what changed", async ({
  page,
  browser,
  baseURL,
}) => {
  await store(baseURL, { link: "cable" }, 4.83e-4);
  await store(baseURL, { link: "network" }, 4.83e-4);
  const query =
    "metric=disk.latency%40test:read%201&side=1:label:link:cable&side=2:label:link:network&label=2:<i>NAS</i>";
  await go(page, `/compare?${query}`);
  const asked = await rowsOf(page);
  await expect(page.getByRole("columnheader", { name: "<i>NAS</i>" })).toBeVisible();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Title").fill("Cable or network");
  await page.getByRole("button", { name: "Save and copy link" }).click();
  const link = page.getByRole("status").getByRole("link");
  await expect(link).toHaveText(/\/c\/\w+$/);
  const path = new URL((await link.textContent()) ?? "").pathname;

  const other = await browser.newContext();
  const guest = await other.newPage();
  await guest.goto(path);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("Cable or network");
  await expect(guest.getByText("Live figures are the same.")).toBeVisible();
  await expect(guest.getByRole("button", { name: "Pause" })).toHaveCount(0);
  expect(await rowsOf(guest)).toEqual(asked);
  await guest.getByText("Cite or embed").click();
  await expect(guest.getByRole("region", { name: "Markdown" })).toContainText("Cable or network");
  await expect(guest.getByRole("region", { name: "Embed code" })).toContainText(`/embed${path}`);

  // The machine's value was 483 µs; the median with a second run of 386.4 is 10% less.
  await store(baseURL, { link: "cable" }, 3.864e-4);
  await guest.reload();
  await expect(guest.getByText("Data has changed since: 1 group, by −10\u2009%.")).toBeVisible();
  expect(await rowsOf(guest)).toEqual(asked);
  await guest.getByRole("link", { name: "Side by side" }).click();
  const row = guest.getByRole("row", { name: /cable.*−10/ });
  await expect(row).toContainText("483");
  await expect(row).toContainText("435");
  await guest.getByRole("link", { name: "Live", exact: true }).click();
  await guest.getByRole("link", { name: "Explore live" }).click();
  await expect(guest).toHaveURL(/\/compare\?.*side=2:label:link:network/);

  await page.goto(path);
  await page.getByRole("button", { name: "Pause" }).click();
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible();
  await guest.goto(path);
  await expect(guest.getByText("This comparison is paused")).toBeVisible();
  await page.getByRole("link", { name: "All my links" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Cable or network" })).toContainText(
    "Paused",
  );
  await other.close();
});

test("my links are listed, managed, exported and imported elsewhere", async ({ page, browser }) => {
  const path = await save(page, "One of mine");
  await page.getByRole("navigation", { name: "More pages" }).getByText("My links").click();
  const mine = page.getByRole("listitem").filter({ hasText: "One of mine" });
  await expect(mine).toContainText("Live figures are the same.");
  await mine.getByRole("button", { name: "Pause" }).click();
  await expect(mine).toContainText("Paused");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Export/ }).click(),
  ]);

  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await elsewhere.goto("/links");
  await expect(elsewhere.getByText("No saved comparisons in this browser")).toBeVisible();
  await elsewhere.getByLabel("Import").setInputFiles({
    name: "wrong.json",
    mimeType: "application/json",
    buffer: Buffer.from("{}"),
  });
  await expect(elsewhere.getByRole("status").first()).toContainText("not a list of links");
  await elsewhere.getByLabel("Import").setInputFiles(await download.path());
  await expect(elsewhere.getByRole("status").first()).toHaveText("1 link added.");
  const moved = elsewhere.getByRole("listitem").filter({ hasText: "One of mine" });
  await moved.getByRole("button", { name: "Resume" }).click();
  await expect(moved).toContainText("Pause");
  await moved.getByRole("button", { name: "Revoke", exact: true }).click();
  await moved.getByRole("button", { name: "Revoke permanently" }).click();
  await expect(moved).toContainText("Revoked ·");
  await moved.getByRole("button", { name: "Remove from this list" }).click();
  await expect(elsewhere.getByText("No saved comparisons in this browser")).toBeVisible();
  await page.goto(path);
  await expect(page.getByText("This comparison was revoked")).toBeVisible();
  await other.close();
});

test("an unfinished comparison has no way to itself above its title", async ({ page }) => {
  await go(page, "/compare?side=1:storage:usb4&metric=disk.write_average");
  await expect(page.getByText("A comparison needs two sides")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Compare");
  const main = page.getByRole("main");
  await expect(main.getByRole("link", { name: "Compare", exact: true })).toHaveCount(0);
});

test("a bare address compares like machines, whatever encrypts them", async ({ page }) => {
  const asked = page.waitForRequest((one) => one.url().includes("/api/v1/compare?"));
  await page.goto("/compare");
  const { searchParams } = new URL((await asked).url());
  expect(searchParams.getAll("side")).toHaveLength(3);
  expect(searchParams.getAll("where").join()).not.toContain("encryption:");
});

test("a link says what it hides, and what is computed differently since", async ({ page }) => {
  const { narrowed, redefined } = savedLinks();
  await go(page, `/c/${narrowed}`);
  const hidden = page.getByText("1 figure is hidden because a fleet is no longer public.");
  await expect(hidden).toBeVisible();
  await expect(page.getByText("Figures unchanged; other runs are behind them.")).toBeVisible();
  expect(JSON.stringify(await linesOf(page))).not.toContain("sd_card");
  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Side by side" }).click();
  const live = page.getByRole("row").filter({ hasText: "SD card" });
  await expect(live).toContainText("live only");

  await go(page, `/c/${redefined}`);
  await expect(
    page.getByText(
      "Computed differently since: Results with values too small to be measured are left out.",
    ),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("a link to nothing says so", async ({ page }) => {
  await page.goto("/c/doesnotexist");
  await expect(page.getByRole("alert")).toContainText("Not found");
  await page.goto("/nowhere");
  await expect(page.getByText("Page not found")).toBeVisible();
});
