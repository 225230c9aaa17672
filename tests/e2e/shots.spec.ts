import { join } from "node:path";
import { type Browser, expect, test } from "@playwright/test";
import { upload } from "./runs";

// `npm run shots` in frontend/: the pictures of docs/screenshots, of a server that holds published
// figures alone until the last of them.
const FOLDER = join(__dirname, "../../docs/screenshots");
const AVERAGES =
  "by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average";
const CURVES =
  "by=threads&by=virtual&fit=power&metric=compression.duration&where=article:a004-more-threads&where=threads:1..5";
const SHOTS = {
  overview: "/",
  storage: `/storage?${AVERAGES}&where=via:`,
  encryption: `/storage?${AVERAGES}&relative_to=encryption:none`,
  threads: `/threads?${CURVES}`,
  cores: "/cores",
  power: "/power",
  chips: "/chips?family=M4",
  compare: `/compare?${AVERAGES.replaceAll(/by=\w+&/g, "")}&side=1:storage:internal&side=2:storage:thunderbolt5&side=3:storage:usb4`,
  machines: "/machines",
  runs: "/runs?where=suite:disk",
  methods: "/methods",
  about: "/about",
};

test.skip(!process.env.SHOTS, "pictures are taken by npm run shots");

async function shoot(browser: Browser, name: string, address: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [device, width, height] of [
      ["desktop", 1280, 860],
      ["phone", 390, 844],
    ] as const) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height },
        deviceScaleFactor: 2,
      });
      const page = await context.newPage();
      await page.goto(address);
      await page.waitForLoadState("networkidle");
      await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${device}.png`) });
      await context.close();
    }
  }
}

for (const [name, address] of Object.entries(SHOTS)) {
  test(name, ({ browser }) => shoot(browser, name, address));
}

test("machine", async ({ browser, request }) => {
  const found = await request.get("/api/v1/machines?q=mini");
  const { items } = (await found.json()) as { items: { id: string; runs: number }[] };
  const [most] = items.toSorted((a, b) => b.runs - a.runs);
  await shoot(browser, "machine", `/machines/${most?.id}`);
});

test("comparison", async ({ browser, request }) => {
  const question = CURVES;
  const saved = await request.post("/api/v1/comparisons", {
    data: { question, title: "What another thread is worth, on a Mac and in a VM" },
  });
  expect(saved.ok()).toBe(true);
  const { slug } = (await saved.json()) as { slug: string };
  await shoot(browser, "comparison", `/c/${slug}`);
});

// No article prints a run's samples or traces: these are of the tests' documents.
test("run", async ({ browser, baseURL }, { config }) => {
  const { dataDir } = config.metadata as { dataDir?: string };
  test.skip(!dataDir, "stores runs: needs a server of its own");
  const { plain, suites } = await upload(baseURL ?? "", dataDir ?? "");
  await shoot(browser, "run", `/runs/${plain}`);
  await shoot(browser, "trace", `/runs/${suites.power}`);
});
