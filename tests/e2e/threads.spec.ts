import { expect, type Page, test } from "@playwright/test";
import { lineOf, linesOf, shows } from "./figures";

interface Answer {
  results: {
    metric: string;
    groups: {
      key: Record<string, unknown>;
      published: boolean;
      method: string;
      median: number;
      runs: number;
      samples: number;
    }[];
    published: unknown[];
    fits: { equation: string; r2: number }[];
  }[];
}

const ARTICLE =
  "/threads?by=threads&by=virtual&fit=power&metric=compression.duration&where=article:a004-more-threads&where=threads:1..5";

async function answerOf(page: Page): Promise<Answer> {
  const response = await page.request.get(`/api/v1/answer${new URL(page.url()).search}`);
  return (await response.json()) as Answer;
}

test("an article's own curves are a click away, with equation, range and fit", async ({ page }) => {
  await page.goto("/");
  const pages = page.getByRole("navigation", { name: "Pages" });
  await pages.getByRole("link", { name: "Threads" }).click();
  await page.getByRole("link", { name: /^Ask for one article/ }).click();
  await expect(page).toHaveURL(/where=article:a004-more-threads/);
  // To the digits that the printed times allow: the article's 49.8863/T^0.91169 and 54.737/T^0.854318.
  const curves = page.getByRole("listitem").filter({ hasText: "r²" });
  await expect(curves).toHaveCount(2);
  await expect(curves.nth(0)).toContainText(/y = 49\.88\d* x\^-0\.911\d*/);
  await expect(curves.nth(0)).toContainText("from 1 to 5");
  await expect(curves.nth(1)).toContainText(/y = 54\.737 x\^-0\.854318/);
  await expect(curves.nth(1)).toContainText("from 2 to 5");
  const alone = await curves.first().innerText();
  await page.getByRole("link", { name: "Back to all figures" }).click();
  await expect(page).not.toHaveURL(/article/);
  await expect(curves.first()).not.toHaveText(alone);
});

for (const [name, address] of [
  ["threads", ARTICLE],
  ["frequency", "/power?by=active_cores&by=tier&metric=cores.frequency"],
  ["power of each added thread", "/power?by=core_context&by=kernel&metric=power.per_added_thread"],
] as const) {
  test(`${name}: the table shows the API's figures, the CSV its lines`, async ({ page }) => {
    await page.goto(address);
    await page.getByRole("table").waitFor();
    const lines = await linesOf(page);
    const answer = await answerOf(page);
    const divisors: Record<string, number> = {
      MHz: 1e6,
      GHz: 1e9,
      mW: 1e-3,
      W: 1,
      s: 1,
      seconds: 1,
    };
    const heading = await page.getByRole("columnheader", { name: /^Median/ }).innerText();
    const column = heading.split(/\s+/).at(-1) ?? "";
    const groups = answer.results.flatMap((result) =>
      result.groups.map((group) => ({ ...group, metric: result.metric })),
    );
    for (const group of groups) {
      const line = lineOf(lines, group.metric, group);
      expect(line, JSON.stringify(group.key)).toBeDefined();
      const [, digits = "", unit] =
        /^([\d., ]+?)(?: ([A-Za-z]+))?$/.exec(line?.cells.value ?? "") ?? [];
      const value = group.median / (divisors[unit ?? column] ?? Number.NaN);
      expect(shows(digits.replaceAll(",", ""), value), `${line?.cells.value} for ${value}`).toBe(
        true,
      );
      expect(line?.cells.runs).toBe(String(group.runs));
    }
    expect(lines.filter((line) => line.isGroup)).toHaveLength(groups.length);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Figures as CSV" }).click(),
    ]);
    let csv = "";
    for await (const part of await download.createReadStream()) csv += String(part);
    const results = csv.split("\n").filter((record) => record.startsWith("result,"));
    expect(results).toHaveLength(groups.length);
  });
}

test("views of threads and power are reached by clicking and open again", async ({ page }) => {
  for (const [topic, view, heading] of [
    ["Threads", "Rate", /^Compression speed/],
    ["Threads", "Time", /^Compression time/],
    ["Power", "Power of an added thread", /^Power of each added thread/],
    ["Power", "Frequency", /^Core frequency/],
  ] as const) {
    await page.goto("/");
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByRole("link", { name: topic }).click();
    const views = page.getByRole("navigation", { name: /^Views of/ });
    await views.getByRole("link", { name: view, exact: true }).click();
    await expect(page.getByRole("heading", { level: 2 }).first()).toHaveText(heading);
    await page.getByRole("table").waitFor();
    const before = await linesOf(page);
    await page.reload();
    await page.getByRole("table").waitFor();
    expect(await linesOf(page)).toEqual(before);
    await expect(views.getByRole("link", { name: view, exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
  }
});
