import { expect } from "@playwright/test";
import { go, test } from "./samePage";

interface Sources {
  dispositions: { name: string; rows: number }[];
  articles: { article: string; title: string; figures: { row: string; run: string | null }[] }[];
}

test("every article has its citation and all its figures", async ({ page, request }) => {
  await page.goto("/");
  const more = page.getByRole("navigation", { name: "More pages" });
  await more.getByRole("link", { name: "About the data" }).click();
  await expect(page).toHaveURL(/\/about$/);
  const { articles, dispositions } = (await (
    await request.get("/api/v1/sources")
  ).json()) as Sources;
  const became = page.getByRole("region", { name: "How published figures are used" });
  for (const { rows, name } of dispositions) {
    const told = `${rows} ${name.replaceAll("_", " ")}${rows === 1 ? "" : "s"}`;
    await expect(became.getByText(told, { exact: true })).toBeVisible();
  }
  for (const { article, title, figures } of articles) {
    const item = page.locator(`#${article}`);
    await expect(item.getByRole("heading")).toHaveText(title);
    if (figures.length > 0) await expect(item).toContainText(`${figures.length} figure`);
  }
  const chosen = articles.find(({ figures }) => figures.some(({ run }) => run !== null));
  const item = page.locator(`#${chosen?.article}`);
  await item.getByText("Every figure").click();
  await expect(item.getByRole("row")).toHaveCount(1 + (chosen?.figures.length ?? 0));
  await item.getByRole("rowheader").getByRole("link").first().click();
  await expect(page.getByText("Published figures,")).toBeVisible();
});

test("a chart leads to its method, and the method's anchor is shown", async ({ page }) => {
  await go(page, "/threads");
  await page.getByText("About this figure").click();
  await page.getByRole("link", { name: "Compression by threads" }).click();
  await expect(page).toHaveURL(/\/methods#compression$/);
  const section = page.getByRole("region", { name: "Compression by threads" });
  await expect(section).toBeInViewport();
  await expect(section).toContainText("thread-sweep");
  await page.reload();
  await expect(section).toBeInViewport();
  await expect(section.getByText("Compression speed", { exact: true })).toBeVisible();
});
