import { join } from "node:path";
import {
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  expect,
  test,
} from "@playwright/test";
import { demoAddress } from "./demo";
import { fleetOfMacs, signIn } from "./ownFleet";
import { settled } from "./settled";

// `make shots`: screenshots of the pages for a release, from a demo of sixty Macs. `docs` has the
// six that documentation shows, in small.
const FOLDER = join(__dirname, "../../build/screenshots");
const SPEEDS = "metric=disk.read_average&metric=disk.write_average";
const SHOTS = {
  overview: "/",
  storage: "/storage",
  encryption: `/storage?by=storage&${SPEEDS}&relative_to=encryption:none`,
  "storage-by-chip": `/storage?by=chip&${SPEEDS}&where=storage:internal`,
  threads: "/threads",
  cores: "/cores",
  power: "/power",
  residency: "/power/residency",
  workloads: "/workloads",
  chips: "/chips",
  chip: "/chips/m4-pro",
  models: "/models",
  compare: `/compare?${SPEEDS}&side=1:storage:internal&side=2:storage:thunderbolt5&side=3:storage:usb4`,
  machines: "/machines",
  runs: "/runs?where=suite:disk",
  add: "/add",
  methods: "/methods",
  about: "/about",
  api: "/docs/api",
};
const IN_DOCS = new Set([
  "compare-light-desktop",
  "comparison-light-phone",
  "cores-dark-desktop",
  "machine-light-desktop",
  "storage-light-desktop",
  "threads-light-desktop",
]);

test.skip(!process.env.SHOTS, "pictures are taken by npm run shots");

let demo: string;
test.beforeAll(async () => {
  test.setTimeout(600_000);
  demo = await demoAddress();
});

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
        // Without space for a mouse's scroll bar.
        isMobile: device === "phone",
        deviceScaleFactor: 2,
      });
      const page = await context.newPage();
      await page.goto(address);
      await settled(page);
      const file = `${name}-${colorScheme}-${device}`;
      await page.screenshot({ path: join(FOLDER, `${file}.png`) });
      if (IN_DOCS.has(file))
        await page.screenshot({ path: join(FOLDER, "docs", `${file}.png`), scale: "css" });
      await context.close();
    }
  }
}

/** First item of this list of the demo. */
async function first(request: APIRequestContext, list: string): Promise<string> {
  const { items } = (await (await request.get(`${demo}/api/v1/${list}`)).json()) as {
    items: { id: string }[];
  };
  const [item] = items;
  if (!item) throw new Error(`the demo has nothing in ${list}`);
  return item.id;
}

for (const [name, path] of Object.entries(SHOTS)) {
  test(name, ({ browser }) => shoot(browser, name, demo + path));
}

test("machine", async ({ browser, request }) => {
  const id = await first(request, "machines?where=chip:Apple%20M4%20Pro&where=virtual:false");
  await shoot(browser, "machine", `${demo}/machines/${id}`);
});

test("runs by suite", async ({ browser, request }) => {
  await shoot(browser, "run", `${demo}/runs/${await first(request, "runs?where=suite:disk")}`);
  await shoot(browser, "trace", `${demo}/runs/${await first(request, "runs?where=suite:power")}`);
});

test("comparison and links", async ({ browser, page, context }) => {
  await page.goto(demo + SHOTS["storage-by-chip"]);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Title").fill("Internal SSDs by chip");
  await page.getByRole("button", { name: "Save and copy link" }).click();
  const link = page.getByRole("status").getByRole("link");
  await expect(link).toHaveText(/\/c\/\w+$/);
  const { pathname } = new URL((await link.textContent()) ?? "");
  await shoot(browser, "comparison", demo + pathname);
  await shoot(browser, "links", `${demo}/links`, await context.storageState());
});

test("fleet and its settings", async ({ browser, context, page, baseURL }) => {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  test.skip(!dataDir, "stores runs: needs a server of its own");
  const fleet = fleetOfMacs();
  await signIn(context, fleet.admin);
  const path = `${baseURL}/fleets/${encodeURIComponent(fleet.name)}`;
  await expect(async () => {
    await page.goto(path);
    const alert = page.getByRole("heading", { name: /Macs slower after/ });
    await expect(alert).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
  const state = await context.storageState();
  await shoot(browser, "fleet", path, state);
  await shoot(browser, "fleet-settings", `${path}/settings`, state);
});
