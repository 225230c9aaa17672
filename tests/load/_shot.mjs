import { chromium } from "playwright";
const [base, out, scheme, w, h, ...paths] = process.argv.slice(2);
const b = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox","--disable-gpu"] });
for (const p of paths) {
  const c = await b.newContext({ viewport: { width: +w, height: +h }, colorScheme: scheme, deviceScaleFactor: 1, hasTouch: +w < 600, isMobile: +w < 600 });
  const g = await c.newPage(); await g.goto(base + p); await g.waitForLoadState("networkidle"); await g.waitForTimeout(600);
  await g.screenshot({ path: `${out}/${p.replace(/[^a-z0-9]+/gi, "_")}-${scheme}-${w}.png` });
  console.log(p, await g.evaluate(() => { const f = document.querySelector("figure, [data-figure], svg.recharts-surface"); return [f ? f.getBoundingClientRect().top : null, document.documentElement.scrollWidth]; }));
  await c.close();
}
await b.close();
