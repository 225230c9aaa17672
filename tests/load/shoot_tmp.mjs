import { chromium } from "@playwright/test";
const [,, base, folder, modes, ...paths] = process.argv;
const b = await chromium.launch({executablePath: process.env.CHROMIUM, args:["--no-sandbox","--disable-gpu","--disable-dev-shm-usage"]});
for (const p of paths) for (const m of modes.split(",")) {
  const phone = m.startsWith("phone");
  const c = await b.newContext({colorScheme: m.endsWith("dark")?"dark":"light", viewport: phone?{width:390,height:844}:{width:1280,height:900}, isMobile: phone, timezoneId:"UTC"});
  const page = await c.newPage();
  await page.goto(base+p);
  await page.getByRole("heading",{level:1}).first().waitFor();
  await page.waitForLoadState("networkidle"); await page.waitForTimeout(700);
  const f = p.replace(/[^a-z0-9]+/gi,"_").slice(0,60)||"_";
  await page.screenshot({path:`${folder}/${f}-${m}.png`, fullPage: true});
  const nodes = await page.evaluate(()=>[document.querySelectorAll("*").length, document.documentElement.scrollHeight, document.querySelectorAll("svg [data-reached]").length, document.documentElement.scrollWidth]);
  const cut = await page.evaluate(()=>[...document.querySelectorAll("svg text")].filter(t=>{const s=t.ownerSVGElement.getBoundingClientRect(),r=t.getBoundingClientRect();return r.width&&(r.right>s.right+1||r.left<s.left-1)}).map(t=>t.textContent).slice(0,6));
  console.log(f,m,nodes.join(" "),JSON.stringify(cut));
  await c.close();
}
await b.close();
