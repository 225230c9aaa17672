import { expect, test as playwright, type Page, type Request } from "@playwright/test";

const VIEWPORT = { width: 1280, height: 720 };
const MEDIA = { media: null, colorScheme: "light" } as const;
/** A page of words alone, between two that a test looks at. */
const BETWEEN = { path: "/shortcuts", title: "Keyboard shortcuts" };

/** What shared pages wait for; streams of events have no end. */
const pending = new WeakMap<Page, Set<Request>>();

/** Pages that know nothing but what tests of this file have asked, signed out. */
const clean = new WeakSet<Page>();
let file = "";

/**
 * Tests whose `page` is the same one after the other, and which begin as in a new one: signed out,
 * nothing remembered, no script, no route. A page of its own costs a test twice as much, because it
 * is a process that has compiled nothing yet.
 */
export const test = playwright.extend<object, { shared: Page }>({
  shared: [
    async ({ browser }, use) => {
      const context = await browser.newContext({
        baseURL: process.env.BASE_URL ?? "",
        colorScheme: MEDIA.colorScheme,
        timezoneId: "UTC",
        viewport: VIEWPORT,
      });
      const page = await context.newPage();
      const requests = new Set<Request>();
      pending.set(page, requests);
      page.on("request", (one) => one.resourceType() !== "eventsource" && requests.add(one));
      page.on("requestfinished", (one) => requests.delete(one));
      page.on("requestfailed", (one) => requests.delete(one));
      await use(page);
      await context.close();
    },
    { scope: "worker" },
  ],
  context: async ({ shared }, use) => use(shared.context()),
  page: async ({ shared }, use, { file: next }) => {
    if (next !== file) clean.delete(shared);
    file = next;
    await use(shared);
    await restore(shared);
  },
});

/** Tests with a page each, which is a new process, in the browser of the others. */
export const fresh = test.extend({
  context: async ({ browser }, use) => {
    const context = await browser.newContext();
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(await context.newPage()),
});

/** Makes the page one that nobody has used. */
export async function restore(page: Page): Promise<void> {
  const context = page.context();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const event of ["console", "dialog", "pageerror", "response"] as const) {
    page.removeAllListeners(event);
  }
  await Promise.all(context.pages().map((other) => other !== page && other.close()));
  await page.waitForLoadState();
  if (page.url().startsWith("http")) {
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }
  if ((await context.cookies()).length > 0) clean.delete(page);
  await context.clearCookies();
  await page.setExtraHTTPHeaders({});
  await context.clearPermissions();
  await page.mouse.move(0, 0);
  await page.emulateMedia(MEDIA);
  await page.setViewportSize(VIEWPORT);
}

/**
 * Opens an address as a link does, where the page shows another of this server already: it keeps its
 * scripts, and what it shows follows the address alone.
 */
export async function go(page: Page, address: string): Promise<void> {
  const to = new URL(address, process.env.BASE_URL);
  const stays = clean.has(page) && page.url().startsWith(`${to.origin}/`);
  if (!stays || to.pathname === BETWEEN.path) {
    await page.goto(to.href);
    clean.add(page);
    return;
  }
  const between = page.getByRole("heading", { level: 1, name: BETWEEN.title });
  const push = (path: string) => page.evaluate((next) => history.pushState({}, "", next), path);
  await push(BETWEEN.path);
  await between.waitFor();
  await push(to.href);
  await between.waitFor({ state: "detached" });
  await page.evaluate(() => scrollTo(0, 0));
}

/** Once a shared page waits for no answer; other pages are waited for by their load state. */
export async function answered(page: Page): Promise<void> {
  await expect.poll(() => pending.get(page)?.size ?? 0).toBe(0);
}
