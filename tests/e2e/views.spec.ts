import { expect, type Page } from "@playwright/test";
import { exportsOf } from "./filters";
import { THOROUGH } from "./crawling";
import type { Answer } from "../../frontend/src/api/types";
import { eachPrinted, type Line, linesOf, linesOfGroup, shows } from "./figures";
import { put, stored, sustainedRun } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

// Possible divisors of a column: three decimal orders each way, and hertz or bytes in millions.
const DIVISORS = [1e9, 1e6, 1e3, 1, 1e-3, 1e-6];

/** Return whether a line's digits are the figure, in its column's unit; a ratio's, as difference. */
function tells(line: Line | undefined, value: number): boolean {
  const text = (line?.cells.value ?? "").replaceAll(/[\s,]/g, "");
  const [, sign, least, digits] = /^[a-z]*([+\u2212]?)(<?)([\d.]+)/i.exec(text) ?? [];
  if (digits === undefined || (sign === "\u2212" ? value > 0 : sign && value < 0)) return false;
  const size = Math.abs(value);
  if (least) return size < Number(digits);
  return DIVISORS.some((divisor) => shows(digits, size / divisor));
}

async function tabled(page: Page): Promise<void> {
  await settled(page);
  await page.getByRole("table").first().waitFor();
}

/** Check that every group of the answer is in the table with its figure and number of runs. */
async function agrees(page: Page): Promise<Line[]> {
  const query = new URL(page.url()).searchParams;
  query.delete("sort");
  const asked = query.toString();
  const answer = (await (await page.request.get(`/api/v1/answer?${asked}`)).json()) as Answer;
  const lines = await linesOf(page);
  const relative = answer.question.relative_to;
  let shown = 0;
  for (const { metric, groups } of answer.results) {
    for (const group of groups.flatMap(eachPrinted)) {
      const isReference = relative.every(
        ({ dimension, value }) => String(group.key[dimension]) === String(value),
      );
      if (relative.length > 0 && (isReference || !group.ratio)) continue;
      shown++;
      const value = group.ratio ? (group.ratio.value - 1) * 100 : group.median;
      const line = linesOfGroup(lines, metric, group).find((one) => tells(one, value));
      expect(line, `${value} of ${JSON.stringify(group.key)}`).toBeDefined();
      expect(line?.cells.runs).toBe(String(group.runs));
    }
  }
  expect(lines.filter(({ isGroup }) => isGroup)).toHaveLength(shown);
  const exports = await exportsOf(page);
  const href = await exports.getByRole("link", { name: "Figures as CSV" }).getAttribute("href");
  const csv = await (await page.request.get(href ?? "")).text();
  const groups = answer.results.flatMap((result) => result.groups.flatMap(eachPrinted));
  expect(csv.split("\n").filter((record) => record.startsWith("result,"))).toHaveLength(
    groups.length,
  );
  for (const [name, type] of [
    ["SQL", "application/sql"],
    ["PNG", "image/png"],
    ["SVG", "image/svg+xml"],
  ] as const) {
    const picture = await exports.getByRole("link", { name, exact: true }).getAttribute("href");
    const response = await page.request.get(picture ?? "");
    expect(response.headers()["content-type"]).toContain(type);
  }
  await page.keyboard.press("Escape");
  return lines;
}

const viewsOf = (page: Page) => page.locator(`nav[aria-label^="Views of"] a[href*="view="]`);

/** Lines of the clicked view, once it has replaced the last one. */
async function agreed(page: Page): Promise<Line[]> {
  let lines: Line[] = [];
  await expect(async () => {
    await tabled(page);
    lines = await agrees(page);
  }).toPass({ timeout: 60_000 });
  return lines;
}

