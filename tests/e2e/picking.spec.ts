import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { filtersOf } from "./filters";
import type { Answer, Catalog, Facets } from "../../frontend/src/api/types";
import { wordsOf } from "../../frontend/src/figures/words";
import {
  parseQuestion,
  printQuestion,
  type Question,
  readQuestion,
} from "../../frontend/src/links/question";
import { openingOf } from "../../frontend/src/questions/opening";
import { keptIn, regrouped, remeasured } from "../../frontend/src/questions/reasked";
import { questionsOf, type Start } from "../../frontend/src/questions/view";
import { TOPICS } from "../../frontend/src/routes/topics";
import { STORAGE } from "../../frontend/src/features/storage/storage";
import { violations, violationsInTheDark } from "./axe";
import { oneOf, third } from "./crawling";
import { demoAddress } from "./demo";
import { test } from "./samePage";
import { settled } from "./settled";

// The metric and the groups of a chart's page, picked on a demo of sixty Macs.

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

/** Requests of a page's opening to the real server, none of which it may refuse. */
function askingOf(request: APIRequestContext) {
  const get = async <T>(path: string, question: string): Promise<T> => {
    const response = await request.get(`${demo}/api/v1/${path}?${question}`);
    expect(response.status(), `${path}?${question}`).toBe(200);
    return (await response.json()) as T;
  };
  const none: Question = readQuestion("");
  return {
    start: (question: Question) => get<Start>("starting-point", printQuestion(question)),
    answer: (question: Question) => get<Answer>("answer", printQuestion(question)),
    facets: (asked: Pick<Question, "metrics" | "where" | "flagged">) =>
      get<Facets>("facets", printQuestion({ ...none, metrics: asked.metrics, where: asked.where })),
    measured: () => Promise.resolve(true),
  };
}

/** Dimensions with several values among the runs behind a question. */
async function severalOf(asking: ReturnType<typeof askingOf>, question: Question) {
  const { total, dimensions } = await asking.facets(question);
  return { total, several: dimensions.filter((one) => one.distinct > 1).map((one) => one.name) };
}

async function isDrawn(asking: ReturnType<typeof askingOf>, question: Question) {
  const { results } = await asking.answer(question);
  return results.some(({ groups, published }) => groups.length + published.length > 0);
}

/** Questions to pick another metric on; the second has filters that most metrics don't have. */
const SHOWN = [
  "metric=disk.write_average&by=storage",
  "metric=compression.speed&by=chip&by=storage&where=storage:usb4&where=threads:4",
];

test("every metric is answered by each of its dimensions, with figures", async ({ request }) => {
  test.slow();
  const catalog = (await (await request.get(`${demo}/api/v1/catalog`)).json()) as Catalog;
  const words = wordsOf(catalog);
  const asking = askingOf(request);
  const empty: string[] = [];
  for (const [place, { name: metric }] of third(catalog.metrics).entries()) {
    const every = { ...readQuestion(""), metrics: [metric] };
    const { total, several } = await severalOf(asking, every);
    for (const group of [undefined, ...oneOf(several, place).map((name) => [name])]) {
      // More at once would wait for each other.
      await Promise.all(
        oneOf(SHOWN, place).map(async (text) => {
          const shown = { question: readQuestion(text), view: undefined, fixed: [] };
          const search = remeasured(shown, metric, words, group);
          const asked = questionsOf(STORAGE, parseQuestion(search), undefined, search.group);
          const { question } = await openingOf(STORAGE, asked, asking, { picked: true });
          const drawn = await isDrawn(asking, question);
          if (total > 0 && !drawn) empty.push(`${metric} by ${group}`);
          if (group && total > 0) expect(question.by).toContain(group[0]);
        }),
      );
    }
  }
  expect(empty).toEqual([]);
});

