import { expect, type Locator, type Page } from "@playwright/test";
import paths from "../../frontend/src/routes/paths.json";
import { violations, violationsInTheDark } from "./axe";
import { stored } from "./runs";
import { fresh, go, test } from "./samePage";
import { settled } from "./settled";

const ENCRYPTION =
  "/storage?by=encryption&by=image_format&by=storage&metric=disk.read_average&metric=disk.write_average&relative_to=encryption:none";
const SIZES =
  "/storage?by=file_size&by=image_format&by=storage&metric=disk.read_speed&metric=disk.write_speed";

const PAGES: [name: string, address: () => string][] = [
  ["overview", () => "/"],
  ["storage by case", () => "/storage"],
  ["cost of encryption", () => ENCRYPTION],
  ["by file size", () => SIZES],
  ["no answer", () => "/storage?metric=disk.write_average&where=storage:ebs"],
  ["a refused question", () => "/storage?metric=disk.write_speed"],
  ["threads", () => "/threads"],
  ["power", () => "/power"],
  ["cores", () => "/cores"],
  ["workloads", () => "/workloads"],
  ["frequency by residency", () => "/power/residency"],
  ["chips", () => "/chips"],
  ["a chip", () => "/chips/m4-pro"],
  ["models", () => "/models"],
  ["a model", () => "/models/mac-mini-m4-pro"],
  ["runs", () => "/runs"],
  ["a run", () => `/runs/${stored().plain}`],
  ["a sampled run", () => `/runs/${stored().suites.power}`],
  ["a guest's run", () => `/runs/${stored().suites.guest}`],
  ["a doubted run", () => `/runs/${stored().doubted}`],
  ["machines", () => "/machines"],
  ["a machine", () => `/machines/${stored().machine}`],
  ["compare", () => "/compare"],
  ["compare, one side", () => "/compare?metric=disk.write_average&side=1:storage:usb4"],
  ["methods", () => "/methods"],
  ["the API", () => "/docs/api"],
  ["about the data", () => "/about"],
  ["keyboard shortcuts", () => "/shortcuts"],
  ["my links, none", () => "/links"],
  ["add your Mac", () => "/add"],
  ["fleets, signed out", () => "/fleets"],
  ["my Macs, signed out", () => "/my-macs"],
  ["sign in", () => "/sign-in"],
  ["an incomplete invitation", () => "/invitations"],
  ["an incomplete claim", () => "/claim"],
  ["an incomplete confirmation", () => "/confirm-address"],
  ["review, signed out", () => "/review"],
  ["a report", () => "/reports"],
  ["a page that is not there", () => "/nowhere"],
];

/** Pages of people who are signed in, which the tests of those pages check. */
const SIGNED_IN = new Set([
  "/you",
  "/fleets/$name",
  "/fleets/$name/settings",
  "/fleets/$name/duplicates",
  "/fleets/$name/sent",
]);

async function comparison(page: Page): Promise<string> {
  const response = await page.request.post("/api/v1/comparisons", {
    data: { question: SIZES.split("?")[1], title: "Sizes", note: "A note" },
  });
  const { slug, owner_secret } = (await response.json()) as { slug: string; owner_secret: string };
  await go(page, "/links");
  await page.evaluate(
    ([key, secret]) => localStorage.setItem(key ?? "", secret ?? ""),
    [`macmeter.comparison.${slug}`, owner_secret],
  );
  return `/c/${slug}`;
}

/** What makes a page scroll sideways at a width: its elements that end to the right of it. */
const widerThan = (page: Page, width: number): Promise<string[]> =>
  page.evaluate((limit) => {
    if (document.documentElement.scrollWidth <= limit) return [];
    const all = [...document.querySelectorAll("body *")];
    const beyond = all.filter((element) => element.getBoundingClientRect().right > limit);
    return ["scrolls sideways", ...beyond.map((element) => element.outerHTML.slice(0, 120))];
  }, width);

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

test("no page is left out", () => {
  const checked = [...PAGES.map(([, address]) => address().replace(/\?.*/, "")), "/c/slug"];
  const missing = paths.filter((path) => {
    const pattern = new RegExp(`^${path.replaceAll(/\$\w+/g, "[^/]+")}$`);
    return !SIGNED_IN.has(path) && !checked.some((address) => pattern.test(address));
  });
  expect(missing).toEqual([]);
});

test("problems of a page are found", async ({ page }) => {
  await page.setContent("<title>Amiss</title><main><h1>Amiss</h1><img src='mac.png'></main>");
  expect(await violations(page)).toContainEqual(expect.stringMatching(/^image-alt: <img/));
});

/** Pages that together show every kind of part; the others take long and run only by name. */
const DARK = new Set([
  "overview",
  "storage by case",
  "power",
  "frequency by residency",
  "a doubted run",
  "compare",
  "add your Mac",
  "a comparison",
]);

async function unfolded(page: Page, address?: () => string): Promise<void> {
  await go(page, address ? address() : await comparison(page));
  await settled(page);
  // The list gets shorter with each that is opened, and longer with what is inside.
  const closed = page.locator("main details:not([open]) > summary:visible");
  while ((await closed.count()) > 0) await closed.first().click();
  await settled(page);
}

