import { describe, expect, it } from "vitest";
import type { Catalog, RunResult } from "../../api/types";
import { factsOf } from "../../figures/facts";
import { wordsOf } from "../../figures/words";
import catalog from "../../../../tests/figures/catalog.json";
import { readable } from "./readable";
import { sampled } from "./samples";

const words = wordsOf(catalog as unknown as Catalog);

describe("facts", () => {
  it("are what was stated, in words and units", () => {
    expect(
      factsOf(
        {
          chip: "Apple M4 Pro",
          memory_bytes: 48 * 2 ** 30,
          busy: [],
          via: null,
          image: { capacity_bytes: 1e11 },
          core_tiers: [{ name: "Super", cores: 6, clusters: [3, 3], max_frequency: 4.6e9 }],
          something_new: "as it is",
          virtual_machine: { vcpus: 5 },
        },
        words,
      ),
    ).toEqual([
      ["Chip", "Apple M4 Pro"],
      ["Memory", "48\u2009GiB"],
      ["Image: capacity", "100\u2009GB"],
      ["Cores", "6 Super in clusters of 3 and 3 to 4.60\u2009GHz"],
      ["Something new", "as it is"],
      ["Virtual machine: virtual cpus", "5"],
    ]);
  });
});

describe("memory and system", () => {
  it("are rounded, and called macOS only where they are", () => {
    expect(factsOf({ memory_bytes: 25_274_816_512, os_version: "Debian 12" }, words)).toEqual([
      ["Memory", "23.5\u2009GiB"],
      ["System", "Debian 12"],
    ]);
    expect(factsOf({ memory_bytes: 1.5 * 2 ** 40, os_version: "15.1.1" }, words)).toEqual([
      ["Memory", "1536\u2009GiB"],
      ["macOS", "15.1.1"],
    ]);
  });
});

describe("a readable document", () => {
  it("shows marks without a shape as escapes", () => {
    expect(readable('{"chip":"M4 \u202eorP"}')).toBe('{\n  "chip": "M4 \\u202eorP"\n}');
  });
  it("keeps numbers of a list in a line, and broken text as it is", () => {
    expect(readable('{"values":[1,2,3]}')).toBe('{\n  "values": [1, 2, 3]\n}');
    expect(readable("{broken")).toBe("{broken");
  });
});

describe("samples", () => {
  const result = (more: Partial<RunResult>) =>
    ({
      metric: "disk.write_speed",
      title: "",
      unit: "B/s",
      parameters: {},
      values: [],
      positions: null,
      ...more,
    }) as RunResult;
  it("are joined by metric in the order in which they were measured", () => {
    const [panel] = sampled([
      result({ parameters: { file_size: 2 }, values: [10, 30], positions: [1, 3] }),
      result({ parameters: { file_size: 4 }, values: [20], positions: [2] }),
    ]);
    expect(
      panel?.samples.map(({ position, value, fileSize }) => [position, value, fileSize]),
    ).toEqual([
      [1, 10, 2],
      [2, 20, 4],
      [3, 30, 2],
    ]);
  });
  it("without an order are not drawn", () => {
    expect(
      sampled([result({ values: [1, 2] }), result({ values: [1], positions: [1, 2] })]),
    ).toEqual([]);
  });
});