// One topic in every run; the others in the long form.
for (const [topic, least] of [
  ["Storage", 7],
  ["Threads", 4],
  ["Cores", 6],
  ["Power", 10],
] as const) {
  const most = topic === "Storage" ? "" : " @thorough";
  test(`every view of ${topic} is clicked to, agrees with the API and opens again${most}`, async ({
    page,
    context,
    baseURL,
  }) => {
    test.slow();
    const { machine, token } = stored();
    if (topic === "Storage") {
      const run = sustainedRun({ machine, labels: {}, started: new Date(Date.now() - 3_600_000) });
      await put(baseURL ?? "", token, run.id, JSON.stringify(run));
    }
    await go(page, "/");
    await page
      .getByRole("navigation", { name: "Pages" })
      .getByRole("link", { name: topic })
      .click();
    const views = viewsOf(page);
    const other = await context.newPage();
    await expect(views.first()).toBeVisible();
    const tops = await views.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    // Views of one subject are a row below its tab.
    expect(new Set(tops).size).toBeLessThanOrEqual(2);
    const seen = new Set<string>();
    const next = async () => (await views.allTextContents()).findLast((name) => !seen.has(name));
    for (let name = await next(); name !== undefined; name = await next()) {
      seen.add(name);
      await views.filter({ hasText: new RegExp(`^${name.replace(/[()]/g, ".")}$`) }).click();
      const current = views.and(page.locator("[aria-current]"));
      await expect(current.filter({ hasText: name }).first()).toBeVisible();
      const before = await agreed(page);
      if (!THOROUGH && seen.size % 3 !== 1) continue;
      // Another reader, who has only the address.
      await go(other, page.url());
      await tabled(other);
      expect(await linesOf(other)).toEqual(before);
      const opened = viewsOf(other).and(other.locator("[aria-current]")).last();
      await expect(opened).toHaveText((await current.last().textContent()) ?? "");
    }
    expect(seen.size).toBeGreaterThanOrEqual(least);
  });
}

test("a topic's only view agrees with the API, and needs no link", async ({ page }) => {
  stored();
  await go(page, "/workloads");
  await agreed(page);
  await expect(viewsOf(page)).toHaveCount(0);
});

test("a page that is left while it opens calls nobody back", async ({ page }) => {
  stored();
  const { promise: opened, resolve: proceed } = Promise.withResolvers<void>();
  // The next page's script loads when this one has everything that it waited for.
  await page.route("**/assets/ResidencyRoute-*.js", async (route) => {
    await opened;
    await route.continue();
  });
  await page.route("**/api/v1/answer?*", async (route) => {
    await expect(page).toHaveURL(/residency/);
    await route.continue();
  });
  const answer = page.waitForResponse("**/api/v1/answer?*");
  await page.goto("/power");
  await page.getByRole("link", { name: "Frequency by residency" }).click();
  await (await answer).finished();
  await page.evaluate(() => new Promise((drawn) => setTimeout(drawn, 500)));
  proceed();
  await expect(page.getByRole("figure", { name: "Frequency by active residency" })).toBeVisible();
});

test("a workload's durations are split by a label, and run by run", async ({ page }) => {
  stored();
  await go(page, "/workloads");
  // One machine's consecutive runs are alike: twelve allow no interval.
  await expect(page.getByText(/For a single Mac, a confidence interval needs 25 runs/)).toHaveCount(
    1,
  );
  await expect(page.getByRole("table").first()).not.toContainText("within this Mac");
  await page.getByRole("navigation", { name: "By label" }).getByText("by iops").click();
  await expect(page).toHaveURL(/by=label:iops/);
  expect((await agreed(page)).map(({ key }) => key["label:iops"])).toEqual(
    expect.arrayContaining(["3000", "12000"]),
  );
  const figure = page.getByRole("figure", { name: "build, run by run" });
  // 412 to 417 seconds before, 274 to 279 after.
  await expect(figure.locator('li[data-configuration="iops: 3000"]')).toContainText(
    /p50 41[45]\s?s, p90 41[67]\s?s, 6 runs/,
  );
  await expect(figure.locator('li[data-configuration="iops: 12000"]')).toContainText("6 runs");
  await expect(figure.locator("tr[data-run]")).toHaveCount(12);
  await figure.locator("tr[data-run] a").first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Workload on Mac mini/);
});

test("on paper there are the figure, its table and its sources, ink on white", async ({ page }) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto("/storage");
  await settled(page);
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("group", { name: /^Chart/ })).toBeVisible();
  await expect(page.locator("#source-1")).toBeVisible();
  const paper = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(paper).toBe("rgb(255, 255, 255)");
});
