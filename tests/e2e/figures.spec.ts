import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import type {
  Answer,
  Case,
  Column,
  Columns,
  Compared,
  Figure,
  Lane,
} from "../../frontend/src/api/types";
import { third } from "./crawling";
import { sidesOf } from "./figures";
import { MARK, plain } from "./marking";
import { overlaps } from "./overlaps";
import { go, test } from "./samePage";

/** Answers with the figures that describe them, to compare with pages. */
const FOLDER = join(__dirname, "../figures");
const OTHERS = new Set(["catalog.json", "views.json"]);
const NAMES = readdirSync(FOLDER).filter((name) => !OTHERS.has(name));

/** Members that are printed; the others name colours, lanes, columns and articles. */
const PRINTED = new Set([
  "title",
  "text",
  "full",
  "weight",
  "apart",
  "of",
  "label",
  "heading",
  "mixed",
  "told",
  "sentence",
  "fits",
  "level",
  "cells",
  "name",
  "nothing",
  // Of sides as columns.
  "based_on",
  "change",
  "finding",
  "lead",
  "more",
  "question",
  "under",
  "unit",
  "verdict",
]);

/** The figure with a mark after every text printed from it. */
function marked<T>(value: T, printed = false): T {
  if (typeof value === "string") return (printed && value !== "" ? `${value}${MARK}` : value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => marked(one, printed)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "key" && !Array.isArray(one) ? one : marked(one, printed || PRINTED.has(name)),
    ]),
  ) as T;
}

interface Written {
  name: string;
  answer: Answer | Compared;
  figure: Figure;
}

const read = (name: string): Written => ({
  ...(JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Omit<Written, "name">),
  name,
});

/** Open a page with the given answer instead of the server's. */
async function opened(page: Page, { name, answer, figure }: Written): Promise<void> {
  const sides = "rows" in answer;
  const path = sides ? "compare" : "answer";
  await page.route(`**/api/v1/${path}?**`, (route) =>
    route.fulfill({ json: { ...answer, figure } }),
  );
  await go(page, `/${sides ? "compare" : "storage"}?${asked(answer, name)}`);
}

let addresses = 0;

/**
 * Address of an arbitrary question, which the page has no answer for: the server isn't asked. Each
 * is different, since a shared page still caches an earlier test's figure.
 */
function asked(answer: Answer | Compared, file: string): string {
  const own = ["where", `label:figure:${file} ${++addresses}`];
  if ("rows" in answer) return `${answer.comparison.canonical}&${new URLSearchParams([own])}`;
  const { metrics, by } = answer.question;
  return new URLSearchParams([
    ...metrics.map((name) => ["metric", name]),
    ...by.map((name) => ["by", name]),
    own,
  ]).toString();
}

interface Shown {
  label: string;
  lane: string;
  cells: Record<string, string>;
}

const lanesShown = (page: Page): Promise<Shown[]> =>
  page.locator("tr[data-lane]").evaluateAll((rows) => {
    let label = "";
    return rows.map((row) => {
      label = row.querySelector("th")?.textContent ?? label;
      const cells = [...row.querySelectorAll<HTMLElement>("td[data-column]")].map((cell) => [
        cell.dataset.column ?? "",
        cell.textContent ?? "",
      ]);
      return {
        label,
        lane: (row as HTMLElement).dataset.lane ?? "",
        cells: Object.fromEntries(cells) as Record<string, string>,
      };
    });
  });

function expected(of: Case, lane: Lane, columns: readonly string[]): Shown {
  const cells = columns.map((id): [string, string] => {
    if (id === "value") return [id, `${lane.text}${lane.of ?? ""}`];
    if (id === "cited") return [id, lane.dagger ?? ""];
    if (id === "flags") return [id, (lane.flags ?? []).join(" ")];
    const text = lane.cells?.[id] ?? "";
    return [id, text || (id === "mixes" || id === "runs" ? "" : "–")];
  });
  return { label: of.label, lane: lane.id, cells: Object.fromEntries(cells) };
}

/** The columns of the table: a text that is the same in every measured row is a sentence. */
function columnsOf(columns: readonly Column[], cases: readonly Case[]): Column[] {
  const measured = cases.flatMap(({ lanes }) => lanes).filter(({ hollow }) => !hollow);
  return columns.filter(({ id, numeric }) => {
    if (id === "samples" || id === "spread") return false;
    const [first, ...others] = measured.map(({ cells }) => cells?.[id] ?? "");
    const isSame = others.length > 0 && others.every((text) => text === first);
    return numeric || id === "value" || !first || !isSame;
  });
}

