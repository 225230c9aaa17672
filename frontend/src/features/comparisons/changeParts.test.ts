import { describe, expect, it } from "vitest";
import type { Compared } from "../../api/types";
import type { Words } from "../../figures/words";
import { sideParts } from "./changeParts";

const WORDS = {
  metricTitle: (name: string) => name,
  roles: () => [],
} as unknown as Words;
const NAMES = ["Old", "New"];

function compared(...rows: [string, (number | null)[]][]): Compared {
  return {
    rows: rows.map(([method, medians]) => ({
      metric: "disk.write_average",
      title: "Write speed",
      unit: "B/s",
      parameters: {},
      published: false,
      method,
      method_version: 1,
      cells: medians.map((median, place) =>
        median === null
          ? { side: place + 1, missing: { code: "not_measured", text: "Nothing." } }
          : { side: place + 1, median, machines: 1, runs: 2 },
      ),
    })),
  } as unknown as Compared;
}

describe("what has changed between two comparisons of sides", () => {
  it("is told side by side, with what is new and what is gone", () => {
    const parts = sideParts(
      compared(["a", [2, null]], ["gone", [null, 5]]),
      compared(["a", [3, 4]], ["new", [1, null]]),
      NAMES,
      WORDS,
    );
    expect(parts.map(({ title, rows }) => [title, rows.map(({ label }) => label)])).toEqual([
      ["Write speed · a 1", ["Old", "New"]],
      ["Write speed · gone 1", ["New"]],
      ["Write speed · new 1", ["Old"]],
    ]);
    const [old, fresh] = parts[0]?.rows ?? [];
    expect(old?.ratio).toBe(1.5);
    expect([fresh?.frozen, fresh?.live?.median, fresh?.ratio]).toEqual([undefined, 4, undefined]);
    expect(parts[1]?.rows[0]?.live).toBeUndefined();
  });
});
