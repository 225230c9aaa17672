import { describe, expect, it } from "vitest";
import type { TimelineLine } from "../../api/types";
import { levelsOf } from "./lines";
import { timeTicks, withRoom } from "./timeAxis";

const utc = (text: string) => Date.parse(`${text}T00:00:00Z`);
const days = (ticks: number[]) => ticks.map((tick) => new Date(tick).toISOString().slice(0, 10));

describe("days on an axis", () => {
  it("are midnights on a short one", () => {
    expect(days(timeTicks(utc("2026-01-01") + 1, utc("2026-01-04"), 5))).toEqual([
      "2026-01-02",
      "2026-01-03",
      "2026-01-04",
    ]);
  });

  it("are firsts of months on a long one, over the year's end", () => {
    expect(days(timeTicks(utc("2025-11-10"), utc("2026-03-10"), 5))).toEqual([
      "2025-12-01",
      "2026-01-01",
      "2026-02-01",
      "2026-03-01",
    ]);
  });

  it("has no words that touch, also if the last ones are before their line", () => {
    const told = (xs: number[], width: number) =>
      withRoom(
        xs.map((x) => ({ x, text: "macOS 26.4" })),
        width,
      ).map(({ text }) => text !== "");
    expect(told([50, 100, 200], 800)).toEqual([true, false, true]);
    // From 710 on, labels are to the left of their line: the second would overlap the first.
    expect(told([690, 760], 800)).toEqual([true, false]);
    expect(told([100, 330], 342)).toEqual([true, true]);
  });

  it("are never more than asked for by much", () => {
    for (const years of [1, 3, 10, 30]) {
      const ticks = timeTicks(utc("2000-05-05"), utc(`${2000 + years}-05-05`), 6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThanOrEqual(7);
    }
  });
});

describe("levels of a line", () => {
  const point = (run_id: string, value: number) => ({ run_id, value });
  const line = (changes: object[]) =>
    ({ points: ["a", "b", "c", "d"].map((id, at) => point(id, at)), changes }) as TimelineLine;

  it("reach from one change to the next", () => {
    const levels = levelsOf(
      line([
        { run_id: "b", before: 1, after: 2 },
        { run_id: "d", before: 2, after: 3 },
      ]),
    );
    expect(levels.map(({ from, to, value }) => [from.run_id, to.run_id, value])).toEqual([
      ["a", "a", 1],
      ["b", "c", 2],
      ["d", "d", 3],
    ]);
  });

  it("are none where nothing changed", () => {
    expect(levelsOf(line([]))).toEqual([]);
  });
});
