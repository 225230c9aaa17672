import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
const [,, out, w, h, ...files] = process.argv;
const b = await chromium.launch({executablePath: process.env.CHROMIUM, args:["--no-sandbox"]});
const p = await b.newPage({viewport:{width: Number(w)*files.length, height: Number(h)}});
await p.setContent(`<body style="margin:0;display:flex;background:#888">`+files.map(f=>`<div style="width:${w}px;height:${h}px;overflow:hidden;outline:1px solid red"><img style="width:100%" src="data:image/png;base64,${readFileSync(f).toString("base64")}"></div>`).join(""));
await p.waitForTimeout(300);
await p.screenshot({path: out}); await b.close();
