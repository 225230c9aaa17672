import { expect } from "@playwright/test";
import { filtersOf } from "./filters";
import type { Answer } from "../../frontend/src/api/types";
import { eachPrinted, linesOf, linesOfGroup, shows, unitOf } from "./figures";
import { latencyRun, put, stored } from "./runs";
import { go, test } from "./samePage";

const V1 =
  "/storage?by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average";

test("published figures are shown as printed", async ({ page }) => {
  // With a reader's own filter, a page fixes nothing by itself.
  await go(page, `${V1}&where=source:published`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Read and write speed by storage, image format and encryption",
  );
  await page.getByRole("table").waitFor();
  const lines = await linesOf(page);
  const printed = (metric: string, key: Record<string, unknown>) =>
    lines.find(
      (line) =>
        line.metric === metric &&
        line.published &&
        Object.entries(key).every(([name, value]) => line.key[name] === value),
    )?.cells.value;
  const internal = { storage: "internal", encryption: "filevault" };
  expect(printed("disk.read_average", internal)).toBe("6.57");
  expect(printed("disk.write_average", internal)).toBe("7.66");
  const asif = { image_format: "asif", encryption: "image_aes256" };
  expect(printed("disk.read_average", asif)).toBe("2.85");
  expect(printed("disk.write_average", asif)).toBe("1.76");
  const tb5 = { storage: "thunderbolt5", encryption: "none" };
  expect(printed("disk.write_average", tb5)).toBe("5.3");
  expect(printed("disk.write_average", { ...tb5, encryption: "apfs_encrypted" })).toBe("4.7");
  // The chart draws the same digits, and its daggers link to the article.
  const chart = page.getByRole("group", { name: /^Chart/ });
  await expect(chart).toContainText("7.66†");
  await expect(chart).toContainText("97");
  await page
    .getByRole("link", { name: /Published, source/ })
    .first()
    .click();
  await expect(page).toHaveURL(/#source-1$/);
  await expect(page.locator("#source-1")).toContainText("Howard Oakley");
});

test("a printed ratio stays a ratio: 97 % and never a speed", async ({ page }) => {
  await go(page, `${V1}&where=storage:usb4&where=encryption:apfs_encrypted&where=source:published`);
  await page.getByRole("table").waitFor();
  const written = (await linesOf(page)).filter((line) => line.metric === "disk.write_average");
  expect(written).toHaveLength(1);
  expect(written[0]?.isGroup).toBe(false);
  expect(written[0]?.cells.value).toMatch(/^97\s?%\s+of not encrypted$/);
});

test("the table shows the API's numbers, and the CSV the table's lines", async ({
  page,
  request,
}) => {
  await go(page, V1);
  await page.getByRole("table").waitFor();
  const lines = await linesOf(page);
  const query = new URL(page.url()).search;
  const answer = (await (await request.get(`/api/v1/answer${query}`)).json()) as Answer;
  let groups = 0;
  for (const result of answer.results) {
    for (const group of result.groups.flatMap(eachPrinted)) {
      groups++;
      const line = linesOfGroup(lines, result.metric, group).find(({ cells }) => {
        const { digits, divisor } = unitOf(cells.value ?? "", "GB/s");
        return shows(digits, group.median / divisor);
      });
      expect(line, `${group.median} of ${JSON.stringify(group.key)}`).toBeDefined();
      const { digits, divisor } = unitOf(line?.cells.value ?? "", "GB/s");
      if (group.printed?.length === 1) {
        expect(`${digits} ${divisor === 1e9 ? "GB/s" : "MB/s"}`).toBe(group.printed[0]);
      }
      expect(line?.cells.runs).toBe(String(group.runs));
      if (group.machines > 0) expect(line?.cells.machines).toBe(String(group.machines));
    }
  }
  expect(lines.filter((line) => line.isGroup)).toHaveLength(groups);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Figures as CSV" }).click(),
  ]);
  const stream = await download.createReadStream();
  let csv = "";
  for await (const part of stream) csv += String(part);
  const records = csv.trim().split("\n").slice(1);
  expect(records).toHaveLength(lines.length);
  const averages = records.filter((record) => record.startsWith("result,"));
  for (const group of answer.results.flatMap((result) => result.groups)) {
    expect(averages.some((record) => record.includes(`,${group.method},`))).toBe(true);
  }
});

