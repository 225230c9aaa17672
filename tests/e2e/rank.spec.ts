import { randomUUID } from "node:crypto";
import { expect } from "@playwright/test";
import type { components } from "../../frontend/src/api/schema";
import { freshTokens, put } from "./runs";
import { go, test } from "./samePage";
import { uuid7 } from "./uuid7";

type Ranks = components["schemas"]["RanksResponse"];

const SIZES = [40, 60, 80, 100, 200].map((megabytes) => megabytes * 1e6);
const MODEL = `MacBook ${randomUUID().slice(0, 8)}`;

function runOf(method: { name: string; version: number }, speed: number) {
  const started = new Date(Date.now() - 3_600_000);
  return {
    schema: "macmeter.run/1",
    id: uuid7(started),
    suite: "disk",
    source: "measured",
    state: "complete",
    method,
    started_at: started.toISOString(),
    machine: { id: randomUUID(), chip: "Apple M2", model_name: MODEL },
    environment: { os_version: "26.4" },
    target: { storage: "internal", encryption: "filevault" },
    series: [
      { metric: "disk.write_average", values: [speed] },
      ...SIZES.map((file_size) => ({
        metric: "disk.write_speed",
        parameters: { file_size },
        values: [speed],
      })),
    ],
  };
}

test("a quick run's page says its rank among full runs and offers the full test", async ({
  page,
  request,
  baseURL,
}, { config }) => {
  const { dataDir } = config.metadata as { dataDir?: string };
  test.skip(!dataDir, "stores runs: needs a server of its own");
  const tokens = await freshTokens(dataDir ?? "", 11);
  const full = { name: "graded-files", version: 1 };
  const quick = runOf({ name: "graded-files-quick", version: 2 }, 1.65e9);
  for (const [place, token] of tokens.entries()) {
    const run = place === 0 ? quick : runOf(full, 1e9 + place * 1e8);
    await put(baseURL ?? "", token, run.id, JSON.stringify(run));
  }
  await go(page, `/runs/${quick.id}`);
  const rank = page.getByRole("region", { name: "Rank" });
  await expect(rank).toContainText(/faster than 60\s% of 10 other MacBook/);
  const found = (await (await request.get(`/api/v1/rank?run=${quick.id}`)).json()) as Ranks;
  expect(found.lines).toHaveLength(1);
  await expect(rank.getByText(found.lines[0] ?? "", { exact: true })).toBeVisible();
  await expect(rank.getByText("macmeter disk", { exact: true })).toBeVisible();
  // The reader's own comparison begins with a file that full runs have too.
  const place = page.getByRole("region", { name: "Compared with similar Macs" });
  await expect(place.getByRole("button", { name: /^Metric / })).toContainText("200 MB");
  await expect(page.getByText("graded-files-quick 2")).toBeVisible();
});
