import { expect } from "@playwright/test";
import { demoAddress } from "./demo";
import { linesOf } from "./figures";
import { stored } from "./runs";
import { fresh, go, test } from "./samePage";
import { settled } from "./settled";

interface Answer {
  figure: { charts: { cases?: { lanes: object[] }[] }[] };
}

const TITLE = "Find out whether your Mac is as fast as it should be";

/** What the overview may ask: the metric of its bars, and the address that its finding opens. */
const QUESTIONS: Record<string, readonly [metric: string, path: RegExp]> = {
  "How fast is each kind of storage?": ["disk.write_average", /\/storage/],
  "What does encryption cost an external drive?": ["disk.write_average", /\/storage.*relative/],
  "How well do threads scale?": ["compression.duration", /\/threads/],
  "How fast do cores run together?": ["cores.frequency", /\/power/],
};

test("the overview counts what there is, and its findings lead to their views", async ({
  page,
}) => {
  stored();
  await go(page, "/");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText(TITLE);
  const facets = (await (await page.request.get("/api/v1/facets?flagged=include")).json()) as {
    dimensions: { name: string; values: { value: string; runs: number }[] }[];
  };
  const sources = facets.dimensions.find(({ name }) => name === "source")?.values ?? [];
  const published = sources.find(({ value }) => value === "published")?.runs ?? 0;
  await expect(page.getByRole("link", { name: /published runs$/ })).toContainText(
    String(published),
  );
  // Each bar's digits are in the table of the view that its heading opens.
  await settled(page);
  const titles = await page.locator("caption").allInnerTexts();
  expect(titles).toHaveLength(3);
  for (const title of titles) {
    const [metric, path] = QUESTIONS[title] ?? ["", /never/];
    const table = page.getByRole("table", { name: title });
    const bars = table.locator("td:nth-child(2)");
    await expect(bars.first()).toBeVisible();
    const texts = await bars.allInnerTexts();
    await page
      .locator("section")
      .filter({ has: table })
      .getByRole("heading")
      .getByRole("link")
      .click();
    await expect(page).toHaveURL(path);
    await expect(heading).not.toHaveText(TITLE);
    await settled(page);
    await page.getByRole("table").waitFor();
    const values = (await linesOf(page))
      .filter((line) => line.metric === metric)
      .map(({ cells }) => /[\d.,]+/.exec(cells.value ?? "")?.[0]);
    for (const text of texts) {
      expect(values).toContain(/[\d.,]+/.exec(text.replace(/\s(?=\d{3})/g, ""))?.[0]);
    }
    await page.goBack();
    await expect(heading).toHaveText(TITLE);
  }
});

test("a count of the overview is that of the list it opens", async ({ page }) => {
  const demo = await demoAddress();
  for (const [counted, listed] of [
    ["measured runs", "runs"],
    ["Macs", "Macs"],
    ["chips", "chips"],
    ["published runs", "runs"],
    ["articles", "articles"],
  ] as const) {
    await go(page, demo);
    const link = page.getByRole("link", { name: new RegExp(`^[\\d,]+ ${counted}$`) });
    const number = /[\d,]+/.exec(await link.innerText())?.[0];
    await link.click();
    await expect(page.locator("main")).toContainText(`${number} ${listed}`);
  }
});

fresh("nothing on the overview moves as its figures arrive", async ({ page }) => {
  fresh.setTimeout(600_000);
  const demo = await demoAddress();
  await page.addInitScript(() => {
    const moved: string[] = [];
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        sources: { node?: Node }[];
      })[])
        moved.push(...entry.sources.map(({ node }) => node?.textContent ?? ""));
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const address of [demo, "/"]) {
    await page.goto(address);
    await settled(page);
    const moved = await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
    expect(moved, address).toEqual([]);
  }
});

test("on a phone each article's figure has its track, and the number of Macs", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // As if articles reported every figure.
  await page.route("**/api/v1/answer?**", async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as Answer;
    for (const { cases } of answer.figure.charts)
      for (const { lanes } of cases ?? [])
        lanes.push(...lanes.map((lane) => ({ ...lane, hollow: true })));
    await route.fulfill({ response, json: answer });
  });
  await go(page, await demoAddress());
  await settled(page);
  const rows = page
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: "The article" }) });
  await expect(rows.first()).toContainText(/\d+ Macs/);
  const track = await rows.first().getByRole("cell").first().boundingBox();
  expect(track?.width).toBeGreaterThan(300);
});

test("a Mac is looked up by its model, its identifier or its chip", async ({ page }) => {
  const demo = await demoAddress();
  for (const [typed, path] of [
    ["M4 Pro", "/chips/m4-pro"],
    ["Mac16,11", "/models/mac-mini-m4-pro"],
    ["no such thing", "/machines?q=no+such+thing"],
  ] as const) {
    await go(page, demo);
    await page.getByRole("searchbox", { name: /^Your Mac/ }).fill(typed);
    await page.getByRole("button", { name: "Look up" }).click();
    await expect(page).toHaveURL(demo + path);
  }
});
