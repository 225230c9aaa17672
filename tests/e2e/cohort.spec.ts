import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import type { components } from "../../frontend/src/api/schema";
import { percentOf, type SideCell, sidesOf } from "./figures";
import { freshTokens, latencyRun, put } from "./runs";
import { go, test } from "./samePage";

type Compared = components["schemas"]["Compared"];
type Percentile = components["schemas"]["Percentile"];

const DAY = 86_400_000;
const LABELS = { cohort: "e2e" };
const MINE = "where=label:cohort:e2e";
const COMPARE = `/compare?metric=disk.latency%40test:read%201&side=1:chip:Apple%20M1&side=2:chip:Apple%20M4&${MINE}`;

const NONE: SideCell = { metric: "", lane: "", column: "", text: "" };

/** The machine that has measured for months, and its last run. */
let followed = "";
let last = "";

// Six Macs of each of two chips; one of them is followed over an update of macOS.
test.beforeAll(async ({ baseURL }, { config }) => {
  const { dataDir } = config.metadata as { dataDir?: string };
  test.skip(!dataDir, "stores runs: needs a server of its own");
  const tokens = await freshTokens(dataDir ?? "", 12);
  const store = async (
    token: string,
    told: { machine: string; chip: string; os: string; started: Date },
    median: number,
  ) => {
    const run = latencyRun({ ...told, labels: LABELS }, [0.98 * median, median, 1.02 * median]);
    await put(baseURL ?? "", token, run.id, JSON.stringify(run));
    return run.id;
  };
  for (const [place, token] of tokens.entries()) {
    const chip = place < 6 ? "Apple M1" : "Apple M4";
    const machine = randomUUID();
    const level = (place < 6 ? 2e-4 : 1e-4) * (1 + (place % 6) / 50);
    if (place < 11) {
      const started = new Date(Date.now() - DAY);
      await store(token, { machine, chip, os: "26.4", started }, level);
      continue;
    }
    followed = machine;
    for (let run = 0; run < 16; run++) {
      const os = run < 8 ? "26.3" : "26.4";
      const started = new Date(Date.now() - (16 - run) * 12 * DAY);
      const factor = (run < 8 ? 1 : 1.25) * (1 + (run % 3) / 100);
      last = await store(token, { machine, chip, os, started }, level * factor);
    }
  }
});

test("sides are compared: difference, verdict, interval, and what else differs", async ({
  page,
  request,
}) => {
  await go(page, COMPARE);
  const cells = await sidesOf(page);
  const query = new URL(page.url()).search;
  const found = (await (await request.get(`/api/v1/compare${query}`)).json()) as Compared;
  const cell = found.rows[0]?.cells[1];
  const ratio = cell && "ratio" in cell ? cell.ratio : undefined;
  expect(ratio?.verdict.answer).toBe("different");
  const told = cells.find(({ lane, column }) => lane === "0.2" && column === "difference");
  expect(Math.abs(percentOf(told ?? NONE) - 100 * ((ratio?.value ?? 0) - 1))).toBeLessThan(0.51);
  expect(told?.text).toContain("M4 faster. Every M4 beats every M1.");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/latency.*than on M1|M4.*M1/);
  await expect(page.getByText(/^Sides also differ in macOS version/)).toBeVisible();
  // Its mark tells the interval, and leads to its runs.
  await page.locator("td[data-lane='0.2'] [data-reached]").last().focus();
  const tip = page.getByRole("tooltip", { includeHidden: true });
  await expect(tip).toContainText(/95% interval.* to .*%/);
  await expect(tip).toContainText("macOS version: 26.3 or 26.4 vs. 26.4");

  await page.getByRole("button", { name: "Export" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Figures as CSV" }).click(),
  ]);
  const csv = await (await request.get(download.url())).text();
  expect(csv).toContain(String(ratio?.value));
});