const inPlain = ({ label, lane, cells }: Shown) => ({
  label: plain(label),
  lane,
  cells: Object.fromEntries(Object.entries(cells).map(([id, text]) => [id, plain(text)])),
});

for (const name of third(NAMES)) {
  test(`a page says what the figure says: ${name}`, async ({ page }) => {
    const written = read(name);
    const figure = marked(written.figure);
    await opened(page, { ...written, figure });
    if (figure.charts.every(({ cases }) => (cases ?? []).length === 0)) {
      await expect(
        page.getByText(/No runs|Nothing here|No results|no runs/i).first(),
      ).toBeVisible();
      return;
    }
    if (figure.sides) {
      await saysColumns(page, figure, figure.sides);
      return;
    }
    await expect(page.locator("tr[data-lane]").first()).toBeVisible();
    const folded = page.getByRole("button", {
      name: /^Show \d+ figures? without a result/,
    });
    if ((await folded.count()) > 0) await folded.click();

    // Title, the line under it, and the alternative text.
    for (const chart of figure.charts) {
      const drawn = page.getByRole("figure", { name: plain(chart.title), exact: true }).first();
      await expect(drawn).toBeVisible();
      const subtitle = plain((await drawn.locator("figcaption").innerText()) ?? "");
      // A page of one question tells its filters itself, above the chart.
      const about = "rows" in written.answer ? (figure.told ?? []) : [];
      for (const told of [figure.mixed ?? "", ...about]) {
        expect(subtitle).toContain(plain(told));
      }
      if (figure.nothing) continue;
      const image = drawn.getByRole("group", { name: /^Chart: / });
      const text = await image.getAttribute("aria-label");
      expect(plain(text ?? "")).toBe(plain(`Chart: ${chart.text || figure.text}`));
      // Digits and names in the chart itself.
      const drawing = chart.grid ? image.getByRole("table") : image.locator("svg.recharts-surface");
      await expect(drawing.first()).toBeVisible();
      const inChart = plain((await image.textContent()) ?? "");
      expect(inChart).toContain(plain(chart.up.title));
      for (const entry of chart.grid ? [] : (chart.key ?? []))
        expect(inChart).toContain(plain(entry.text));
      for (const fit of chart.fits ?? []) expect(inChart).toContain(plain(fit));
      expect(await overlaps(image)).toEqual([]);
      if (chart.kind !== "cases") continue;
      for (const row of chart.grid?.rows ?? []) expect(inChart).toContain(plain(row.label));
      const inCells = new Set(
        chart.grid?.rows.flatMap(({ cells }) => cells.map((one) => one?.lane)),
      );
      for (const of of chart.cases ?? []) {
        if (of.undrawn) continue;
        for (const lane of of.lanes) {
          // A cell has space for one figure: the others are in the table.
          if (chart.grid && !inCells.has(lane.id)) continue;
          expect(inChart).toContain(plain(lane.text));
        }
      }
    }

    // The table, cell by cell.
    const shown = (await lanesShown(page)).map(inPlain);
    const every = figure.charts.flatMap(({ cases, columns }) =>
      (cases ?? []).flatMap((of) =>
        of.lanes.map((lane) =>
          expected(
            of,
            lane,
            columnsOf(columns ?? [], cases ?? []).map(({ id }) => id),
          ),
        ),
      ),
    );
    expect(shown).toEqual(every.map(inPlain));

    // Footnotes, notes, and what is the same in every row.
    const body = plain((await page.locator("main").textContent()) ?? "");
    for (const { columns = [], cases = [] } of figure.charts) {
      const kept = columnsOf(columns, cases);
      for (const { id, numeric } of columns) {
        if (numeric || kept.some((one) => one.id === id)) continue;
        const lane = cases.flatMap(({ lanes }) => lanes).find(({ hollow }) => !hollow);
        expect(body).toContain(plain(lane?.cells?.[id] ?? ""));
      }
    }
    for (const { text } of figure.notes ?? []) expect(body).toContain(plain(text));
    for (const { sentence } of figure.flags ?? []) expect(body).toContain(plain(sentence));
    for (const { text } of figure.sources ?? []) expect(body).toContain(plain(text));
  });
}