test("every view is regrouped by each dimension that it offers, with figures", async ({
  request,
}) => {
  test.slow();
  const asking = askingOf(request);
  const empty: string[] = [];
  for (const topic of TOPICS) {
    for (const [place, view] of third(topic.views).entries()) {
      const [question] = questionsOf(topic, readQuestion(""), view.id);
      if (!(await isDrawn(asking, question))) continue;
      const shown = { question, view, fixed: [] };
      const { several } = await severalOf(asking, question);
      const kept = keptIn(shown);
      const offered = several.filter((one) => !kept.includes(one));
      for (const name of oneOf(offered, place)) {
        const search = regrouped(shown, [name]);
        const asked = questionsOf(topic, parseQuestion(search), view.id, search.group);
        const opened = await openingOf(topic, asked, asking, { view, picked: true });
        expect(opened.question.by).toContain(name);
        if (!(await isDrawn(asking, opened.question))) empty.push(`${view.id} by ${name}`);
      }
    }
  }
  expect(empty).toEqual([]);
});

const picker = (page: Page, name: string) =>
  page
    .getByRole("group", { name: "Question" })
    .getByRole("button", { name: new RegExp(`^${name}`) });
const options = (page: Page) => page.getByRole("dialog").getByRole("option");

/** Choose an option of a list. */
async function pick(page: Page, list: string, option: RegExp): Promise<void> {
  await picker(page, list).click();
  await options(page).filter({ hasText: option }).click();
}

test("pickers are used by keyboard, and give the focus back", async ({ page }) => {
  await page.goto(`${demo}/storage`);
  await settled(page);
  await page.keyboard.press("m");
  const field = page.getByRole("combobox", { name: "Metric" });
  await expect(field).toBeFocused();
  const active = options(page).and(page.locator("[aria-selected=true]"));
  await page.keyboard.press("End");
  await expect(active).toHaveText("Score");
  await page.keyboard.press("ArrowDown");
  await expect(active).toHaveText("Write speed");
  await page.keyboard.press("ArrowDown");
  await expect(active).toHaveText("Read speed");
  await page.keyboard.press("Home");
  await expect(active).toHaveText("Write speed");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(picker(page, "Metric")).toBeFocused();

  await page.keyboard.press("Enter");
  await field.fill("no such thing");
  await expect(page.getByText("Nothing found.")).toBeVisible();
  await field.fill("core freq");
  await expect(options(page)).toHaveText(["Core frequency"]);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/power\?.*metric=cores.frequency/);
  await settled(page);
  await expect(picker(page, "Metric")).toHaveText("Metric Core frequency");

  await page.keyboard.press("g");
  await page.getByRole("combobox", { name: "Group by" }).fill("macos version");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/by=os_version/);
  await expect(picker(page, "Group by")).toBeFocused();
  // Keys of text are text.
  await settled(page);
  await filtersOf(page);
  await page.getByPlaceholder("Label, e.g. iops").press("m");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("recent choices come first, each once", async ({ page }) => {
  await page.goto(`${demo}/storage`);
  for (const name of ["SHA-256 from memory", "Write speed with flush"]) {
    await settled(page);
    await picker(page, "Metric").click();
    await options(page).filter({ hasText: name }).first().click();
    await expect(picker(page, "Metric")).toHaveText(`Metric ${name}`);
  }
  await page.reload();
  await settled(page);
  await picker(page, "Metric").click();
  const recent = page.getByRole("group", { name: "Recent" }).getByRole("option");
  // Not the one that is shown already.
  await expect(recent).toHaveText(["SHA-256 from memory"]);
  await expect(options(page).first()).toHaveText("SHA-256 from memory");
  await expect(options(page).filter({ hasText: "from memory" })).toHaveCount(1);
  await page.keyboard.press("Escape");

  await pick(page, "Group by", /^Device$/);
  await expect(page).toHaveURL(/by=device/);
  await settled(page);
  await pick(page, "Group by", /^Chip$/);
  await expect(page).toHaveURL(/by=chip/);
  await settled(page);
  await picker(page, "Group by").click();
  await expect(page.getByRole("group", { name: "Recent" }).getByRole("option")).toHaveText([
    "Device",
  ]);
});

