import { expect } from "@playwright/test";
import { exportsOf } from "./filters";
import { stored } from "./runs";
import { go, test } from "./samePage";
import { settled } from "./settled";

test("a figure is copied as Markdown, as a picture and as a link", async ({ page, context }) => {
  stored();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await go(page, "/storage?by=storage&metric=disk.write_average&where=source:measured");
  await settled(page);
  await exportsOf(page);
  await page.getByRole("button", { name: "Copy Markdown" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toHaveCount(1);
  const markdown = await page.evaluate(() => navigator.clipboard.readText());
  const value = await page.locator('td[data-column="value"]').first().innerText();
  expect(markdown).toContain(value.trim());
  expect(markdown).toContain(`[Macmeter](${page.url()})`);

  await page.getByRole("button", { name: "Copy image" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toHaveCount(2);
  const types = await page.evaluate(async () =>
    (await navigator.clipboard.read()).flatMap((item) => item.types),
  );
  expect(types).toContain("image/png");

  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());
});

for (const [name, address] of [
  ["an answer", "/storage?by=storage&metric=disk.write_average&where=source:measured"],
  [
    "sides",
    "/compare?metric=disk.write_average&side=1:storage:internal&side=2:storage:thunderbolt5",
  ],
] as const) {
  test(`the feed of ${name} is beside its downloads`, async ({ page, request }) => {
    stored();
    await page.goto(address);
    await exportsOf(page);
    const link = page.getByRole("link", { name: "Feed", exact: true });
    await expect(link).toHaveAttribute("type", "application/atom+xml");
    const feed = await request.get((await link.getAttribute("href")) ?? "");
    expect(feed.headers()["content-type"]).toContain("application/atom+xml");
    expect(await feed.text()).toMatch(/<title>Macmeter: (Write|Read).+<\/title>/u);
  });
}
