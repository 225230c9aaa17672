// Called by points.py: node points.mjs ADDRESS RUN SAMPLED TIMES. Prints lists of milliseconds as
// JSON.
//
// `drawn`: from a press on the run's link to the frame that shows all points of its figure.
// `traced`: the same of a run that was sampled over time, with every panel of its traces.
// `pressed`: from a press on a filter to the next frame, as the browser itself times it.
import { chromium } from "@playwright/test";

const [, , address, plain, sampled, times] = process.argv;
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

/**
 * Milliseconds from the press to the frame after `found` counts any items, and their number, which is
 * 0 if there are none after half a minute.
 */
const drawnAfter = (found) =>
  new Promise((resolve) => {
    const look = () => {
      const many = found();
      const passed = performance.now() - globalThis.at;
      if (many === 0 && passed < 30_000) requestAnimationFrame(look);
      else requestAnimationFrame(() => resolve([performance.now() - globalThis.at, many]));
    };
    look();
  });

/** Points are short strokes of one path for each size: `h0` each. */
const points = () =>
  [...document.querySelectorAll("figure path")].reduce(
    (sum, path) => sum + (path.getAttribute("d")?.split("h0").length ?? 1) - 1,
    0,
  );

/** Samples that a figure says it draws, once all its panels are there. */
const samples = () => {
  const figure = [...document.querySelectorAll("figure")].find((one) =>
    one.textContent.includes("What the cores did"),
  );
  if (figure?.querySelectorAll("[role=img] svg").length !== 5) return 0;
  return Number(/([\d,]+) samples/u.exec(figure.textContent)?.[1].replaceAll(",", "") ?? 0);
};

/** Milliseconds of visits to a run's page. */
async function visits(run, label, found, expected) {
  const taken = [];
  await page.goto(`${address}/runs?where=label:synthetic:${label}`);
  const link = page.locator(`a[href$="/runs/${run}"]`);
  for (let visit = 0; visit <= Number(times); visit++) {
    await link.click();
    const [milliseconds, many] = await page.evaluate(`(${drawnAfter})(${found})`);
    if (many !== expected) throw new Error(`${many} points were drawn, not ${expected}`);
    // The first visit fetches the run and the charts' scripts: later ones only draw.
    if (visit > 0) taken.push(milliseconds);
    await page.goBack();
    await link.waitFor();
  }
  return taken;
}

const drawn = await visits(plain, "points", points, 5000);
const traced = await visits(sampled, "samples", samples, 10_000);

await page.goto(`${address}/storage`);
await page.waitForLoadState("networkidle");
await page.getByRole("button", { name: /^Filters/ }).click();
const boxes = page.getByRole("complementary", { name: "Filters" }).getByRole("checkbox");
for (let press = 0; press < Number(times); press++) {
  await boxes.nth(press % 2).click();
  await page.waitForLoadState("networkidle");
}
const pressed = await page.evaluate(() => globalThis.pressed);
console.log(JSON.stringify({ drawn, traced, pressed }));
await browser.close();
