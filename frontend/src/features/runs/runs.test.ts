import { describe, expect, it } from "vitest";
import type { RunDetail, RunResult } from "../../api/types";
import { readable } from "./readable";
import { doubtOf } from "./RunPercentile";
import { samplePanels } from "./samples";

describe("a readable document", () => {
  it("shows marks without a shape as escapes", () => {
    expect(readable('{"chip":"M4 \u202eorP"}')).toBe('{\n  "chip": "M4 \\u202eorP"\n}');
  });
  it("keeps numbers of a list in a line, and broken text as it is", () => {
    expect(readable('{"values":[1,2,3]}')).toBe('{\n  "values": [1, 2, 3]\n}');
    expect(readable("{broken")).toBe("{broken");
  });
});

it("a percentile is refused for a doubted run or metric, not for a caution", () => {
  const doubt = { code: "reads_may_be_cached", severity: "doubt", sentence: "may" } as const;
  const caution = { ...doubt, severity: "caution" } as const;
  const results = [
    { metric: "disk.read_average", flags: [caution, doubt] },
    { metric: "disk.write_average", flags: [] },
  ] as unknown as RunResult[];
  expect(doubtOf({ flags: [caution], results }, "disk.read_average")).toBe(doubt);
  expect(doubtOf({ flags: [caution], results }, "disk.write_average")).toBeUndefined();
  expect(doubtOf({ flags: [doubt], results }, "disk.write_average")).toBe(doubt);
});

describe("samples", () => {
  const result = (overrides: Partial<RunResult>) =>
    ({
      metric: "disk.write_speed",
      title: "",
      unit: "B/s",
      parameters: {},
      values: [],
      positions: null,
      ...overrides,
    }) as RunResult;
  const run = (...results: RunResult[]) => ({
    results,
    words: {
      samples: [{ metric: "disk.write_speed" }],
      results: results.map(({ parameters }) => ({ parameters: `${parameters.file_size} B` })),
    } as RunDetail["words"],
  });
  it("are joined by metric in the order in which they were measured", () => {
    const [panel] = samplePanels(
      run(
        result({ parameters: { file_size: 2 }, values: [10, 30], positions: [1, 3] }),
        result({ parameters: { file_size: 4 }, values: [20], positions: [2] }),
      ),
    );
    expect(
      panel?.samples.map(({ position, value, fileSize, parameters }) => [
        position,
        value,
        fileSize,
        parameters,
      ]),
    ).toEqual([
      [1, 10, 2, "2 B"],
      [2, 20, 4, "4 B"],
      [3, 30, 2, "2 B"],
    ]);
  });
  it("without an order are not drawn", () => {
    const [panel] = samplePanels(
      run(result({ values: [1, 2] }), result({ values: [1], positions: [1, 2] })),
    );
    expect(panel?.samples).toEqual([]);
  });
});
