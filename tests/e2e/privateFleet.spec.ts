import { expect, type Page } from "@playwright/test";
import { violations } from "./axe";
import { follow, linksOn, oneOfEachKind, THOROUGH, third } from "./crawling";
import { mailsOfAlerts, plantedFleet, type PlantedFleet, signIn } from "./ownFleet";
import { fresh as test, go } from "./samePage";
import { settled } from "./settled";

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
/** What the admin's pages lead to. */
let links: string[] = [];
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
    const every = oneOfEachKind(from.keys());
    if (role === "admin") links = every;
    const followed = third(every);
    const broken = await follow(page, ADDRESS, followed, from, (link) => forgotten(page, link));
    console.log(`${followed.length} of ${from.size} links followed as the ${role}`);
    expect(broken).toEqual([]);
  });
}

test("a label's value is a group with a page of its own", async ({ page, context }) => {
  await signIn(context, fleet.cookies.viewer);
  await worked(page);
  await page.getByRole("navigation", { name: "Groups" }).getByText("B", { exact: true }).click();
  await expect(page).toHaveURL(/\?where=label:rack:B$/);
  await expect(page.getByRole("heading", { name: "rack: B" })).toBeVisible();
  const macs = page.getByRole("region", { name: "Macs of this fleet" });
  await expect(macs.getByRole("row").filter({ hasText: /Mac mini \d/ })).toHaveCount(
    fleet.racked / 2,
  );
  await expect(macs.getByRole("row")).toHaveCount(1 + fleet.racked / 2);
  expect(await violations(page)).toEqual([]);
  // Sorting and filtering stay in it, and its figures ask about its Macs.
  await macs.getByRole("button", { name: "Chip" }).click();
  await expect(page).toHaveURL(/where=label:rack:B/);
  await page.getByRole("link", { name: "Storage" }).nth(1).click();
  await expect(page).toHaveURL(/where=fleet:planted.*where=label:rack:B/);
  // What isn't a group says so, and leads back.
  await page.goto(`${place()}?where=label:site:nowhere`);
  await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
});

