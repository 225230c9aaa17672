import { expect } from "@playwright/test";
import { filtersOf } from "./filters";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

test("runs are listed, filtered and opened", async ({ page }) => {
  await go(page, "/runs");
  const filters = await filtersOf(page);
  await filters.getByRole("checkbox", { name: /^Measured/ }).click();
  await expect(page).toHaveURL(/where=source:measured/);
  // Other tests store more runs than a page has.
  await filters.getByRole("checkbox", { name: /^Thunderbolt 5/ }).click();
  await expect(page).toHaveURL(/where=storage:thunderbolt5/);
  const row = page
    .getByRole("row")
    .filter({ hasText: "4.83" })
    .filter({ hasText: "Thunderbolt 5" });
  await expect(row).toContainText("5.13");
  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(stored().plain));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Thunderbolt 5 · Not encrypted");
});

test("older runs are a page further", async ({ page }) => {
  await go(page, "/runs");
  const first = await page.getByRole("row").nth(1).innerText();
  await page.getByRole("link", { name: "Older runs" }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(page.getByRole("row").nth(1)).not.toHaveText(first);
  // By keyboard: the new page may still be scrolling to its top.
  await page.getByRole("link", { name: "Back to the newest" }).press("Enter");
  await expect(page).not.toHaveURL(/cursor=/);
});

test("a run shows its facts, samples, results and the document as uploaded", async ({
  page,
  request,
}) => {
  const { plain } = stored();
  await go(page, `/runs/${plain}`);
  await expect(page.getByText("Apple M4 Pro").first()).toBeVisible();
  await expect(page.getByRole("figure", { name: /Samples/ })).toBeVisible();
  await expect(
    page
      .getByRole("row")
      .filter({ hasText: /^2\sGB/ })
      .first(),
  ).toBeVisible();
  await page.getByText(/Run document as uploaded/).click();
  await expect(page.getByRole("region", { name: "Run document" })).toContainText("macmeter.run/1");
  const address = await page.getByRole("link", { name: "Download document" }).getAttribute("href");
  const bytes = await (await request.get(address ?? "")).json();
  expect((bytes as { id: string }).id).toBe(plain);
});

test("a disk run is drawn by file size, and its marks are reached by keyboard", async ({
  page,
}) => {
  await go(page, `/runs/${stored().plain}`);
  const figure = page.getByRole("figure", { name: "Write and read speed by file size" });
  await expect(
    figure.getByRole("heading", { name: "Write speed by file size", exact: true }),
  ).toBeVisible();
  await figure.getByRole("group", { name: /^Chart: Write and read speed/ }).focus();
  await page.keyboard.press("ArrowRight");
  const mark = figure.getByRole("img", { name: /^Write speed by file size, 2\sMB: / });
  await expect(mark).toBeFocused();
  const value = (await mark.getAttribute("aria-label"))?.split(": ")[1] ?? "none";
  await expect(page.getByRole("tooltip")).toContainText(value);
  await expect(
    page
      .getByRole("region", { name: "Results by size" })
      .getByText(value.split(/\s/u)[0] ?? "none", { exact: true })
      .first(),
  ).toBeVisible();
});

test("a doubted run says why in words", async ({ page }) => {
  await go(page, `/runs/${stored().doubted}`);
  const flags = page.getByRole("list", { name: "Flags" });
  await expect(flags).toContainText("may have read from the cache");
  await expect(flags).toContainText("12% of the pages were resident");
});

test("hostile text is text: it runs nothing, loads nothing and turns nothing round", async ({
  page,
  baseURL,
}) => {
  const outside: string[] = [];
  const loud: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) outside.push(request.url());
  });
  page.on("dialog", (dialog) => {
    loud.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => loud.push(error.message));
  const { hostile } = stored();
  for (const address of [
    `/runs/${hostile}`,
    "/runs?where=source:measured",
    "/storage?metric=disk.write_average&metric=disk.read_average&by=model&by=device&where=source:measured",
    "/storage?metric=disk.write_speed&by=file_size&by=model&where=source:measured",
  ]) {
    await page.goto(address);
    await settled(page);
    const made = await page.evaluate(
      () =>
        document.querySelectorAll(
          "#root script, #root iframe, #root img, #root object, #root [onerror]",
        ).length,
    );
    expect(made, address).toBe(0);
    // Every direction mark is inside an element or a pair of marks that limits it.
    const loose = await page.evaluate(() => {
      const turning = /[\u202a-\u202e\u2066-\u2069]/;
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent ?? "";
        if (!turning.test(text)) continue;
        const isolated =
          /^\u2068[^]*\u2069$/.test(text) || node.parentElement?.closest("bdi") !== null;
        if (!isolated) found.push(`${node.parentElement?.tagName}: ${text}`);
      }
      return found;
    });
    expect(loose, address).toEqual([]);
  }
  await page.goto(`/runs/${hostile}`);
  await page.getByText(/Run document as uploaded/).click();
  await expect(page.getByRole("region", { name: "Run document" })).not.toContainText("\u202e");
  expect(outside).toEqual([]);
  expect(loud).toEqual([]);
});
