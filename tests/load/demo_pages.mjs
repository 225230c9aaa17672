// Called by demo_pages.py: node demo_pages.mjs ADDRESS LOADS PATH... Prints one JSON object a page:
// the medians over its loads, each by a browser with an empty cache.
//
// `lcp`: largest paint, in milliseconds. `task`: the longest task of the page's thread until the page
// is idle, and `cpu` the same in processor time, which other programs don't lengthen. `shift`: layout
// shift. `press`: a filter, and the next grouping, until the frame after. `tip`: from the pointer's
// move to the frame that shows a mark's tip. The last two are of one load.
import { chromium } from "@playwright/test";

const [, , address, loads, ...paths] = process.argv;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});

const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

function observe() {
  Object.assign(globalThis, { seen: { lcp: 0, task: 0, shift: 0, press: 0, tip: [] } });
  const watch = (type, take, more = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    }).observe({ type, buffered: true, ...more });
  const { seen } = globalThis;
  watch("largest-contentful-paint", ({ startTime }) => {
    seen.lcp = Math.max(seen.lcp, startTime);
  });
  watch("longtask", ({ duration }) => {
    seen.task = Math.max(seen.task, duration);
  });
  watch("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) seen.shift += value;
  });
  const press = ({ interactionId, duration }) => {
    if (interactionId) seen.press = Math.max(seen.press, duration);
  };
  watch("event", press, { durationThreshold: 16 });
  let from;
  addEventListener("pointermove", ({ timeStamp }) => (from = timeStamp), { capture: true });
  const shown = () => {
    if (from === undefined || !document.querySelector("[role=tooltip]")) return;
    const since = from;
    from = undefined;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => seen.tip.push(performance.now() - since);
      port2.postMessage(0);
    });
  };
  new MutationObserver(shown).observe(document, { childList: true, subtree: true });
}

/** Wait until nothing is being fetched or drawn. */
async function idle(page) {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => new Promise((done) => requestIdleCallback(done, { timeout: 2000 })));
  await page.waitForTimeout(300);
}

/** Longest task of the page's main thread in processor time, from the browser's own trace. */
async function traced(page, load) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await client.send("Tracing.start", { traceConfig: { includedCategories: ["toplevel"] } });
  await load();
  const done = new Promise((resolve) => client.once("Tracing.tracingComplete", resolve));
  await client.send("Tracing.end");
  await done;
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const tasks = events.filter(({ pid, tid, tdur }) => tdur && main.has(`${pid} ${tid}`));
  return Math.max(0, ...tasks.map(({ tdur }) => tdur)) / 1000;
}

/** Do what readers do first: set a filter, and move the pointer over marks. */
async function used(page) {
  await page.evaluate(() => {
    globalThis.seen.press = 0;
  });
  const filters = page.getByRole("button", { name: /^Filters/ });
  if ((await filters.count()) > 0) await filters.click();
  const box = page.getByRole("complementary", { name: "Filters" }).getByRole("checkbox").first();
  if ((await box.count()) > 0) {
    await box.click();
    await idle(page);
    await box.click();
    await idle(page);
    await filters.click();
  }
  const marks = page.getByRole("group", { name: /^Chart: / }).locator("[data-reached]");
  const many = await marks.count();
  for (let place = 0; place < Math.min(5, many); place++) {
    const mark = await marks.nth(Math.floor((place * many) / 5)).boundingBox();
    if (!mark) continue;
    await page.evaluate((y) => scrollTo(0, scrollY + y - 400), mark.y);
    const now = await marks.nth(Math.floor((place * many) / 5)).boundingBox();
    await page.mouse.move(5, 5);
    await page.waitForTimeout(50);
    await page.mouse.move(now.x + now.width / 2, now.y + now.height / 2);
    await page.waitForTimeout(150);
  }
}

for (const path of paths) {
  const found = [];
  for (let load = 0; load < Number(loads); load++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(observe);
    const cpu = await traced(page, async () => {
      await page.goto(address + path);
      await idle(page);
    });
    const seen = await page.evaluate(() => ({ ...globalThis.seen }));
    if (load === 0) await used(page);
    const after = await page.evaluate(() => globalThis.seen);
    found.push({ ...seen, cpu, press: after.press, tip: after.tip });
    await context.close();
  }
  const of = (name) => median(found.map((one) => one[name]));
  const { press, tip } = found[0];
  const told = { path, lcp: of("lcp"), task: of("task"), cpu: of("cpu"), shift: of("shift") };
  console.log(JSON.stringify({ ...told, press, tip: tip.length ? median(tip) : null }));
}
await browser.close();