test.describe("each page", () => {
  test.describe.configure({ mode: "parallel" });
  for (const [name, address] of [...PAGES, ["a comparison", undefined] as const]) {
    if (!DARK.has(name)) {
      test(`${name}: readable in the dark @thorough`, async ({ page }) => {
        test.slow();
        await unfolded(page, address);
        expect(await violationsInTheDark(page)).toEqual([]);
      });
    }
    const most = DARK.has(name) ? "" : " @thorough";
    test(`${name}: no violations, no scrolling sideways on a phone${most}`, async ({ page }) => {
      // A page with long tables has many thousand elements to check.
      test.slow();
      await unfolded(page, address);
      expect(await violations(page, TAGS)).toEqual([]);
      if (DARK.has(name)) expect(await violationsInTheDark(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await settled(page);
      // Charts resize shortly after the window.
      await expect.poll(() => widerThan(page, 360)).toEqual([]);
    });
  }
});

test.describe("on a narrow phone", () => {
  test("filters are a drawer that gives the focus back", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await go(page, "/storage");
    await settled(page);
    const open = page.getByRole("button", { name: /^Filters/ });
    await open.focus();
    await page.keyboard.press("Enter");
    const drawer = page.getByRole("dialog", { name: "Filters" });
    await drawer.getByRole("checkbox", { name: /^USB4/ }).click();
    await expect(page).toHaveURL(/where=storage:usb4/);
    await page.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(open).toBeFocused();
    // Figures about to be replaced are faint.
    await settled(page);
    expect(await violations(page)).toEqual([]);
  });
});

test("a point's tooltip fits a narrow phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await go(page, ENCRYPTION);
  await settled(page);
  const box = await page.locator("figure .recharts-wrapper").first().boundingBox();
  if (!box) throw new Error("There is no chart.");
  const tip = page.locator("figure [role=tooltip]");
  let told = 0;
  await page.evaluate((top) => window.scrollTo(0, top - 40), box.y);
  for (let y = 60; y < Math.min(box.height, 600); y += 24) {
    for (let x = box.x + 4; x < box.x + box.width; x += 48) {
      await page.mouse.move(x, y);
      if ((await tip.count()) === 0) continue;
      told += 1;
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThan(361);
    }
  }
  expect(told).toBeGreaterThan(0);
});

test("everything is reached by keyboard, and the focus is always seen", async ({ page }) => {
  await page.goto("/storage");
  await settled(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  const reached: string[] = [];
  for (let step = 0; step < 120; step++) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement;
      if (!(element instanceof HTMLElement) || element === document.body) return undefined;
      const style = getComputedStyle(element);
      const seen = style.outlineStyle !== "none" && Number.parseFloat(style.outlineWidth) >= 1;
      return { name: element.ariaLabel ?? element.innerText.trim(), tag: element.tagName, seen };
    });
    if (!focus) break;
    expect(focus.seen, `${focus.tag} ${focus.name}`).toBe(true);
    reached.push(focus.name);
  }
  for (const name of [
    "Macmeter",
    "Macs",
    "Cost of encryption",
    "Share",
    "Figures as CSV",
    "About this figure",
  ]) {
    expect(reached).toContain(name);
  }
  await page.getByRole("link", { name: "Cost of encryption" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/relative_to/);
});

test("filter, table and share are worked by keyboard alone", async ({ page }) => {
  await page.goto("/storage?by=storage&metric=disk.write_average&where=source:published");
  await settled(page);
  /** Press Tab until that element has the focus. */
  const reach = async (element: Locator) => {
    for (let step = 0; step < 90; step++) {
      await page.keyboard.press("Tab");
      if (await element.evaluate((node) => node === document.activeElement)) return;
    }
    throw new Error(`${element.toString()} was not reached by Tab`);
  };
  await page.keyboard.press("f");
  await reach(page.getByRole("checkbox", { name: /^USB4/ }));
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/where=storage:usb4/);
  await settled(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("button", { name: /^Filters/ })).toBeFocused();
  const dialog = page.getByRole("region", { name: "Share" });
  await reach(page.getByRole("button", { name: "Share" }));
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Title")).toBeVisible();
  await reach(dialog.getByLabel("Title"));
  await page.keyboard.type("By keyboard");
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("status")).toContainText("Saved and frozen.");
  const table = page.getByRole("region", { name: /the figures of the chart/ });
  await reach(table);
  await expect(table).toBeFocused();
  await reach(table.getByRole("link").first());
  await go(page, "/storage?by=storage&metric=disk.write_average&where=source:published");
  await settled(page);
  await reach(page.getByRole("button", { name: "Compare rows" }));
  await page.keyboard.press("Enter");
  for (const name of ["Thunderbolt 5", "USB4"]) {
    await reach(page.getByRole("region", { name: "Compare rows" }).getByRole("checkbox", { name }));
    await page.keyboard.press("Space");
  }
  await reach(page.getByRole("link", { name: "Compare these 2" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/compare\?/);
  await expect(page.getByRole("table")).toBeVisible();
});

// In a page without cached fonts and scripts.
fresh("nothing moves when the data arrives", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const address of [
    "/",
    "/storage",
    SIZES,
    "/runs",
    `/runs/${stored().plain}`,
    `/machines/${stored().machine}`,
    "/compare",
  ]) {
    await page.goto(address);
    await settled(page);
    await page.waitForTimeout(300);
    const shifted = await page.evaluate(() =>
      (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
    );
    expect(shifted, address).toBeLessThan(0.05);
  }
});

test("the appearance can be chosen and is remembered", async ({ page }) => {
  await page.goto("/storage");
  await settled(page);
  const paper = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await paper();
  await page.getByLabel("Appearance").selectOption("dark");
  await expect.poll(paper).not.toBe(light);
  const dark = await paper();
  await page.reload();
  await expect.poll(paper).toBe(dark);
});