test("a metric that nothing has measured says so", async ({ page }) => {
  await page.goto(`${demo}/storage`);
  await settled(page);
  await picker(page, "Metric").click();
  // Only Linux can do it.
  await expect(options(page).filter({ hasText: "Trim" })).toHaveText(/no results yet$/);
  await expect(options(page).filter({ hasText: "no results yet" }).first()).toBeVisible();
  const measured = options(page).filter({ hasText: /^Write speed, quick test/ });
  await expect(measured).toHaveText("Write speed, quick test");
  await page.keyboard.press("Escape");
});

test("regrouping keeps the reader's filters and what the view needs", async ({ page }) => {
  await page.goto(`${demo}/storage?view=docks`);
  await settled(page);
  const choices = await filtersOf(page);
  await choices.getByRole("group", { name: "Chip" }).getByRole("checkbox").nth(1).check();
  await expect(page).toHaveURL(/where=chip:/);
  await settled(page);
  const filters = () => new URL(page.url()).searchParams.getAll("where").toSorted();
  const before = filters();
  await pick(page, "Group by", /^Device$/);
  await expect(page).toHaveURL(/by=device/);
  await settled(page);
  expect(filters()).toEqual(before);
  expect(before).toContain("storage!:internal");
  await expect(page.getByRole("table").first()).not.toContainText("Internal SSD");

  // What groups replace is dropped, and only that.
  await pick(page, "Split by", /^Chip$/);
  await expect(page).toHaveURL(/by=chip/);
  await settled(page);
  expect(
    before.filter((one) => !filters().includes(one)).every((one) => one.startsWith("chip:")),
  ).toBe(true);
  await picker(page, "Split by").click();
  await page.getByRole("group", { name: "Remove" }).getByRole("option", { name: "Device" }).click();
  await expect(page).toHaveURL(/^(?!.*by=device)/);
});

test("a parameter that is missing is chosen, and the page says so", async ({ page }) => {
  await page.goto(`${demo}/power?metric=cores.frequency&by=chip`);
  await expect(page).toHaveURL(/where=active_cores:\d+&.*where=tier:/);
  await settled(page);
  await filtersOf(page);
  await expect(
    page.getByText(/this page opens with the active cores, power mode and core tier/),
  ).toBeVisible();
  await page.getByRole("button", { name: "Remove the filter Core tier is Performance" }).click();
  await settled(page);
  await expect(page).toHaveURL(/where=tier:/);
  await expect(page.getByRole("table").first()).toBeVisible();
});

test("filters that would leave a picked metric empty are off, and the page says which", async ({
  page,
}) => {
  await page.goto(`${demo}/threads?metric=compression.speed&by=threads&where=virtual:true`);
  await settled(page);
  await picker(page, "Metric").click();
  await page.keyboard.type("Workload time");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/workloads\?.*metric=workload.duration/);
  await settled(page);
  await expect(page.getByRole("table").first()).toBeVisible();
  await expect(
    page.getByText(
      "No result of this metric matches Virtual machine: In a VM, so this filter is off.",
    ),
  ).toBeVisible();
  // The note is about that choice only.
  const choices = await filtersOf(page);
  await choices.getByRole("group", { name: "Chip" }).getByRole("checkbox").nth(1).check();
  await settled(page);
  await expect(page.getByText("so this filter is off")).toHaveCount(0);
});

test("pickers fit a phone, and are accessible", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${demo}/storage`);
  await settled(page);
  for (const name of ["Metric", "Group by", "Split by"]) {
    await picker(page, name).click();
    const box = await page.getByRole("dialog").boundingBox();
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(390);
    expect((await options(page).first().boundingBox())?.height).toBeGreaterThanOrEqual(44);
    expect(await violations(page)).toEqual([]);
    expect(await violationsInTheDark(page)).toEqual([]);
    await page.keyboard.press("Escape");
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
});
