import { describe, expect, it } from "vitest";
import type { ResidencyGroup } from "../../api/types";
import { binsOf, dotsPath, panelsOf, residencyCsv } from "./residency";

const group = (chip: string | null, tier: string, points: [number, number][]): ResidencyGroup => ({
  key: { chip, tier },
  machines: 1,
  runs: 1,
  samples: points.length,
  outside: 0,
  points,
  fit: null,
});
const answer = (...groups: ResidencyGroup[]) => ({
  groups,
  runs: 1,
  doubted: 0,
  without: 0,
  older: 0,
  as_of: "2026-11-21T10:00:00+00:00",
});

describe("frequency by residency", () => {
  it("has a panel for each chip and a mark for each of its tiers", () => {
    const found = panelsOf(
      answer(
        group("Apple M4", "Efficiency", [[1, 1e9]]),
        group("Apple M4", "Performance", [[1, 4e9]]),
        group(null, "Performance", [[1, 3e9]]),
        group("Apple M1", "Performance", []),
      ),
    );
    expect(found.map(({ chip, groups }) => [chip, groups.length])).toEqual([
      ["Apple M4", 2],
      ["Chip not stated", 1],
    ]);
    expect(new Set(found[0]?.groups.map(({ mark }) => mark)).size).toBe(2);
  });
  it("tells the points in figures, by whole cores", () => {
    const points: [number, number][] = [
      [0.2, 1],
      [0.9, 3],
      [2, 10],
      [2.5, 20],
      [2.6, 40],
    ];
    expect(binsOf(points)).toEqual([
      { low: 0, n: 2, median: 2, p10: 1.2, p90: 2.8 },
      { low: 2, n: 3, median: 20, p10: 12, p90: 36 },
    ]);
  });
  it("draws every point in one path", () => {
    const path = dotsPath(
      [
        [1, 2],
        [3, 4],
      ],
      "square",
      (x) => x * 10,
      (y) => y * 10,
    );
    expect(path.match(/M/g)).toHaveLength(2);
  });
  it("is written point by point", () => {
    expect(residencyCsv(answer(group('A "B"', "Super", [[0.5, 2e9]])))).toBe(
      'chip,power_mode,tier,active_cores,frequency_hz\n"A ""B""","","Super",0.5,2000000000\n',
    );
  });
});
