import { describe, expect, it } from "vitest";
import {
  behindIn,
  fitted,
  frameOf,
  LABEL_LINE,
  LANE,
  layCases,
  NOTE,
  PER_SMALL,
  wrapped,
} from "./caseLayout";
import { placeLabels } from "./Boundaries";
import { colourOf } from "./colours";
import { shortened } from "./labels";
import type { Series } from "../../api/types";
import { LABELS } from "./LineNames";
import { mostNames } from "./LinesChart";
import { rowsOf, stretchesOf } from "./series";

describe("cases on the page", () => {
  const lane = { name: "Write" };
  const rows = [
    {
      heading: "Geometric mean of 2 published ratios, above 100 % is faster",
      label: "vdsp_mmul · 15,000,000,000 loops · Efficiency/background",
      lanes: [lane],
    },
    { heading: "", label: "fp64", lanes: [lane, lane] },
  ];
  it.each([390, 590, 700, 1100])("never overlap, and have their whole labels, %s wide", (width) => {
    const frame = frameOf(rows, width);
    const { placed, height } = layCases(rows, frame);
    let free = 0;
    for (const { row, heading, headingY, label, labelY, laneYs, bottom } of placed) {
      const headings = heading.map((_, index) => headingY + index * LABEL_LINE);
      const labels = label.map((_, index) => labelY + index * LABEL_LINE);
      const ys = [headings, labels, frame.narrow ? laneYs : []].flat();
      expect(ys).toEqual(ys.toSorted((a, b) => a - b));
      expect(Math.min(...ys)).toBeGreaterThanOrEqual(free);
      expect(Math.max(...ys, ...laneYs)).toBeLessThan(bottom);
      expect([heading.join(" "), label.join(" ")]).toEqual([row.heading, row.label]);
      free = bottom;
    }
    expect(free).toBe(height);
  });
  it("have a height even when there are none", () => {
    expect(layCases([], { narrow: false, width: 700, label: 100 }).height).toBeGreaterThan(0);
  });
  it("have a line for what a figure is based on, on a narrow screen", () => {
    const measured = [
      { name: "write", value: 1, apart: "graded-files", weight: "4 Macs" },
      { name: "write", value: 2, apart: "sustained-write", weight: "2 Macs" },
      { name: "write", value: null, apart: "published" },
    ];
    const laneYsAt = (width: number) => {
      const one = [{ label: "Thunderbolt 5", lanes: measured }];
      const [row] = layCases(one, frameOf(one, width)).placed;
      return row?.laneYs.map((y) => y - (row.laneYs[0] ?? 0));
    };
    expect(laneYsAt(390)).toEqual([0, LANE + NOTE, 2 * (LANE + NOTE)]);
    expect(laneYsAt(1100)).toEqual([0, LANE, 2 * LANE]);
  });
  it("say behind a figure what fits, and no part of it", () => {
    const notes = { apart: "same macOS version and month", weight: "5 Macs" };
    expect(behindIn(notes, 400)).toBe("same macOS version and month, 5 Macs");
    expect(behindIn(notes, 230)).toBe("same macOS version and month");
    expect(behindIn(notes, 100)).toBe("5 Macs");
    expect(behindIn(notes, 70)).toBe("");
  });
});

describe("labels", () => {
  it("are cut with an ellipsis, never inside a character", () => {
    expect(fitted("short", 100)).toBe("short");
    expect(fitted("2 Macs", 36, PER_SMALL)).toBe("2 Macs");
    expect(fitted("2 Macs", 30, PER_SMALL)).toBe("2 Ma…");
    expect(fitted("💾💾💾💾💾💾", 28)).toBe("💾💾💾…");
  });
  it("break at spaces, and are cut only inside a word that fills a line", () => {
    expect(wrapped("FileVault off (hardware encryption)", 150)).toEqual([
      "FileVault off",
      "(hardware encryption)",
    ]);
    expect(wrapped("an extraordinarily long one", 70)).toEqual(["an", "extraordi…", "long one"]);
  });
});

describe("names of series", () => {
  it("are at their lines only while they have room under each other", () => {
    expect(mostNames(330)).toBe(14);
    const long = ["Thunderbolt 5 · Not encrypted", "Thunderbolt 3 · APFS encrypted"];
    expect(shortened(long, LABELS - 26)).toEqual(long);
  });
  it("leave out what all share, and keep what tells them apart", () => {
    const labels = [1, 2, 4].flatMap((cores) =>
      ["Efficiency/background", "Performance/high"].map(
        (context) => `${context} · fp64 · Active cores ${cores}`,
      ),
    );
    const names = shortened(labels, 178);
    expect(new Set(names).size).toBe(labels.length);
    expect(names.every((label) => !label.includes("fp64") && label.length <= 27)).toBe(true);
    expect(shortened(["USB4", "USB4"], 178)).toEqual(["USB4", "USB4"]);
    expect(shortened(["Internal SSD"], 178)).toEqual(["Internal SSD"]);
  });
});

describe("series", () => {
  const series = (...stretches: number[][]) =>
    ({
      stretches: stretches.map((xs) => xs.map((x) => ({ x, y: x, band: [x, x + 1] }))),
    }) as unknown as Series;
  it("have a gap where they have no point", () => {
    const stretches = stretchesOf([series([1], [3]), series([1, 2, 3])]);
    expect(rowsOf(stretches)).toEqual([
      { x: 1, "v0.0": 1, "b0.0": [1, 2], "v1.0": 1, "b1.0": [1, 2] },
      { x: 2, "v1.0": 2, "b1.0": [2, 3] },
      { x: 3, "v0.1": 3, "b0.1": [3, 4], "v1.0": 3, "b1.0": [3, 4] },
    ]);
  });
});

it("a colour that a figure names is one of the palette", () => {
  expect(colourOf({ colour: "tier-efficiency" })).toBe("var(--tier-efficiency)");
  expect(colourOf({})).toBe("var(--ink-2)");
});

describe("labels of boundaries", () => {
  it("are right-aligned to their lines in one row, and in another where they would overlap", () => {
    const apart = [
      { end: 200, width: 60 },
      { end: 400, width: 60 },
    ];
    expect(placeLabels(apart, 30)).toEqual([
      { x: 140, row: 0 },
      { x: 340, row: 0 },
    ]);
    const close = [20, 210, 230, 250].map((end) => ({ end, width: 60 }));
    const placed = placeLabels(close, 30);
    expect(placed.map(({ row }) => row)).toEqual([0, 2, 1, 0]);
    // The unit is in the first row only.
    expect(placed[0]?.x).toBe(30);
  });
});
