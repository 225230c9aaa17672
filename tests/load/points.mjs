// Called by points.py: node points.mjs ADDRESS RUN TIMES. Prints two lists of milliseconds as JSON.
//
// `drawn`: from a press on the run's link to the frame that shows all points of its figure.
// `pressed`: from a press on a filter to the next frame, as the browser itself times it.
import { chromium } from "@playwright/test";

const [, , address, run, times] = process.argv;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.addInitScript(() => {
  globalThis.pressed = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) pressed.push(entry.duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
  document.addEventListener(
    "click",
    () => Object.assign(globalThis, { at: performance.now() }),
    true,
  );
});

/** Points are short strokes of one path for each size: `h0` each. The next frame shows them. */
const drawnAfter = () =>
  new Promise((resolve) => {
    const look = () => {
      const paths = [...document.querySelectorAll("figure path")];
      const points = paths.reduce(
        (sum, path) => sum + (path.getAttribute("d")?.split("h0").length ?? 1) - 1,
        0,
      );
      if (points === 0) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve([performance.now() - globalThis.at, points]));
    };
    look();
  });

const drawn = [];
await page.goto(`${address}/runs?where=label:synthetic:points`);
const link = page.locator(`a[href$="/runs/${run}"]`);
for (let visit = 0; visit <= Number(times); visit++) {
  await link.click();
  const [milliseconds, points] = await page.evaluate(drawnAfter);
  if (points !== 5000) throw new Error(`${points} points were drawn`);
  // The first visit fetches the run and the charts' scripts: those after it draw.
  if (visit > 0) drawn.push(milliseconds);
  await page.goBack();
  await link.waitFor();
}

await page.goto(`${address}/storage`);
await page.waitForLoadState("networkidle");
const boxes = page.getByRole("complementary", { name: "Filters" }).getByRole("checkbox");
for (let press = 0; press < Number(times); press++) {
  await boxes.nth(press % 2).click();
  await page.waitForLoadState("networkidle");
}
const pressed = await page.evaluate(() => globalThis.pressed);
console.log(JSON.stringify({ drawn, pressed }));
await browser.close();
