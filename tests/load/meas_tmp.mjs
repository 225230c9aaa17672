import { chromium } from "@playwright/test";
const b = await chromium.launch({executablePath: process.env.CHROMIUM, args:["--no-sandbox","--disable-gpu"]});
const p = await b.newPage({viewport:{width:1280,height:900}});
for (const path of ["/storage","/threads","/cores","/power","/workloads"]) { await p.goto(process.argv[2]+path); await p.waitForLoadState("networkidle");
console.log(path, await p.evaluate(()=>{const n=document.querySelector('nav[aria-label^="Views of"]');const a=[...n.querySelectorAll("a")];return JSON.stringify([n.clientWidth,n.scrollWidth,getComputedStyle(n).gap,new Set(a.map(x=>x.getBoundingClientRect().top)).size,a.reduce((s,x)=>s+x.offsetWidth,0), a.map(x=>x.textContent+":"+x.offsetWidth).join(", ")])})); }
await b.close();
