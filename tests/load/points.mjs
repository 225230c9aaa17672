// Called by points.py: node points.mjs ADDRESS RUN TIMES. Prints two lists of milliseconds as JSON.
//
// `drawn`: from the moment that the figure's data is there to the frame that shows its points.
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
  // The figure's points are one path for each size: the frame after they all are there counts.
  globalThis.drawn = new Promise((resolve) => {
    const look = () => {
      const points = [...document.querySelectorAll("figure path")].reduce(
        (sum, path) => sum + (path.getAttribute("d")?.match(/h0/g)?.length ?? 0),
        0,
      );
      if (points < 5000) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve({ at: performance.now(), points }));
    };
    look();
  });
});

const drawn = [];
for (let load = 0; load <= Number(times); load++) {
  await page.goto(`${address}/runs/${run}`);
  const { at, points } = await page.evaluate(() => globalThis.drawn);
  const there = await page.evaluate(
    (id) =>
      Math.max(
        ...performance
          .getEntriesByType("resource")
          .filter(({ name }) => name.endsWith(`/api/v1/runs/${id}`) || /SamplesFigure.*js/.test(name))
          .map(({ responseEnd }) => responseEnd),
      ),
    run,
  );
  if (points !== 5000) throw new Error(`${points} points were drawn`);
  // The first load has the scripts to compile: it is the warm ones that are told.
  if (load > 0) drawn.push(at - there);
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
