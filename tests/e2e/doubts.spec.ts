import { expect } from "@playwright/test";
import { latencyRun, put, stored } from "./runs";
import { fresh as test } from "./samePage";

const REASON = "Slower than the same drive on any other Mac by a factor of three.";
const WHY = "Measured through a hub without saying so.";

test("a doubt is reported, and a withdrawn run leaves answers but not its page", async ({
  page,
  request,
  baseURL,
}) => {
  const { token, machine } = stored();
  const told = { machine, labels: { doubts: "e2e" }, started: new Date(Date.now() - 7_200_000) };
  const run = latencyRun(told, [4.1e-4, 4.56e-4, 4.6e-4]);
  await put(baseURL ?? "", token, run.id, JSON.stringify(run));
  const question = "by=test&metric=disk.latency&where=label:doubts:e2e";
  const saved = await request.post("/api/v1/comparisons", { data: { question, title: "Before" } });
  const { slug } = (await saved.json()) as { slug: string };

  await page.goto(`/runs/${run.id}`);
  await page.getByRole("button", { name: "Report a problem" }).click();
  const panel = page.getByRole("region", { name: "Report a problem" });
  await panel.getByRole("textbox").fill("Too short");
  await panel.getByRole("button", { name: "Send" }).click();
  await expect(panel.getByRole("status")).toHaveCount(0);
  await panel.getByRole("textbox").fill(REASON);
  await panel.getByRole("button", { name: "Send" }).click();
  await expect(panel.getByRole("status")).toContainText("Sent to");
  await expect(page.getByText("1 problem reported")).toBeVisible();
  const headers = { Authorization: `Bearer ${token}` };
  const read = await (await request.get(`/api/v1/runs/${run.id}/doubts`, { headers })).json();
  expect((read as { items: { reason: string }[] }).items.map(({ reason }) => reason)).toEqual([
    REASON,
  ]);

  const withdrawn = await request.put(`/api/v1/runs/${run.id}/withdrawal`, {
    headers,
    data: { reason: WHY },
  });
  expect(withdrawn.status()).toBe(204);
  await page.reload();
  await expect(page.getByText("This run was withdrawn")).toBeVisible();
  await expect(page.getByText(WHY)).toBeVisible();
  await expect(page.getByRole("button", { name: "Report a problem" })).toHaveCount(0);

  await page.goto(`/storage?${question}`);
  await expect(page.getByText("No runs answer this question")).toBeVisible();
  await expect(page.getByText(/Left out: 1 run that was withdrawn/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Show them" })).toHaveCount(0);

  await page.goto(`/c/${slug}`);
  await expect(page.getByRole("region", { name: "Withdrawn runs" })).toContainText(
    "1 run behind these figures was withdrawn since.",
  );
  await expect(page.getByRole("table")).toContainText("456");
});