test("a comparison is made by clicking, and its address opens it again", async ({ page }) => {
  await go(
    page,
    "/storage?by=storage&metric=disk.read_average&metric=disk.write_average&where=source:published",
  );
  await page.getByRole("button", { name: "Compare rows" }).click();
  const panel = page.getByRole("region", { name: "Compare rows" });
  await panel.getByRole("checkbox", { name: "Thunderbolt 5" }).check();
  await panel.getByRole("checkbox", { name: "USB4" }).check();
  await panel.getByRole("link", { name: "Compare these 2" }).click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("How does USB4 compare with Thunderbolt\u00A05?");

  // A third side, which differs by a chosen filter.
  await page.getByRole("button", { name: "Add a side" }).click();
  await page.getByRole("button", { name: "Add a filter to side 3" }).click();
  await page.getByLabel("Filter side 3 by").selectOption({ label: "Storage" });
  await page.getByLabel("Value for side 3").selectOption({ value: "internal" });
  await page.getByRole("button", { name: "Add to side 3" }).click();
  await page.getByRole("radio", { name: "Internal SSD" }).click();
  await expect(heading).toHaveText(
    "How do Thunderbolt\u00A05 and USB4 compare with the internal SSD?",
  );
  const told = await sidesOf(page);
  await page.getByText(/^\d+ more cautions?$/).click();
  await expect(page.getByText(/^Sides also differ in .*encryption/)).toBeVisible();
  // Rows with results on one side only are folded until pressed.
  const alone = "The baseline has no result in this row";
  expect(JSON.stringify(told)).not.toContain(alone);
  await page.goto(page.url());
  expect(await sidesOf(page)).toEqual(told);
  await page.getByRole("button", { name: /^Show \d+ more figures/ }).click();
  await expect(page.getByRole("table")).toContainText(alone);

  await page.getByRole("button", { name: "Export" }).click();
  const [picture] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "SVG" }).click(),
  ]);
  const drawn = readFileSync(await picture.path(), "utf8");
  for (const text of ["relative to Internal SSD", "Not drawn: "]) {
    expect(drawn).toContain(text);
  }

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Edit sides" }).click();
  await page.getByRole("button", { name: /^Remove side 1/ }).click();
  await expect(heading).toHaveText("How does USB4 compare with the internal SSD?");
  await go(
    page,
    "/compare?metric=disk.write_average&side=1:storage:usb4&where=storage:internal&side=2:",
  );
  await expect(page.getByRole("alert")).toContainText("Remove one of the two");
});

test("a machine is found, and followed over an update of macOS", async ({ page }) => {
  await go(page, "/");
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Macs", exact: true })
    .click();
  await page.getByRole("searchbox", { name: /^Name, chip/ }).fill(followed.slice(0, 8));
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 Mac, ")).toBeVisible();
  await page.getByRole("region", { name: "Macs" }).getByRole("link").first().click();
  await expect(page).toHaveURL(new RegExp(`/machines/${followed}$`));
  await expect(page.getByText("16 runs, ")).toBeVisible();
  const plot = page.getByRole("group", { name: /over time/ });
  await expect(plot).toContainText("macOS 26.4");
  await expect(plot).toContainText(/\+2\d\s%/);
  await page.getByText("16 runs as a table").click();
  const table = page.getByRole("region", { name: "Results over time" });
  await expect(table.getByRole("row")).toHaveCount(1 + 16);
  await expect(table).toContainText(/new level, .* macOS 26\.3 to 26\.4/);
  const [figures] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Figures as CSV" }).click(),
  ]);
  const lines = readFileSync(await figures.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines).toHaveLength(1 + 16);
  expect(lines.filter((line) => !line.endsWith(","))).toHaveLength(1 + 1);
  await plot.focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("tooltip", { includeHidden: true })).toContainText(/macOS 26\./);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs\//);
});

test("a run has a percentile among similar Macs, or the page says that they are too few", async ({
  page,
  request,
}) => {
  await go(page, `/runs/${last}`);
  const place = page.getByRole("region", { name: "Compared with similar Macs" });
  await expect(place).toContainText("Only 5 similar Macs so far; a percentile needs 10.");
  await place.getByText("Change", { exact: true }).click();
  await place.getByRole("checkbox", { name: /^chip/ }).click();
  await expect(page).toHaveURL(/like=/);
  await expect(place).toContainText(/(Faster|Slower) than (\d+\s% of|all) 1\d other Macs/);
  // With the page's own filters. Other tests upload similar Macs meanwhile.
  const asJson = place.getByRole("link", { name: "Percentile as JSON" });
  await expect(async () => {
    await page.reload();
    const address = (await asJson.getAttribute("href")) ?? "";
    const found = (await (await request.get(address)).json()) as Percentile;
    const share = Math.round((100 * (found.place?.better_than ?? 0)) / found.machines);
    await expect(place).toContainText(new RegExp(`${share}\\s% of ${found.machines} other`), {
      timeout: 2_000,
    });
  }).toPass();
  await page.getByRole("link", { name: "This Mac over time" }).click();
  await expect(page).toHaveURL(new RegExp(`/machines/${followed}`));
});
