import { expect, test as playwright, type Page, type Request } from "@playwright/test";

const VIEWPORT = { width: 1280, height: 720 };
const MEDIA = { media: null, colorScheme: "light" } as const;
/** A page of plain text, between two that a test looks at. */
const BETWEEN = { path: "/shortcuts", title: "Keyboard shortcuts" };

/** Requests that pages wait for; event streams never end. */
const pending = new WeakMap<Page, Set<Request>>();

function watched(page: Page): Page {
  const requests = new Set<Request>();
  pending.set(page, requests);
  page.on("request", (one) => one.resourceType() !== "eventsource" && requests.add(one));
  page.on("requestfinished", (one) => requests.delete(one));
  page.on("requestfailed", (one) => requests.delete(one));
  return page;
}

/** Pages that were only used by tests of this file, signed out. */
const clean = new WeakSet<Page>();
let file = "";

/**
 * Tests that share one `page`, which is reset to a new one's state: signed out, nothing stored, no
 * script, no route. A separate page would double a test's time, as its process has compiled nothing
 * yet.
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
      await use(watched(await context.newPage()));
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

/** Tests with a new page each, in the same browser. */
export const fresh = test.extend({
  context: async ({ browser }, use) => {
    const context = await browser.newContext();
    await use(context);
    await context.close();
  },
  page: async ({ context }, use) => use(watched(await context.newPage())),
});

/** Reset the page to the state of a new one. */
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
 * Open an address like a link, if the page shows another of this server: it keeps its scripts, and
 * its content depends only on the address.
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

/** Wait for the responses of a page of these fixtures. */
export async function answered(page: Page): Promise<void> {
  await expect.poll(() => pending.get(page)?.size ?? 0).toBe(0);
}
