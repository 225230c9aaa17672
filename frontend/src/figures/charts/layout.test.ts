import { describe, expect, it } from "vitest";
import { fitted, layCases, PER_SMALL, wrapped } from "./caseLayout";
import { colourOf } from "./colours";
import { shortened } from "./labels";
import type { Series } from "../../api/types";
import { LABELS } from "./LineNames";
import { mostNames } from "./LinesChart";
import { rowsOf, stretchesOf } from "./series";

describe("cases on the page", () => {
  const rows = [
    { heading: "A", lanes: [1, 2] },
    { heading: "", lanes: [1] },
  ];
  it.each([false, true])("never overlap, narrow: %s", (narrow) => {
    const { placed, height } = layCases(rows, narrow);
    const ys = placed.flatMap((one) =>
      [one.headingY ?? [], narrow ? one.labelY : [], one.laneYs].flat(),
    );
    expect(ys).toEqual(ys.toSorted((a, b) => a - b));
    expect(placed.at(-1)?.bottom).toBe(height);
  });
  it("have a height even when there are none", () => {
    expect(layCases([], false).height).toBeGreaterThan(0);
  });
});

describe("labels", () => {
  it("are cut with an ellipsis, never inside a character", () => {
    expect(fitted("short", 100)).toBe("short");
    expect(fitted("2 Macs", 36, PER_SMALL)).toBe("2 Macs");
    expect(fitted("2 Macs", 30, PER_SMALL)).toBe("2 Ma…");
    expect(fitted("💾💾💾💾💾💾", 28)).toBe("💾💾💾…");
  });
  it("break at spaces into no more lines than there are", () => {
    expect(wrapped("FileVault off (hardware encryption)", 150, 2)).toEqual([
      "FileVault off",
      "(hardware encryption)",
    ]);
    expect(wrapped("one two three four five six", 70, 1)).toEqual(["one two t…"]);
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
    const told = shortened(labels, 178);
    expect(new Set(told).size).toBe(labels.length);
    expect(told.every((label) => !label.includes("fp64") && label.length <= 27)).toBe(true);
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
