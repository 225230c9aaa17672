import { describe, expect, it } from "vitest";
import type { TimelineLine } from "../../api/types";
import { levelsOf, lineOn, type ToldLine, versionsOf } from "./lines";
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

  it("has no words that touch or leave the chart", () => {
    const told = (xs: number[], width: number, step?: number) =>
      withRoom(
        xs.map((x) => ({ x, text: `macOS 26.${x}`, isStep: x === step })),
        width,
      ).map(({ text, start }) => (text ? [text, start] : []));
    expect(told([50, 400], 800)).toEqual([
      ["macOS 26.50", 50],
      ["macOS 26.400", 400],
    ]);
    // The newest has room first, unless another is at a step.
    expect(told([50, 80, 100], 800)).toEqual([["26.50", 50], [], ["macOS 26.100", 100]]);
    expect(told([50, 80, 100], 800, 80)).toEqual([[], ["macOS 26.80", 80], []]);
    // At the end it is before its line, rather than outside.
    expect(told([790], 800)).toEqual([["26.790", 800 - 6 * 6.6 - 12]]);
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
  const points = ["a", "b", "c", "d"].map((run_id) => ({ run_id, os_version: "26.1" }));
  const line = (steps: object[]) => ({ points, steps, source: "measured" }) as TimelineLine;
  const told = (count: number) => ({
    p50: { value: 9, text: "9" },
    steps: Array.from({ length: count }, () => ({ mark: "+1 %", text: "", worse: false })),
  });

  it("reach from one step that stands out to the next", () => {
    const steps = [
      { run_id: "b", before: 1, after: 2, stands_out: true },
      { run_id: "c", before: 2, after: 2, stands_out: false },
      { run_id: "d", before: 2, after: 3, stands_out: true },
    ];
    const levels = levelsOf(line(steps), told(3));
    expect(levels.map(({ from, to, value }) => [from.run_id, to.run_id, value])).toEqual([
      ["a", "a", 1],
      ["b", "c", 2],
      ["d", "d", 3],
    ]);
    expect(levels.map(({ mark }) => mark?.mark)).toEqual([undefined, "+1 %", "+1 %"]);
  });

  it("are the median where nothing stands out", () => {
    expect(levelsOf(line([]), told(0)).map(({ value }) => value)).toEqual([9]);
  });
});

describe("versions of macOS along a line", () => {
  it("begin with their first run and end with the next one's", () => {
    const points = ["26.1", "26.1", null, "26.2"].map((os_version, at) => ({
      run_id: String(at),
      os_version,
    }));
    const peers = [{ os_version: "26.2", machines: 9 }];
    const found = versionsOf({ points, peers } as TimelineLine);
    expect(found.map(({ from, to, peers: on }) => [from.run_id, to?.run_id, on?.machines])).toEqual(
      [
        ["0", "3", undefined],
        ["3", undefined, 9],
      ],
    );
  });
});

describe("the line to begin with", () => {
  const on = (storage: string, encryption: string) =>
    ({ line: { configuration: { storage, encryption } } }) as unknown as ToldLine;
  const lines = [on("usb4", "none"), on("internal", "hardware"), on("internal", "filevault")];
  const is = (dimension: string, value: string) => ({ dimension, op: "is" as const, value });

  it("is on the storage of the figure", () => {
    const where = [is("storage", "internal"), is("storage", "virtual_disk")];
    expect(lineOn(lines, where)).toBe(lines[1]);
    expect(lineOn(lines, [...where, is("encryption", "filevault")])).toBe(lines[2]);
  });

  it("is that of most runs where there is none", () => {
    expect(lineOn(lines, [is("storage", "sd_card")])).toBe(lines[0]);
    expect(lineOn(lines, [])).toBe(lines[0]);
  });
});
