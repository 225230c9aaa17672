import { readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { filtersOf } from "./filters";
import { linesOf, shows, unitOf } from "./figures";
import { settled } from "./settled";

// Called by tests/e2e/test_path.py with a run that the agent measured on this machine's own disk.
const { RUN_ID, RUN_DOCUMENT } = process.env;

interface RunDocument {
  machine: { id: string };
  method: { name: string };
  target: { storage?: string; encryption?: string };
  series: { metric: string; values: number[] }[];
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

test("a run of this machine's disk is found, compared and shared", async ({ page, browser }) => {
  test.skip(!RUN_ID || !RUN_DOCUMENT, "needs RUN_ID and RUN_DOCUMENT of an uploaded run");
  const document = JSON.parse(readFileSync(RUN_DOCUMENT ?? "", "utf8")) as RunDocument;
  const average = (metric: string) =>
    median(document.series.find((series) => series.metric === metric)?.values ?? []);

  // From the list of runs to the run's own page.
  await page.goto("/");
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Macs", exact: true })
    .click();
  await page.getByRole("navigation", { name: "Lists" }).getByRole("link", { name: "Runs" }).click();
  await page.locator(`a[href$="/runs/${RUN_ID}"]`).click();
  await expect(page.getByRole("heading", { name: "Mac", exact: true })).toBeVisible();
  await expect(page.getByText(document.machine.id)).toBeVisible();

  // Storage results, narrowed to that machine by its facet.
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "Storage" })
    .click();
  // The page opens with the first view that has measurements, which depends on other tests'
  // uploads.
  await page.getByRole("link", { name: "By case" }).click();
  const filters = await filtersOf(page);
  // Guests' disks have their own view: this one excludes them until its filter is removed.
  await page.getByRole("button", { name: "Remove the filter Storage is not Virtual disk" }).click();
  await filters.getByText(/^\d+ more filters?$/).click();
  const machines = filters
    .locator("details details")
    .filter({ has: page.locator("summary", { hasText: /^Mac$/ }) });
  await machines.locator("summary").click();
  await machines.getByRole("checkbox").first().waitFor();
  const more = machines.getByRole("button", { name: /^Show \d+ more$/ });
  if (await more.isVisible()) await more.click();
  await machines.getByRole("checkbox", { name: new RegExp(document.machine.id) }).click();
  await expect(page).toHaveURL(new RegExp(`where=machine:${document.machine.id}`));
  // Short or doubtful runs, excluded by default, can be included.
  const doubted = page.getByRole("button", { name: "Include", exact: true });
  await page.getByRole("button", { name: /^Remove the filter.*Mac / }).waitFor();
  await settled(page);
  if (await doubted.first().isVisible()) await doubted.first().click();
  await page.getByRole("table").waitFor();
  await expect.poll(async () => (await linesOf(page)).length).toBeGreaterThanOrEqual(2);

  const column = (await page.locator("thead th", { hasText: "Median" }).innerText()).includes(
    "MB/s",
  )
    ? "MB/s"
    : "GB/s";
  const chart = page.getByRole("group", { name: /^Chart/ });
  for (const metric of ["disk.write_average", "disk.read_average"]) {
    const line = (await linesOf(page)).find(
      (one) =>
        one.metric === metric &&
        one.method === document.method.name &&
        one.key.storage === (document.target.storage ?? null) &&
        one.key.encryption === (document.target.encryption ?? null),
    );
    const value = line?.cells.value ?? "";
    const { digits, divisor } = unitOf(value, column);
    expect(
      shows(digits, average(metric) / divisor),
      `${metric} ${value} for ${average(metric)}`,
    ).toBe(true);
    expect(line?.cells.machines).toBe("1");
    await expect(chart).toContainText(digits);
  }
  const asked = await linesOf(page);

  // Saved, and opened by somebody else.
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByLabel("Title").fill("This machine's disk");
  await page.getByRole("button", { name: "Save and copy link" }).click();
  const link = page.getByRole("status").getByRole("link");
  await expect(link).toHaveText(/\/c\/\w+$/);
  const { pathname } = new URL((await link.textContent()) ?? "");

  const other = await browser.newContext();
  const guest = await other.newPage();
  await guest.goto(pathname);
  await expect(guest.getByRole("heading", { level: 1 })).toHaveText("This machine's disk");
  await guest.getByRole("table").waitFor();
  expect(await linesOf(guest)).toEqual(asked);
  await expect(guest.getByRole("group", { name: /^Chart/ })).toBeVisible();
  await other.close();
});
