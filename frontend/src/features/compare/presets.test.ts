import { expect, it } from "vitest";
import { printSides } from "../../links/sides";
import { presetsOf } from "./presets";

const facetOf = (name: string, counts: Record<string, number>) => ({
  name,
  distinct: Object.keys(counts).length,
  values: Object.entries(counts).map(([value, machines], index) => ({
    value,
    runs: 10,
    machines,
    text: value,
    place: index,
  })),
});

it("presets take the ends of the base chips and the two newest macOS that enough Macs measured", () => {
  const [chips, versions] = presetsOf({
    dimensions: [
      facetOf("chip", { "Apple M4 Pro": 12, "Apple M10": 1, "Apple M4": 6, "Apple M1": 6 }),
      facetOf("os_version", { "26.4": 40, "15.7": 8, "26.10": 1, "26.3": 30 }),
    ],
  });
  expect(chips?.title).toBe("Apple M1 vs. Apple M4");
  expect(printSides(chips?.sides ?? ({} as never))).toContain("side=1:chip:Apple%20M1&");
  expect(versions?.title).toBe("macOS 26.3 vs. 26.4");
  expect(printSides(versions?.sides ?? ({} as never))).toContain("where=chip:Apple%20M4%20Pro");
});

it("an empty server has no presets, and few Macs are compared all the same", () => {
  expect(presetsOf({ dimensions: [] })).toEqual([]);
  const presets = presetsOf({ dimensions: [facetOf("chip", { "Apple M2": 1, "Apple M10": 1 })] });
  expect(presets.map(({ title }) => title)).toEqual(["Apple M2 vs. Apple M10"]);
});
