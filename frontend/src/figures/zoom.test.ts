import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Figure } from "../api/types";
import { axisWithin, panelsWithin, rangeIn } from "./zoom";

const file = join(import.meta.dirname, "../../../tests/figures/demo-threads-time.json");
const { figure } = JSON.parse(readFileSync(file, "utf8")) as { figure: Figure };
const { across, panels = [] } = figure.charts[0] ?? {};
if (!across) throw new Error("it has an axis across");

describe("a part of an axis", () => {
  it("is between two of its ticks, or it is none", () => {
    expect(rangeIn("4..12", across)).toEqual({ from: 4, to: 12 });
    for (const text of [
      undefined,
      "",
      "4",
      "12..4",
      "4..4",
      "4.5..12",
      "4..99",
      "a..b",
      "4..12..14",
    ])
      expect(rangeIn(text, across)).toBeUndefined();
    expect(rangeIn("1..2", { ...across, ticks: across.ticks.slice(0, 3) })).toBeUndefined();
  });

  it("has the points and curves that lie in it, and its own ticks", () => {
    const range = { from: 4, to: 12 };
    const lines = panelsWithin(panels, range).flatMap(({ series }) => series);
    const positions = lines.flatMap(({ stretches }) => stretches.flat().map(({ x }) => x));
    expect([Math.min(...positions), Math.max(...positions)]).toEqual([4, 12]);
    const curves = lines.flatMap(({ curve }) => (curve?.within ?? []).flat());
    expect(curves.length).toBeGreaterThan(2);
    expect(curves.every(([x = 0]) => x >= 4 && x <= 12)).toBe(true);
    const axis = axisWithin(across, range);
    expect([axis.low, axis.high]).toEqual([4, 12]);
    expect(axis.ticks.map(({ at }) => at).toSorted((a, b) => a - b)).toEqual([
      4, 5, 6, 7, 8, 9, 10, 11, 12,
    ]);
  });

  it("has no line that has no point in it", () => {
    const [panel] = panels;
    const [line] = panel?.series ?? [];
    if (!panel || !line) throw new Error("it has a line");
    const low = { ...line, stretches: [line.stretches.flat().filter(({ x }) => x < 4)] };
    const [shown] = panelsWithin([{ ...panel, series: [low] }], { from: 4, to: 12 });
    expect(shown?.series).toEqual([]);
  });
});
