import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import paths from "../../frontend/src/routes/paths.json";
import { third } from "./crawling";
import { restore, test } from "./samePage";

const ADDRESS = process.env.BASE_URL ?? "";
/**
 * With PAGES=all everybody opens every page; otherwise each role a third of them, and only two roles
 * those that are alike for all.
 */
const ALL = process.env.PAGES === "all";

interface World {
  fleet: string;
  run: string;
  machine: string;
  slug: string;
  /** Words of the fleet's runs. */
  secret: string[];
  cookies: Record<string, string | null>;
  tokens: Record<string, string>;
}

interface Cell {
  heading: string | RegExp;
  /** Content of the fleet; "perhaps" on pages that list only the latest runs. */
  sees?: boolean | "perhaps";
  /** Controls that change the fleet; undefined for tokens, which no browser sends. */
  changes?: boolean | undefined;
}

const PEOPLE = ["viewer", "admin", "server admin"];
const ADMINS = new Set(["admin", "server admin"]);
/** Browsers send no tokens; their pages show what the API answers to an ended one: nothing. */
const REFUSED = "revoked device";

const alike = (heading: string) => heading;
/** A finding or a question, whatever this server's data say. */
const COMPARED = /compare with .*\?$|^On an |writes|reads|^No difference seen/;
/** Likewise: any of it has a number or is about a metric. */
const ANSWERED = /\d|speed|time|Loops|frequency|power/i;
/** Pages that show a device what only it has measured. */
const KINDS = new Set(["/chips/$slug", "/models/$slug"]);
const MISSING: Cell = { heading: "Not found" };

/** Content for each role: the same heading for everybody, or dependent on the role. */
const PAGES: Record<string, string | ((role: string, world: World) => Cell)> = {
  "/": (role) => ({
    heading: "Find out whether your Mac is as fast as it should be",
    sees: role === "device" ? "perhaps" : false,
  }),
  "/storage": () => ({ heading: ANSWERED }),
  "/threads": () => ({ heading: ANSWERED }),
  "/cores": () => ({ heading: ANSWERED }),
  "/power": () => ({ heading: ANSWERED }),
  "/power/residency": alike("Frequency by active residency"),
  "/workloads": () => ({ heading: ANSWERED }),
  "/chips": alike("Chips"),
  "/models": alike("Models"),
  // Chips and models that only a private fleet has.
  "/chips/$slug": () => MISSING,
  "/models/$slug": () => MISSING,
  "/compare": () => ({ heading: COMPARED }),
  "/runs": (role) => ({ heading: "Runs", sees: role === "device" }),
  "/machines": (role) => ({ heading: "Macs", sees: role === "device" }),
  "/runs/$id": (role) =>
    reads(role) || role === "device" ? { heading: "USB4 · FileVault", sees: true } : MISSING,
  // Its name is above the verdict.
  "/machines/$id": (role) =>
    reads(role) || role === "device"
      ? { heading: "1 run of disk: nothing to compare yet", sees: true }
      : MISSING,
  "/fleets": (role) => ({
    heading: [...PEOPLE, "other viewer"].includes(role) ? "Fleets" : "Sign in to see your fleets",
  }),
  "/fleets/$name": (role, { fleet }) => {
    if (!reads(role)) return role === "other viewer" ? MISSING : { heading: "You’re signed out" };
    const changes = role === "person's token" ? undefined : ADMINS.has(role);
    return { heading: fleet, sees: true, changes };
  },
  "/fleets/$name/sent": (role) =>
    reads(role)
      ? { heading: "What leaves a Mac", sees: true }
      : role === "other viewer"
        ? MISSING
        : { heading: "You’re signed out" },
  "/fleets/$name/duplicates": (role) => {
    if (reads(role)) return { heading: "Duplicate Macs" };
    if (role === "other viewer") return MISSING;
    return { heading: isDevice(role) ? "Person needed" : "You’re signed out" };
  },
  "/fleets/$name/settings": (role, { fleet }) => {
    const heading = `${fleet}: settings`;
    if (role === "person's token") return { heading, sees: true };
    if (reads(role)) return { heading, sees: role !== "viewer", changes: role !== "viewer" };
    if (role === "other viewer") return MISSING;
    return { heading: isDevice(role) ? "Person needed" : "You’re signed out" };
  },
  // A link shows figures to everybody who has it, but not whose they are.
  "/c/$slug": () => ({ heading: "Write speed" }),
  "/claim": alike("This link is incomplete"),
  "/confirm-address": alike("This link is incomplete"),
  "/my-macs": (role) => ({
    heading: [...PEOPLE, "other viewer"].includes(role) ? "My Macs" : "Sign in to see your Macs",
  }),
  "/shortcuts": alike("Keyboard shortcuts"),
  "/add": alike("Measure your Mac"),
  "/links": () => ({ heading: "My links" }),
  "/sign-in": alike("Sign in"),
  "/invitations": alike("This link is incomplete"),
  "/you": (role, { secret }) => {
    const names: Record<string, string> = {
      viewer: "Vera",
      "other viewer": "Otto",
      admin: `Ada ${secret[0]?.split(" ")[1]}`,
      "server admin": "Sam",
    };
    return { heading: names[role] ?? "You’re signed out" };
  },
  "/review": () => ({ heading: "Review" }),
  "/reports": alike("Your report"),
  "/methods": alike("Methods"),
  "/about": alike("About the data"),
  "/docs/api": alike("The API"),
};

function reads(role: string): boolean {
  return PEOPLE.includes(role) || role === "person's token";
}

