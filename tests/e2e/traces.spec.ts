import { expect } from "@playwright/test";
import { filtersOf } from "./filters";
import { stored } from "./runs";
import { go, test } from "./samePage";

test("a sampled run is found and shows what its cores did", async ({ page }) => {
  const { power } = stored().suites;
  await go(page, "/runs");
  const filters = await filtersOf(page);
  await filters.getByRole("checkbox", { name: /^power/ }).click();
  await page.locator(`a[href="/runs/${power}"]`).click();
  const figure = page.getByRole("figure", { name: "What the cores did" });
  await expect(figure.locator("svg").first()).toContainText("Active cores, stacked");
  // Of 720 samples 359 are busy: eight P cores of ten, 95 % at 4.4 and 3.9 of 4.512 GHz.
  const line = (name: string) => figure.locator(`tr[data-trace="${name}"] td`);
  await expect(line("All cores").first()).toHaveText("720");
  await expect(line("All cores").nth(6)).toHaveText("12.70");
  await expect(line("P0-Cluster").nth(4)).toHaveText("4.45");
  await expect(figure).toContainText(/100 % CPU was 8\d\s%/);
  const slider = figure.getByRole("slider", { name: "Moment" });
  await slider.fill("300");
  await expect(slider).toHaveAttribute("aria-valuetext", /^30\.0 s · .*P0 4\.\d\d GHz.* W$/);
  for (const [button, name] of [
    ["Samples as CSV", "macmeter-trace.csv"],
    ["PNG", "macmeter-trace.png"],
    ["SVG", "macmeter-trace.svg"],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      figure.getByRole("button", { name: button, exact: true }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    let [text, bytes] = ["", 0];
    for await (const part of await download.createReadStream()) {
      text += String(part);
      bytes += (part as Buffer).length;
    }
    if (name.endsWith("csv")) expect(text.trim().split("\n")).toHaveLength(721);
    else expect(bytes).toBeGreaterThan(20_000);
  }
});

test("a run's cores, one by one, are a press away from its clusters", async ({ page }) => {
  await go(page, `/runs/${stored().suites.power}`);
  const figure = page.getByRole("figure", { name: "What the cores did" });
  await expect(figure.locator('tr[data-trace="P0-Cluster"]')).toBeVisible();
  const core = figure.locator('tr[data-trace="P0-Cluster 4"]');
  await expect(core).toBeHidden();
  const fold = figure.locator("summary", { hasText: "Each of 14 cores" });
  await fold.focus();
  await page.keyboard.press("Enter");
  await expect(core).toBeVisible();
  const cores = figure.getByRole("table", { name: /, core by core$/ });
  await expect(cores.locator("tr[data-trace]")).toHaveCount(14);
  await expect(core.locator("td").first()).toHaveText("720");
  await fold.click();
  await expect(core).toBeHidden();
});

test("a guest's run is shown next to what its host did at the time", async ({ page }) => {
  const { guest, power } = stored().suites;
  await go(page, `/runs/${guest}`);
  const figure = page.getByRole("figure", { name: "What the host did" });
  await expect(figure).toContainText("this run marked");
  // From 24 s to 44 s of the host's 72 s.
  const [left, width, all] = await figure
    .locator("svg")
    .first()
    .evaluate((svg) => {
      const mark = svg.querySelector("rect");
      return [mark?.x.baseVal.value, mark?.width.baseVal.value, svg.clientWidth];
    });
  const plot = (all ?? 0) - 56;
  expect((left ?? 0) - 44).toBeCloseTo((plot * 24) / 71.9, 0);
  expect(width).toBeCloseTo((plot * 20) / 71.9, 0);
  await page.getByRole("link", { name: "The host’s run" }).click();
  await expect(page).toHaveURL(new RegExp(power));
});

test("ten thousand samples are drawn at once", async ({ page }) => {
  const { power } = stored().suites;
  await page.route(`**/api/v1/runs/${power}/document`, async (route) => {
    const document = (await (await route.fetch()).json()) as {
      traces: { rows: (number | string)[][] }[];
    };
    for (const trace of document.traces) {
      const { rows } = trace;
      trace.rows = Array.from({ length: 14 }, (_, round) =>
        rows.map(([t, ...rest]) => [Number(t) + round * 72, ...rest]),
      ).flat();
    }
    await route.fulfill({ json: document });
  });
  await page.goto(`/runs/${power}`);
  const figure = page.getByRole("figure", { name: "What the cores did" });
  await expect(figure).toContainText("10,080 samples");
  // As many points as there are pixels, whatever the number of samples.
  const points = await figure
    .locator("svg path")
    .evaluateAll((paths) =>
      Math.max(...paths.map((path) => path.getAttribute("d")?.split("L").length ?? 0)),
    );
  expect(points).toBeLessThan(2 * 1400);
});

test("frequency by residency is reached by clicking, as the API has it, and opens again", async ({
  page,
}) => {
  await go(page, "/power");
  await page.getByRole("link", { name: "Frequency by residency" }).click();
  const figure = page.getByRole("figure", { name: "Frequency by active residency" });
  await expect(figure).toContainText("2,160 samples");
  await page.getByLabel("Active cores from").selectOption("1.5");
  await expect(page).toHaveURL(/active=1\.5\.\./);
  await page.getByLabel("Curve").selectOption("linear");
  await expect(page).toHaveURL(/fit=linear/);
  await expect(figure).toContainText("718 samples");
  const response = await page.request.get(`/api/v1/residency${new URL(page.url()).search}`);
  const { groups } = (await response.json()) as {
    groups: { key: { tier: string }; points: number[][]; fit: { coefficients: number[] } | null }[];
  };
  const fast = groups.find(({ key }) => key.tier === "Performance");
  const gigahertz = (fast?.fit?.coefficients[0] ?? Number.NaN) / 1e9;
  await expect(figure).toContainText(`y = ${Number(gigahertz.toPrecision(6))}`);
  const busiest = (fast?.points ?? [])
    .flatMap(([active = 0, frequency = 0]) => (active >= 4.5 && active < 5.5 ? [frequency] : []))
    .toSorted((a, b) => a - b);
  const row = page.locator('tr[data-bin="Performance 5"] td');
  await expect(row.nth(5)).toHaveText(String(busiest.length));
  const middle = busiest.length / 2;
  const median =
    ((busiest[Math.ceil(middle) - 1] ?? 0) + (busiest[Math.floor(middle)] ?? 0)) / 2 / 1e9;
  await expect(row.nth(2)).toHaveText(median.toFixed(3));
  const before = await page.getByRole("table").innerText();
  await page.reload();
  await expect(figure).toContainText("718 samples");
  expect(await page.getByRole("table").innerText()).toBe(before);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Points as CSV" }).click(),
  ]);
  let csv = "";
  for await (const part of await download.createReadStream()) csv += String(part);
  expect(csv.trim().split("\n")).toHaveLength(719);
});
