import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { demoAddress } from "./demo";
import { linesOf, percentOf, type SideCell, sidesOf } from "./figures";
import { filtersOf } from "./filters";
import { test } from "./samePage";
import { settled } from "./settled";

// Readers' tasks on a demo of sixty Macs: the number of clicks from the first page, or from the
// page of one Mac. The page itself counts clicks; typing doesn't count.

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

let counting: Awaited<ReturnType<Page["addInitScript"]>> | undefined;
test.afterEach(async ({ page }, { title }) => {
  await counting?.dispose();
  const { SHOTS: folder } = process.env;
  if (!folder) return;
  // What a reader has at the end, for a look at it.
  await settled(page);
  console.log(`${await clicks(page)} clicks: ${title}`);
  await page.screenshot({
    path: join(folder, `${title.replaceAll(/\W+/g, "-")}.png`),
    fullPage: true,
  });
});

/** Open this address of the demo in a page that counts clicks. */
async function opened(page: Page, path = "/"): Promise<void> {
  counting = await page.addInitScript(() => {
    addEventListener(
      "pointerdown",
      ({ isTrusted }) => {
        if (!isTrusted) return;
        sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1));
      },
      { capture: true },
    );
  });
  await page.goto(demo + path);
  await settled(page);
}

const clicks = async (page: Page) =>
  Number(await page.evaluate(() => sessionStorage.getItem("clicks")));

const topic = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: /^Views of/ }).getByRole("link", { name, exact: true });

/** Page of the Mac with this chip that has the most runs. */
async function macOf(page: Page, chip: string): Promise<string> {
  const answer = await page.request.get(
    `${demo}/api/v1/machines?${new URLSearchParams({ where: `chip:${chip}` })}`,
  );
  const { items } = (await answer.json()) as {
    items: { id: string; runs: number; sources: string[]; virtual: boolean }[];
  };
  const [most] = items
    .filter(({ sources, virtual }) => sources.includes("measured") && !virtual)
    .toSorted((a, b) => b.runs - a.runs);
  return `/machines/${most?.id}`;
}

async function labels(page: Page): Promise<string[]> {
  await settled(page);
  return (await linesOf(page)).map(({ key }) => JSON.stringify(key));
}

const has = (of: string[], ...parts: string[]) =>
  of.some((label) => parts.every((part) => label.includes(part)));

async function downloaded(page: Page, link: Locator): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  let text = "";
  for await (const chunk of await download.createReadStream()) text += String(chunk);
  return text;
}

test("Thunderbolt 5 against USB4, both encrypted", async ({ page }) => {
  await opened(page);
  await topic(page, "Storage").click();
  await settled(page);
  const filters = await filtersOf(page);
  await filters.getByRole("button", { name: /^Remove the filter Chip is / }).click();
  await expect
    .poll(async () => {
      const all = await labels(page);
      return ["thunderbolt5", "usb4"].map((kind) =>
        has(all, `"storage":"${kind}"`, "apfs_encrypted"),
      );
    })
    .toEqual([true, true]);
  expect(await clicks(page)).toBeLessThanOrEqual(3);
});

test("my write speed among Macs with the same chip", async ({ page }) => {
  await opened(page, await macOf(page, "Apple M4 Pro"));
  await page.getByRole("link", { name: "Compare with its chip" }).click();
  await expect(page.getByRole("columnheader", { name: /^M4 Pro.*baseline$/ })).toBeVisible();
  const mine = (await sidesOf(page)).find(
    ({ metric, column }) => metric === "disk.write_average" && column === "difference",
  );
  // A Mac with the chip is near it, and its place among them is shown.
  expect(Math.abs(percentOf(mine as SideCell))).toBeLessThan(25);
  expect(mine?.text).toMatch(/(than|middle of) (\d+ of )?\d+ Macs/);
  expect(await clicks(page)).toBeLessThanOrEqual(2);
});

test("threads of an M4 Pro against those of a VM on it", async ({ page }) => {
  await opened(page);
  await topic(page, "Threads").click();
  await expect
    .poll(async () => {
      const all = await labels(page);
      return [has(all, '"virtual":true'), has(all, '"virtual":false')];
    })
    .toEqual([true, true]);
  await expect(page.getByRole("main")).toContainText("Apple M4 Pro");
  expect(await clicks(page)).toBeLessThanOrEqual(3);
});

test("power of an E core against a P core", async ({ page }) => {
  await opened(page);
  await topic(page, "Power").click();
  await view(page, "Power of P and E cores").click();
  await expect
    .poll(async () => {
      const all = await labels(page);
      return [has(all, "Performance/high"), has(all, "Efficiency/high")];
    })
    .toEqual([true, true]);
  expect(await clicks(page)).toBeLessThanOrEqual(2);
});

