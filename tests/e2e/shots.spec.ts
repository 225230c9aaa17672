import { join } from "node:path";
import { type Browser, type BrowserContext, test } from "@playwright/test";
import { upload } from "./runs";
import { settled } from "./settled";

// `make shots`: pictures of the pages, from a server that has only published figures until the last
// of them. They belong to a release, not to the repository.
const FOLDER = join(__dirname, "../../build/screenshots");
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
  api: "/docs/api",
};
// What no article prints: these are of the tests' documents.
const OF_TESTS = {
  workloads: "/workloads",
  residency: "/power/residency?fit=quadratic",
};

test.skip(!process.env.SHOTS, "pictures are taken by npm run shots");

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function shoot(
  browser: Browser,
  name: string,
  address: string,
  storageState?: State,
): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [device, width, height] of [
      ["desktop", 1280, 860],
      ["phone", 390, 844],
    ] as const) {
      const context = await browser.newContext({
        colorScheme,
        storageState,
        viewport: { width, height },
        deviceScaleFactor: 2,
      });
      const page = await context.newPage();
      await page.goto(address);
      await settled(page);
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

test("comparison and links", async ({ browser, page, context }) => {
  await page.goto(`/threads?${CURVES}`);
  await page.getByRole("button", { name: "Save comparison" }).click();
  await page.getByLabel("Title").fill("What another thread is worth, on a Mac and in a VM");
  await page.getByRole("button", { name: "Save and get the link" }).click();
  const link = await page.getByRole("status").getByRole("link").textContent();
  await shoot(browser, "comparison", new URL(link ?? "").pathname);
  await shoot(browser, "links", "/links", await context.storageState());
});

test("what articles do not print", async ({ browser, baseURL }, { config }) => {
  const { dataDir } = config.metadata as { dataDir?: string };
  test.skip(!dataDir, "stores runs: needs a server of its own");
  test.setTimeout(180_000);
  const { plain, suites } = await upload(baseURL ?? "", dataDir ?? "");
  await shoot(browser, "run", `/runs/${plain}`);
  await shoot(browser, "trace", `/runs/${suites.power}`);
  for (const [name, address] of Object.entries(OF_TESTS)) await shoot(browser, name, address);
});
