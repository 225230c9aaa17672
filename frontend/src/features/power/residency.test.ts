import { describe, expect, it } from "vitest";
import type { ResidencyGroup } from "../../api/types";
import { dotsPath, residencyCsv } from "./residency";

const group = (chip: string | null, tier: string, points: [number, number][]): ResidencyGroup => ({
  key: { chip, power_mode: null, tier },
  machines: 1,
  runs: 1,
  samples: points.length,
  outside: 0,
  points,
  fit: null,
});
const answer = (...groups: ResidencyGroup[]) => ({
  groups,
  panels: [],
  runs: 1,
  doubted: 0,
  without: 0,
  older: 0,
  as_of: "2026-11-21T10:00:00+00:00",
});

describe("frequency by residency", () => {
  const marksOf = (...points: [number, number][]) =>
    dotsPath(
      points,
      "square",
      (x) => x * 10,
      (y) => y * 10,
    ).match(/M[^M]+/g) ?? [];
  it("draws every point in one path", () => {
    expect(marksOf([1, 2], [3, 4])).toHaveLength(2);
  });
  it("draws points that would cover each other as one larger mark", () => {
    const [alone, ...none] = marksOf([1, 2]);
    expect(none).toEqual([]);
    const [more = "", one = "", ...others] = marksOf([1, 2], [1.01, 2], [1, 2.01], [3, 4]);
    expect(others).toEqual([]);
    const width = (mark = "") => Number(/h([\d.]+)/.exec(mark)?.[1]);
    expect(width(one)).toBe(width(alone));
    expect(width(more)).toBeGreaterThan(2 * width(one));
    expect(marksOf()).toEqual([]);
  });
  it("is written point by point", () => {
    expect(residencyCsv(answer(group('A "B"', "Super", [[0.5, 2e9]])))).toBe(
      'chip,power_mode,tier,active_cores,frequency_hz\n"A ""B""","","Super",0.5,2000000000\n',
    );
  });
});