for (const role of ["stranger", "anybody"] as const) {
  const most = role === "stranger" ? "" : " @thorough";
  test(`the same links tell ${role} nothing of the fleet, and say what to do${most}`, async ({
    page,
    context,
  }) => {
    test.setTimeout(400_000);
    if (role === "stranger") await signIn(context, fleet.cookies.stranger);
    const followed = links.filter((link) => link.includes(fleet.name.replace(" ", "%20")));
    expect(followed.length).toBeGreaterThan(5);
    const wrong: string[] = [];
    for (const link of third(followed).filter((one) => !/^\/(?:api|feeds)\//.test(one))) {
      await go(page, ADDRESS + link);
      await settled(page);
      const main = page.getByRole("main");
      const text = await main.innerText();
      if (/MacBook Air \d{3}|Mac mini \d{3}/.test(text)) wrong.push(`a Mac's name at ${link}`);
      if (text.trim() === "") wrong.push(`an empty page at ${link}`);
      const ways = main.locator("a, button");
      if ((await ways.count()) === 0) wrong.push(`a dead end at ${link}`);
    }
    expect(wrong).toEqual([]);
  });
}

test("programs that may read see what their owners see", async ({ page, context, request }) => {
  await signIn(context, fleet.cookies.viewer);
  const asked = new Set<string>();
  page.on("request", (one) => {
    const { pathname, search } = new URL(one.url());
    if (one.method() === "GET" && /^\/api\/v1\/(?!session|events)/.test(pathname)) {
      asked.add(pathname + search);
    }
  });
  for (const path of [place(), `${place()}/sent`, `/machines/${fleet.retired}`]) {
    await page.goto(path);
    await settled(page);
  }
  const own = [...asked].filter((path) => /planted|[0-9a-f-]{36}/.test(path));
  expect(own.length).toBeGreaterThan(5);
  const statuses = async (headers?: Record<string, string>) => {
    const found = await Promise.all(own.map((path) => request.get(ADDRESS + path, { headers })));
    return found.map((answer, at) => `${answer.status()} ${own[at]}`);
  };
  const seen = await statuses({ Authorization: fleet.tokens.viewer });
  expect(seen.filter((one) => !one.startsWith("200"))).toEqual([]);
  for (const headers of [{ Authorization: fleet.tokens.stranger }, undefined]) {
    const refused = await statuses(headers);
    // 422: a percentile of a Mac that has no results there, as in a fleet that never was.
    expect(refused.filter((one) => !/^(?:401|404|422)/.test(one))).toEqual([]);
  }
});

test("each link of a mail leads to signing in, and then to its alert", async ({ browser }) => {
  test.setTimeout(400_000);
  const mails = mailsOfAlerts(fleet.name);
  // A rack's team gets what concerns its Macs.
  expect(mails.links.team).toHaveLength(1);
  for (const role of ["admin", "viewer"] as const) {
    expect(mails.links[role]).toHaveLength(mails.alerts);
    const all = [...mails.links[role], ...mails.links.team];
    for (const [at, link] of (THOROUGH ? all : all.slice(0, 2)).entries()) {
      const signedOut = await browser.newContext();
      const page = await signedOut.newPage();
      await page.goto(link);
      await expect(page.getByText("You’re signed out")).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
      // Each sign-in is the same, and wrong ones are limited: by the form once, then by a session.
      if (at === 0) {
        await page.getByLabel("Email").fill(mails.to[role]);
        await page.getByLabel("Password").fill(mails.password);
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
      } else {
        await signIn(signedOut, fleet.cookies[role]);
        await page.goto(link);
      }
      await expect(page).toHaveURL(link);
      const alert = page.locator(new URL(link).hash);
      await expect(alert).toBeInViewport();
      await expect(alert.getByRole("heading")).not.toBeEmpty();
      await signedOut.close();
    }
  }
});

test("whoever is invited to a group sees its Macs only, wherever links lead", async ({
  browser,
}) => {
  test.setTimeout(200_000);
  const own = await browser.newContext();
  await signIn(own, fleet.cookies.admin);
  const list = `${ADDRESS}/api/v1${place()}/machines`;
  const { items } = (await (await own.request.get(`${list}?q=mini&limit=3`)).json()) as {
    items: { id: string; name: string }[];
  };
  const machines = items.map(({ id }) => ({ id, labels: { desk: "4" } }));
  const headers = { "Sec-Fetch-Site": "same-origin" };
  expect((await own.request.patch(list, { data: { machines }, headers })).status()).toBe(200);
  const admin = await own.newPage();
  await admin.goto("/you");
  const invitations = admin.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("To").selectOption(fleet.name);
  await invitations.getByLabel("Role").selectOption("Viewer of desk: 4");
  await invitations.getByRole("button", { name: "Invite" }).click();
  const link = new URL((await invitations.locator("code").textContent()) ?? "");
  await own.close();

  const context = await browser.newContext();
  await signIn(context, fleet.cookies.stranger);
  const page = await context.newPage();
  await page.goto(`${link.pathname}${link.hash}`);
  await expect(page.getByRole("heading", { name: `Join ${fleet.name}` })).toBeVisible();
  await page.getByRole("button", { name: /^Accept/ }).click();
  await expect(page.getByText(`${items.length} Macs, latest upload first`)).toBeVisible();
  await page.goto(place());
  await expect(page.getByRole("heading", { name: "desk: 4" })).toBeVisible();
  const listed = page.getByRole("region", { name: "Macs of this fleet" }).getByRole("row");
  await expect(listed).toHaveCount(1 + items.length);
  const from = await linksOn(page, ADDRESS, [place(), `/machines/${machines[0]?.id ?? ""}`]);
  const names = new Set(items.map(({ name }) => name));
  const followed = oneOfEachKind(from.keys());
  const broken = await follow(page, ADDRESS, followed, from, async (at) => {
    const text = await page.getByRole("main").innerText();
    const others = (text.match(/(?:MacBook \w+|Mac mini|VM) \d{3}/g) ?? []).filter(
      (name) => !names.has(name),
    );
    return [...others, ...(await forgotten(page, at))];
  });
  console.log(`${followed.length} of ${from.size} links followed as a limited viewer`);
  expect(broken).toEqual([]);
  await context.close();
});
