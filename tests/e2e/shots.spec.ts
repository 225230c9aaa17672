import { join } from "node:path";
import { expect, test } from "@playwright/test";

// `npm run shots` in frontend/: the pictures of docs/screenshots, from published figures only.
const FOLDER = join(__dirname, "../../docs/screenshots");
const AVERAGES =
  "by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average";
const SHOTS = {
  overview: "/",
  storage: `/storage?${AVERAGES}&where=source:published&where=via:`,
  encryption: `/storage?${AVERAGES}&relative_to=encryption:none&where=source:published`,
  threads:
    "/threads?by=threads&by=virtual&fit=power&metric=compression.duration&where=article:a004-more-threads&where=threads:1..5",
  cores: "/cores",
  power: "/power",
  chips: "/chips?family=M4",
  compare: `/compare?${AVERAGES}&side=1:storage:internal&side=2:storage:thunderbolt5&side=3:storage:usb4&where=source:published`,
  machines: "/machines?where=source:published",
  methods: "/methods",
  about: "/about",
};

test.skip(!process.env.SHOTS, "pictures are taken by npm run shots");

for (const [name, address] of Object.entries(SHOTS)) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [device, width, height] of [
      ["desktop", 1280, 860],
      ["phone", 390, 844],
    ] as const) {
      test(`${name} ${colorScheme} ${device}`, async ({ browser }) => {
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
      });
    }
  }
}
