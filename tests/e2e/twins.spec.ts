import { expect, type Locator, type Page } from "@playwright/test";
import { digitsIn, isOwn, MARK, marked } from "./marking";
import { stored } from "./runs";
import { go, test } from "./samePage";

// Texts in responses other than answers: those from the server are marked on their way to the page,
// and unmarked text with digits was formatted there, by a rule that both sides have.

type Words = Record<string, unknown>;

interface Marking {
  /** Address of the response, and its members that are texts. */
  of: RegExp;
  words: readonly string[];
}

/** The response without its texts, once the page has it with marks. */
async function marking(page: Page, { of, words }: Marking): Promise<() => Words> {
  let without: Words | undefined;
  await page.route(of, async (route) => {
    const found = (await (await route.fetch()).json()) as Words;
    without = { ...found };
    for (const name of words) without[name] = silent(found[name]);
    const told = words.map((name) => [name, marked(found[name])]);
    await route.fulfill({ json: { ...found, ...Object.fromEntries(told) } });
  });
  return () => {
    if (!without) throw new Error("the page did not ask for it");
    return without;
  };
}

/** Numbers alone, such as the number of points. */
function silent(value: unknown): unknown {
  if (typeof value === "string") return "";
  if (Array.isArray(value)) return value.map(silent);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, silent(one)]));
}

async function onlyMarked(part: Locator, response: () => Words, fewest = 6): Promise<void> {
  await expect(part.getByText(MARK).first()).toBeVisible();
  const texts = await digitsIn(part);
  expect(texts.filter((text) => !text.includes(MARK) && !isOwn(text, response()))).toEqual([]);
  expect(texts.filter((text) => text.includes(MARK)).length).toBeGreaterThanOrEqual(fewest);
}

test("a page prints what the server says: a run's curves and results", async ({ page }) => {
  const found = await page.request.get(
    "/api/v1/runs?where=suite:compression&where=source:measured",
  );
  const { items } = (await found.json()) as { items: { id: string }[] };
  const response = await marking(page, {
    of: new RegExp(`/api/v1/runs/${items[0]?.id}$`),
    words: ["words"],
  });
  await go(page, `/runs/${items[0]?.id}`);
  const curves = page.getByRole("figure").filter({ has: page.locator("svg.recharts-surface") });
  await onlyMarked(curves.first(), response);
  await onlyMarked(page.getByRole("region", { name: /^Results/ }).first(), response);
});

test("a page prints what the server says: a machine over time", async ({ page }) => {
  const { host } = stored().suites;
  const response = await marking(page, {
    of: new RegExp(`/api/v1/machines/${host}/timeline\\?`),
    words: ["words"],
  });
  await go(page, `/machines/${host}`);
  // Beside them is a list of all its measurements, from another response.
  await onlyMarked(
    page.getByRole("region", { name: "Over time" }).locator("[data-placed], table"),
    response,
    // It has one run of this figure.
    1,
  );
});

test("a page prints what the server says: frequency by residency", async ({ page }) => {
  const response = await marking(page, { of: /\/api\/v1\/residency\?/, words: ["panels"] });
  await go(page, "/power/residency?where=chip:Apple%20M4%20Pro");
  await onlyMarked(page.getByRole("figure").first(), response);
  await onlyMarked(page.getByRole("table").first(), response);
});

test("a page prints what the server says: nothing of a trace, which it reads itself", async ({
  page,
}) => {
  const { power } = stored().suites;
  await marking(page, { of: new RegExp(`/api/v1/runs/${power}$`), words: ["words"] });
  await go(page, `/runs/${power}`);
  await expect(page.getByText(MARK).first()).toBeVisible();
  const figure = page.getByRole("figure", { name: "What the cores did" });
  await expect(figure.locator("svg").first()).toContainText("Active cores, stacked");
  const texts = await digitsIn(figure.locator("svg, table"));
  expect(texts.length).toBeGreaterThan(5);
  expect(texts.filter((text) => text.includes(MARK))).toEqual([]);
});
