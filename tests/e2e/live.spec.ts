import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { freshTokens, latencyRun, put, type StoredRuns, stored } from "./runs";
import { fresh as test } from "./samePage";
import { settled } from "./settled";

const NEW = /new runs?/;

/** A machine and its token. */
type Owned = Pick<StoredRuns, "token" | "machine">;

async function store(
  baseURL: string | undefined,
  live: string,
  own: Owned = stored(),
): Promise<void> {
  const { token, machine } = own;
  const started = new Date(Date.now() - 3_600_000);
  const run = latencyRun({ machine, labels: { live }, started }, [1.1e-4, 1.23e-4, 1.3e-4]);
  await put(baseURL ?? "", token, run.id, JSON.stringify(run));
}

/** Open the page and wait for its connection to the server. */
async function following(page: Page, address: string): Promise<void> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().includes("/api/v1/events")),
    page.goto(address),
  ]);
  await request.response();
  await settled(page);
}

/** Record layout shifts from the first paint on. */
async function watched(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
}

const seen = (page: Page) =>
  page.evaluate(() => ({
    top: scrollY,
    shifts: (globalThis as unknown as { shifts: number[] }).shifts.length,
  }));

/** Store a run; return its notice once it is shown and nothing has moved. */
async function told(
  page: Page,
  baseURL: string | undefined,
  live: string,
  own?: Owned,
): Promise<Locator> {
  await settled(page);
  await page.evaluate(() => scrollTo(0, 120));
  const before = await seen(page);
  await store(baseURL, live, own);
  const words = page.getByRole("status").filter({ hasText: NEW });
  await expect(words).toContainText("1 new run");
  expect(await seen(page)).toEqual(before);
  return words;
}

test("a run that arrives is announced without a reload, and moves nothing until the reader asks for it", async ({
  page,
  baseURL,
}) => {
  await watched(page);
  await following(page, "/storage?by=test&metric=disk.latency&where=label:live:arrived");
  await store(baseURL, "another");
  const words = await told(page, baseURL, "arrived");
  await words.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("table")).toContainText("123");
  await expect(words).toHaveCount(0);
});

test("a comparison and a machine announce runs as well", async ({ page, baseURL }, { config }) => {
  await watched(page);
  const sides = "side=1:label:live:one&side=2:label:live:two";
  await store(baseURL, "one");
  await following(page, `/compare?metric=disk.latency%40test:read%201&${sides}`);
  await expect(page.getByRole("table")).toContainText("Not measured");
  await store(baseURL, "neither");
  let words = await told(page, baseURL, "two");
  await words.getByRole("button", { name: "Show it" }).click();
  await expect(page.locator('td[data-column="difference"]')).toContainText(/^0\s%/);
  await expect(words).toHaveCount(0);

  // A machine to which no other test adds runs.
  const { dataDir } = config.metadata as { dataDir?: string };
  const [token = ""] = await freshTokens(dataDir ?? "", 1);
  const own = { token, machine: randomUUID() };
  await store(baseURL, "machine", own);
  await following(page, `/machines/${own.machine}`);
  const runs = page.locator("bdi", { hasText: /\d+ runs?, \d/ });
  await expect(runs).toContainText("1 run, ");
  // This comes last; until then the page still grows.
  await expect(page.getByText("a percentile needs")).toBeVisible();
  words = await told(page, baseURL, "machine", own);
  await words.getByRole("button", { name: "Show it" }).click();
  await expect(runs).toContainText("2 runs, ");
  await expect(words).toHaveCount(0);
});

test("a page that lost its connection learns what it missed", async ({
  page,
  context,
  baseURL,
}) => {
  await following(page, "/runs?where=label:live:missed");
  await context.setOffline(true);
  await store(baseURL, "missed");
  await context.setOffline(false);
  const words = page.getByRole("status").filter({ hasText: NEW });
  await expect(words).toContainText("1 new run");
  await words.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("row", { name: /latency 1/ })).toBeVisible();
});
