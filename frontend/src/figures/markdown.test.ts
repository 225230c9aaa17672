import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Figure } from "../api/types";
import { markdownOf } from "./markdown";

const figureOf = (name: string) =>
  (
    JSON.parse(
      readFileSync(join(import.meta.dirname, "../../../tests/figures", `${name}.json`), "utf8"),
    ) as { figure: Figure }
  ).figure;
const LINK = "https://macmeter.example/storage?by=chip";
const WHEN = "2026-11-22T12:00:00Z";
const rowsOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| "));
/** Number of cells in a row; an escaped bar separates none. */
const cellsOf = (row: string) => row.split(/(?<!\\)\|/u).length - 2;

it("prints every figure of the table, its sources, and the link", () => {
  const figure = figureOf("demo-storage-cases");
  const text = markdownOf(figure, LINK, WHEN);
  const lanes = figure.charts.flatMap(({ cases = [] }) => cases.flatMap((row) => row.lanes));
  const rows = rowsOf(text);
  // A heading row and a rule for each chart.
  expect(rows).toHaveLength(lanes.length + 2 * figure.charts.length);
  expect(new Set(rows.map(cellsOf)).size).toBe(figure.charts.length);
  for (const { dagger } of figure.sources ?? []) expect(text).toContain(`\n${dagger} `);
  expect(text.endsWith(`[Macmeter](${LINK})`)).toBe(true);
});

it("lets no name make a cell, a link or a tag", () => {
  const figure = figureOf("hostile");
  const text = markdownOf(figure, LINK, WHEN);
  expect(text).not.toMatch(/(?<!\\)</u);
  expect(text.replace(`[Macmeter](${LINK})`, "")).not.toMatch(/(?<!\\)\]\(/u);
  for (const row of rowsOf(text)) expect(cellsOf(row)).toBeGreaterThan(2);
});