function isDevice(role: string): boolean {
  return role === "device" || role === "other device";
}

function made(): World {
  const { dataDir } = test.info().config.metadata as { dataDir?: string };
  const told = execFileSync(
    join(__dirname, "../../.venv/bin/python"),
    [join(__dirname, "roles.py"), ADDRESS],
    { env: { ...process.env, DATA_DIR: dataDir }, encoding: "utf8" },
  );
  return JSON.parse(told) as World;
}

/** Let the page send what this role's browser does, without anything of the last one. */
async function become(page: Page, world: World, role: string): Promise<void> {
  await restore(page);
  const token = world.tokens[role];
  await page.setExtraHTTPHeaders(token ? { Authorization: token } : {});
  const [name = "", value = ""] = (world.cookies[role] ?? "").split("=");
  if (name) await page.context().addCookies([{ name, value, url: ADDRESS }]);
}

/** Collect what the Content-Security-Policy blocked, and the API's responses. */
function listen(page: Page): { refused: string[]; bodies: Promise<string>[] } {
  const refused: string[] = [];
  const bodies: Promise<string>[] = [];
  page.on("console", (message) => {
    if (message.text().includes("Content Security Policy")) refused.push(message.text());
  });
  page.on("response", (response) => {
    // Leaving a page discards its responses.
    if (response.url().includes("/api/")) bodies.push(response.text().catch(() => ""));
  });
  return { refused, bodies };
}

function address(path: string, world: World): string {
  const of = path === "/runs/$id" ? world.run : world.machine;
  const fleet = encodeURIComponent(world.fleet);
  if (path.startsWith("/chips/")) return "/chips/apple-m4-potoroo";
  if (path.startsWith("/models/"))
    return `/models/${world.secret[0]?.toLowerCase().replaceAll(" ", "-")}`;
  return path.replace("$id", of).replace("$name", fleet).replace("$slug", world.slug);
}

/** Difference between what is shown and what should be; empty as soon as there is none. */
async function faultOf(page: Page, cell: Cell, secret: string[]): Promise<string> {
  const { headings, text, changing } = await page.evaluate(() => ({
    headings: [...document.querySelectorAll("main h1")].map((one) => one.textContent),
    text: document.querySelector("main")?.innerText ?? "",
    changing: [...document.querySelectorAll("main button, main input")].some((one) =>
      /^(Delete this fleet|Address of a webhook)$/.test(one.ariaLabel ?? one.textContent ?? ""),
    ),
  }));
  const { heading } = cell;
  const isHeaded = headings.some((one) =>
    typeof heading === "string" ? one === heading : heading.test(one ?? ""),
  );
  if (!isHeaded) return `is headed ${headings.join()}, not ${heading}`;
  const sees = secret.some((one) => text.includes(one));
  if (cell.sees !== "perhaps" && sees !== (cell.sees ?? false))
    return sees ? "sees what is private" : "does not see its own";
  if (cell.changes !== undefined && changing !== cell.changes) {
    return changing ? "may change" : "may not change";
  }
  return "";
}

test("each page shows each role what is theirs, and nothing of others", async ({ page }) => {
  test.slow();
  expect(
    paths.filter((path) => !(path in PAGES)),
    "pages that are missing here",
  ).toEqual([]);
  const world = made();
  const wrong: string[] = [];
  let cells = 0;
  const roles = [...Object.keys(world.cookies), ...Object.keys(world.tokens)];
  for (const [place, role] of roles.entries()) {
    await become(page, world, role);
    const { refused, bodies } = listen(page);
    await page.goto(`${ADDRESS}/methods`);
    for (const path of ALL ? paths : third(paths, place % 3)) {
      const row = PAGES[path] ?? "";
      if (typeof row === "string" && !ALL && !["anybody", "viewer"].includes(role)) continue;
      const cell = typeof row === "string" ? { heading: row } : row(role, world);
      cells += 1;
      // Like a link: the page stays, and so do its cached responses.
      await page.evaluate((to) => history.pushState({}, "", to), address(path, world));
      if (role === REFUSED || (role === "device" && KINDS.has(path))) {
        await page.waitForLoadState("networkidle");
        continue;
      }
      let fault = "";
      const right = async () => {
        fault = await faultOf(page, cell, world.secret);
        return fault;
      };
      await expect
        .poll(right)
        .toBe("")
        .catch(() => wrong.push(`${role} at ${path}: ${fault}`));
    }
    const leaks = (await Promise.all(bodies)).filter((body) =>
      world.secret.some((one) => body.includes(one)),
    );
    if (!reads(role) && role !== "device" && leaks.length > 0) wrong.push(`${role}: ${leaks[0]}`);
    wrong.push(...refused.map((one) => `${role}: ${one}`));
  }
  console.log(`${cells - wrong.length} of ${cells} cells of pages hold`);
  expect(wrong).toEqual([]);
});

test("an embed is styled under its own policy", async ({ page }) => {
  const saved = await page.request.post("/api/v1/comparisons", {
    data: { question: "metric=disk.write_average&by=storage" },
  });
  const { slug } = (await saved.json()) as { slug: string };
  const { refused } = listen(page);
  for (const theme of ["", "?theme=dark", "?theme=light"]) {
    await page.goto(`/embed/c/${slug}${theme}`);
    await expect(page.locator("img")).toHaveJSProperty("complete", true);
    expect(await page.evaluate(() => getComputedStyle(document.body).margin)).toBe("0px");
  }
  expect(refused).toEqual([]);
});