/** The columns of sides: finding, cautions, headings, and each cell by its lane. */
async function saysColumns(page: Page, figure: Figure, columns: Columns): Promise<void> {
  const { heads, areas, cautions = [], question } = columns;
  await expect(page.locator("tr[data-metric]").first()).toBeVisible();
  const folded = page.getByRole("button", { name: /^Show \d+ more figures?$/ });
  if ((await folded.count()) > 0) await folded.click();
  await sidesOf(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(figure.finding || question);
  const body = plain((await page.locator("main").textContent()) ?? "");
  const told = [
    ...cautions.flatMap(({ lead, text }) => [lead, text]),
    ...heads.flatMap(({ name, based_on }) => [name, based_on]),
    ...areas.flatMap(({ title, told: count }) => [title, count]),
    ...(figure.flags ?? []).map(({ sentence }) => sentence),
    ...(figure.sources ?? []).map(({ text }) => text),
  ];
  for (const text of told) expect(body).toContain(plain(text));
  const text = await page.getByRole("group", { name: /^Chart: / }).getAttribute("aria-label");
  expect(plain(text ?? "")).toBe(plain(`Chart: ${figure.text}`));
  for (const { figures, name, under = "" } of areas.flatMap(({ rows }) => rows)) {
    const row = page.locator("tr[data-metric]", {
      has: page.locator(`[data-lane="${figures[0]?.lane}"]`),
    });
    const words = plain((await row.textContent()) ?? "");
    for (const one of [name, under]) expect(words).toContain(plain(one));
    for (const { text: digits = "", unit = "", change = "", verdict = "", more = "" } of figures) {
      for (const one of [digits, unit, change, verdict, more]) expect(words).toContain(plain(one));
    }
  }
  expect(await overlaps(page.getByRole("main"))).toEqual([]);
}

test("the mark of a target shows both its figures and leads to its runs", async ({ page }) => {
  await opened(page, read("targets.json"));
  // The tip has a link too.
  const mark = page.locator("[data-reached]").last();
  await mark.hover();
  const tip = page.getByRole("tooltip", { includeHidden: true });
  await expect(tip).toContainText(/Median.*Runs.* at /s);
  await page.getByRole("group", { name: /^Chart: / }).focus();
  await page.keyboard.press("End");
  await expect(mark).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/runs[/?]/);
});

test("a curve over threads is marked where its chip's tiers are full", async ({ page }) => {
  await opened(page, read("demo-threads-rate.json"));
  const drawing = page.getByRole("group", { name: /^Chart: / }).first();
  await expect(drawing.getByText("10 P cores", { exact: true })).toBeVisible();
  await expect(drawing.getByText("14 cores", { exact: true })).toBeVisible();
});

test("what sides differ in unasked is one click from being alike", async ({ page }) => {
  const written = read("demo-sides.json");
  const [offer] = (written.figure.sides?.cautions ?? []).flatMap(({ offers }) => offers ?? []);
  await opened(page, written);
  await page
    .getByRole("button", { name: `Compare all with ${plain(offer?.text ?? "")}`, exact: true })
    .click();
  await expect
    .poll(() => new URL(page.url()).searchParams.getAll("where"))
    .toContain(offer?.where ?? "");
});

test("a chart is dragged over to be seen closer, and its address keeps the range", async ({
  page,
}) => {
  await opened(page, read("demo-threads-time.json"));
  const drawing = page.getByRole("group", { name: /^Chart: / }).first();
  const to = drawing.getByRole("combobox", { name: "To" });
  await expect(to).toHaveValue("14");
  const marks = drawing.locator("[data-reached]");
  const many = await marks.count();
  const plot = await drawing.locator(".recharts-cartesian-grid").first().boundingBox();
  if (!plot) throw new Error("the chart has a plot");
  await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height / 3);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width - 2, plot.y + plot.height / 2, { steps: 5 });
  await page.mouse.up();
  await expect(page).toHaveURL(/zoom=[78]\.\.14/);
  await expect.poll(() => marks.count()).toBeLessThan(many);
  await expect(page.getByRole("group", { name: "Pinned figures" })).toHaveCount(0);
  await page.reload();
  await expect(drawing.getByRole("combobox", { name: "From" })).toHaveValue(/[78]/);
  await to.selectOption("12");
  await expect(page).toHaveURL(/zoom=[78]\.\.12/);
  await drawing.getByRole("button", { name: "Show all" }).press("Enter");
  await expect(page).not.toHaveURL(/zoom=/);
  await expect.poll(() => marks.count()).toBe(many);
});

test("of many notes two are read at once, and the others a press later", async ({ page }) => {
  const written = read("demo-published-ratio.json");
  const notes = written.figure.notes ?? [];
  await opened(page, written);
  await page.locator("tr[data-lane]").first().waitFor();
  const told = notes.map(({ text }) => page.getByText(text, { exact: true }));
  const inSight = () => Promise.all(told.map((note) => note.isVisible()));
  expect((await inSight()).filter(Boolean)).toHaveLength(2);
  await page.getByText(`${notes.length - 2} more notes`, { exact: true }).click();
  expect(await inSight()).not.toContain(false);
});