test("M1 against M4 on everything", async ({ page }) => {
  await opened(page);
  await topic(page, "Compare").click();
  await page.getByRole("link", { name: "Apple M1 vs. Apple M4" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(
    /^M4 writes\s\d+\s% faster than M1, and its cores run\s\d+\s% faster$/,
  );
  const compared = (await sidesOf(page)).filter(({ text }) => /^[+\u2212]\d/.test(text));
  const areas = new Set(compared.map(({ metric }) => metric.split(".")[0]));
  expect([...areas]).toEqual(
    expect.arrayContaining(["compression", "cores", "disk", "hash", "power"]),
  );
  expect(await clicks(page)).toBeLessThanOrEqual(3);
});

test("a link that opens signed out, and what embeds it", async ({ page, browser, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await opened(page);
  await topic(page, "Storage").click();
  await settled(page);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Save and copy link" }).click();
  const address = (await page.getByRole("status").getByRole("link").textContent()) ?? "";
  await expect.poll(copied).toBe(address);
  expect(await clicks(page)).toBeLessThanOrEqual(3);
  await page.getByRole("button", { name: "Copy embed code" }).click();
  await expect.poll(copied).toContain(`/embed${new URL(address).pathname}`);
  expect(await clicks(page)).toBeLessThanOrEqual(4);
  const stranger = await browser.newContext();
  const shared = await stranger.newPage();
  await shared.goto(address);
  await expect(shared.getByRole("figure").first()).toBeVisible();
  await stranger.close();
});

test("the runs behind a point", async ({ page }) => {
  await opened(page, "/threads");
  const before = await clicks(page);
  await page
    .getByRole("group", { name: /^Chart: / })
    .getByRole("link", { name: /Show runs$/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/runs[/?]/);
  expect((await clicks(page)) - before).toBeLessThanOrEqual(1);
});

test("the figures as CSV", async ({ page }) => {
  await opened(page, "/storage");
  const csv = await downloaded(page, page.getByRole("link", { name: "Figures as CSV" }));
  expect(csv.split("\n").length).toBeGreaterThan(10);
  expect(await clicks(page)).toBeLessThanOrEqual(1);
});

test("formats of disk images", async ({ page }) => {
  await opened(page);
  await topic(page, "Storage").click();
  await view(page, "Images by macOS").click();
  await expect
    .poll(async () => {
      const all = await labels(page);
      return ["asif", "sparsebundle"].map((format) => has(all, format));
    })
    .toEqual([true, true]);
  expect(await clicks(page)).toBeLessThanOrEqual(2);
});

test("one Mac over its updates of macOS", async ({ page }) => {
  await opened(page, await macOf(page, "Apple M4 Pro"));
  await expect(page.getByRole("group", { name: /over time/ }).first()).toBeVisible();
  await expect(page.getByText(/macOS 26\.\d/).first()).toBeVisible();
  expect(await clicks(page)).toBeLessThanOrEqual(2);
});

test("a Mac by the name of its model", async ({ page }) => {
  await opened(page);
  await page.keyboard.press("/");
  await expect(page.getByRole("combobox", { name: /^Search pages/ })).toBeFocused();
  await page.keyboard.type("Mac16,11");
  await expect(page.getByRole("dialog").getByRole("option").first()).toContainText("Mac mini");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Mac mini, M4 Pro$/);
  await settled(page);
  expect(await clicks(page)).toBeLessThanOrEqual(0);
});

test("whether an SSD is normal, from one quick run", async ({ page }) => {
  await opened(page);
  await page
    .getByRole("link", { name: /measured runs$/ })
    .first()
    .click();
  await settled(page);
  await page
    .getByRole("row", { name: /Apple M[14] .*quick test/ })
    .first()
    .getByRole("link")
    .click();
  const rank = page.getByRole("region", { name: "Rank" });
  // With fewer Macs of its kind, it says how many there are.
  await expect(rank).toContainText(
    /internal SSD writes [\d.]+\sGB\/s with files of [^:.]+(: faster|: slower|\. No perc)/,
  );
  await settled(page);
  expect(await clicks(page)).toBeLessThanOrEqual(2);
});

for (const [from, asked, metric, by, path] of [
  ["Storage", "flush by device", "disk.write_flushed_average", "device", "/storage"],
  ["Storage", "core freq by chip", "cores.frequency", "chip", "/power"],
  ["Cores", "write speed by file size by encr", "disk.write_speed", "encryption", "/storage"],
  // The fastest drive on each link.
  ["Storage", "write speed by storage by device", "disk.write_average", "device", "/storage"],
] as const) {
  test(`any metric by any dimension: ${asked}`, async ({ page }) => {
    await opened(page);
    await topic(page, from).click();
    await settled(page);
    await page
      .getByRole("group", { name: "Question" })
      .getByRole("button", { name: /^Metric/ })
      .click();
    await page.keyboard.type(asked);
    const found = page.getByRole("group", { name: "Metric by group" }).getByRole("option");
    await found.first().click();
    await expect(page).toHaveURL(new RegExp(`${path}\\?.*by=${by}.*metric=${metric}`));
    await settled(page);
    expect((await linesOf(page)).filter(({ isGroup }) => isGroup).length).toBeGreaterThan(1);
    expect(await clicks(page)).toBeLessThanOrEqual(3);
  });
}
