import { expect, type Page, test } from "@playwright/test";
import { latencyRun, put, stored } from "./runs";

const NEW = /new runs?/;

async function store(baseURL: string | undefined, live: string): Promise<void> {
  const { token, machine } = stored();
  const started = new Date(Date.now() - 3_600_000);
  const run = latencyRun({ machine, labels: { live }, started }, [1.1e-4, 1.23e-4, 1.3e-4]);
  await put(baseURL ?? "", token, run.id, JSON.stringify(run));
}

/** Once the page has its line to the server. */
async function following(page: Page, address: string): Promise<void> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.url().includes("/api/v1/events")),
    page.goto(address),
  ]);
  await request.response();
}

test("a run that arrives is told without a reload, and moves nothing until it is asked for", async ({
  page,
  baseURL,
}) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await following(page, "/storage?by=test&metric=disk.latency&where=label:live:told");
  const before = await page.evaluate(() => {
    scrollTo(0, 120);
    return { top: scrollY, shifts: (globalThis as unknown as { shifts: number[] }).shifts.length };
  });
  await store(baseURL, "another");
  await store(baseURL, "told");
  const told = page.getByRole("status").filter({ hasText: NEW });
  await expect(told).toContainText("1 new run", { timeout: 15_000 });
  const after = await page.evaluate(() => ({
    top: scrollY,
    shifts: (globalThis as unknown as { shifts: number[] }).shifts.length,
  }));
  expect(after).toEqual(before);
  await told.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("table")).toContainText("123");
  await expect(told).toHaveCount(0);
});

test("a page that lost its line is told what it missed", async ({ page, context, baseURL }) => {
  await following(page, "/runs?where=label:live:missed");
  await context.setOffline(true);
  await store(baseURL, "missed");
  await context.setOffline(false);
  const told = page.getByRole("status").filter({ hasText: NEW });
  await expect(told).toContainText("1 new run", { timeout: 20_000 });
  await told.getByRole("button", { name: "Show it" }).click();
  await expect(page.getByRole("row", { name: /latency 1/ })).toBeVisible();
});