test("facets narrow the question, chips turn and remove it, the address follows", async ({
  page,
}) => {
  await go(page, V1);
  const filters = await filtersOf(page);
  await filters.getByRole("checkbox", { name: /^Thunderbolt 5/ }).click();
  await expect(page).toHaveURL(/where=storage:thunderbolt5/);
  await expect(page.getByRole("rowgroup").getByText("USB4")).toHaveCount(0);
  const chips = page.getByRole("list", { name: "Filters in force" });
  await chips.getByRole("button", { name: /exclude it instead/ }).click();
  await expect(page).toHaveURL(/where=storage!:thunderbolt5/);
  await expect(page.getByRole("rowgroup").getByText("USB4", { exact: true })).toBeVisible();
  await chips.getByRole("button", { name: /^Remove the filter/ }).click();
  await expect(page).not.toHaveURL(/where=/);
  await page.goBack();
  await expect(page).toHaveURL(/where=storage!:thunderbolt5/);
});

test("the line of presets leaves out what its view always asks", async ({ page }) => {
  const needs = ["simultaneous", "sustained-write"].map((method) => `method!:${method}`);
  needs.push("storage!:disk_image", "storage!:virtual_disk");
  await go(page, `${V1}${["chip:Apple M4 Pro", ...needs].map((one) => `&where=${one}`).join("")}`);
  const presets = page.locator("header p", { hasText: "runs" });
  await expect(presets).toHaveText(/^Apple M4 Pro · [\d,]+ runs · edit$/);
  await expect(page.getByRole("button", { name: "Filters" })).toContainText("5");
});

test("doubted runs are left out, said so, listed and counted in on request", async ({ page }) => {
  stored();
  await go(page, `${V1}&where=source:measured`);
  await expect(page.getByText(/Left out: .*may have read from the cache/)).toBeVisible();
  const before = (await linesOf(page)).length;
  await page.getByRole("button", { name: "Show them" }).click();
  const doubted = page.getByRole("region", { name: "Doubted runs" });
  await expect(doubted.getByText("may have read from the cache").first()).toBeVisible();
  await page.getByRole("button", { name: "Include", exact: true }).click();
  await expect(page).toHaveURL(/flagged=include/);
  await expect(page.getByText(/Doubted runs are counted in these figures/)).toBeVisible();
  await expect.poll(async () => (await linesOf(page)).length).toBeGreaterThan(before);
});

test("a run stored while the page is open shows on reload", async ({ page, baseURL }) => {
  const { token, machine } = stored();
  await page.goto("/storage?by=test&metric=disk.latency&where=label:reload:e2e");
  await expect(page.getByText("No runs answer this question")).toBeVisible();
  const told = { machine, labels: { reload: "e2e" }, started: new Date(Date.now() - 3_600_000) };
  const fresh = latencyRun(told, [3.1e-4, 3.57e-4, 3.6e-4]);
  await put(baseURL ?? "", token, fresh.id, JSON.stringify(fresh));
  await page.reload();
  await expect(page.getByRole("group", { name: /^Chart/ })).toContainText("357");
});

test("an address that asks nothing, and one that asks too much, say what is wrong", async ({
  page,
}) => {
  await page.goto("/storage?metric=disk.write_average&where=storage");
  await expect(page.getByRole("alert")).toContainText("is not a filter");
  await go(page, "/storage?metric=disk.write_speed&by=chip&by=model&by=storage&by=via");
  await expect(page.getByRole("alert")).toContainText("at most 3 dimensions");
  await page.getByRole("link", { name: "Start from storage: by case" }).click();
  await expect(page.getByRole("table")).toBeVisible();
});

test("the question of FileVault is asked in words and answered on its own", async ({ page }) => {
  await go(page, "/storage");
  await page.getByRole("link", { name: "Cost of encryption" }).click();
  await page.getByRole("link", { name: /Compare FileVault on and off/ }).click();
  await expect(page).toHaveURL(/relative_to=encryption:hardware/);
});

test("a click on a chart draws no frame round its plot", async ({ page }) => {
  await go(page, "/storage?by=storage&metric=disk.write_average");
  const plot = page.locator("figure .recharts-wrapper").first();
  await plot.waitFor();
  await plot.click({ position: { x: 240, y: 48 } });
  // A key press makes the focus visible.
  await page.keyboard.press("ArrowRight");
  expect(
    await page.evaluate(
      () => getComputedStyle(document.activeElement ?? document.body).outlineStyle,
    ),
  ).toBe("none");
});
