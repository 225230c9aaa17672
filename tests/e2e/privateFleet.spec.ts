import { expect, type Page } from "@playwright/test";
import { follow, linksOn, oneOfEachKind, THOROUGH } from "./crawling";
import { plantedFleet, type PlantedFleet, signIn } from "./ownFleet";
import { fresh as test } from "./samePage";

// A private fleet's pages, tried by everybody who might open them. THOROUGH=1 follows links that
// differ in what they ask; the short form one of each kind.

const ADDRESS = process.env.BASE_URL ?? "";
const MACS = 60;
/** Pages of public data, or of the reader's own: they are about no fleet. */
const OF_NO_FLEET =
  /^\/(?:$|\?|#|chips|models|methods|about|docs|shortcuts|links|my-macs|add|you|sign-in|fleets(?:\?|$))/;

/** Pages of what these Macs never measured, which every header leads to. */
const NOT_MEASURED = new Set(["/threads", "/cores", "/power", "/workloads"]);

test.describe.configure({ mode: "serial" });

let fleet: PlantedFleet;
test.beforeAll(() => {
  fleet = plantedFleet(MACS);
});

const place = () => `/fleets/${encodeURIComponent(fleet.name)}`;
const ownPages = () => ["", "/settings", "/sent", "/duplicates"].map((end) => place() + end);

/** Wait until the fleet's page has its figures, which come seconds after the runs. */
async function worked(page: Page): Promise<void> {
  await expect(async () => {
    await page.goto(place());
    const change = page.getByRole("region", { name: "Changes after macOS updates" });
    await expect(change).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 180_000 });
}

/** What is wrong with a page that a member opened from the fleet's: it forgot the fleet, or is empty. */
async function forgotten(page: Page, link: string): Promise<string[]> {
  const path = new URL(page.url()).pathname;
  const main = page.getByRole("main");
  const wrong: string[] = [];
  if ((await main.innerText()).trim() === "") wrong.push("an empty page");
  if ((await main.getByText("Page not found").count()) > 0) wrong.push("no such page");
  if (OF_NO_FLEET.test(path)) return wrong;
  const shown = page.getByRole("banner").locator("select option:checked");
  const said = await shown.allInnerTexts();
  if (!said.includes(fleet.name)) wrong.push(`figures of ${said.join()} in the header`);
  const back = main.locator(`a[href^="${place()}"]`);
  if (!link.startsWith(place()) && (await back.count()) === 0) wrong.push("no way back");
  if (NOT_MEASURED.has(path)) return wrong;
  const none = main.getByText(/^(?:No runs|No Macs?) (?:match|answer)/);
  wrong.push(...(await none.allInnerTexts()));
  return wrong;
}

for (const role of ["admin", "viewer", "server admin"] as const) {
  const most = role === "admin" ? "" : " @thorough";
  test(`every link from a private fleet's pages stays in it, for the ${role}${most}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(THOROUGH ? 1_800_000 : 400_000);
    await signIn(context, fleet.cookies[role]);
    await worked(page);
    const pages = role === "viewer" ? [place(), `${place()}/sent`] : ownPages();
    const from = await linksOn(page, ADDRESS, pages);
    // Of the Macs and runs that these lead to, the pages' own links too.
    const things = oneOfEachKind(from.keys()).filter((link) => /^\/(?:machines|runs)/.test(link));
    for (const id of [fleet.retired, fleet.revoked]) things.push(`/machines/${id}`);
    for (const [link, on] of await linksOn(page, ADDRESS, things)) {
      if (!from.has(link)) from.set(link, on);
    }
    const followed = oneOfEachKind(from.keys());
    const broken = await follow(page, ADDRESS, followed, from, (link) => forgotten(page, link));
    console.log(`${followed.length} of ${from.size} links followed as the ${role}`);
    expect(broken).toEqual([]);
  });
}
