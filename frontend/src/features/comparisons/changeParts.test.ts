import { describe, expect, it } from "vitest";
import type { Words } from "../../figures/words";
import { changeParts, type Shown } from "./changeParts";

const WORDS = { metricTitle: (name: string) => name } as unknown as Words;

/** Sides "Old" and "New" with a row a method, and the figure that tells of them. */
function sides(...rows: [string, (number | null)[]][]): Shown {
  const cellOf = (median: number | null, place: number) =>
    median === null
      ? { side: place + 1, missing: { code: "not_measured", text: "Nothing." } }
      : { side: place + 1, median, machines: 1, runs: 2 };
  const cases = rows.flatMap(([method, medians], row) =>
    medians.map((median, place) => ({
      heading: place === 0 ? `Write speed · ${method} 1` : "",
      label: ["Old", "New"][place],
      lanes: [{ id: `${row}.${place + 1}`, mark: "square", cells: { median: `${median} B/s` } }],
    })),
  );
  const answer = { rows: rows.map(([, medians]) => ({ cells: medians.map(cellOf) })) };
  return { answer, figure: { charts: [{ cases }] } } as unknown as Shown;
}

describe("what has changed between two comparisons of sides", () => {
  it("is shown side by side, with what is new and what is gone", () => {
    const parts = changeParts(
      sides(["a", [2, null]], ["gone", [null, 5]]),
      sides(["a", [3, 4]], ["new", [1, null]]),
      WORDS,
    );
    expect(parts.map(({ title, rows }) => [title, rows.map(({ label }) => label)])).toEqual([
      ["Write speed · a 1", ["Old", "New"]],
      ["Write speed · gone 1", ["New"]],
      ["Write speed · new 1", ["Old"]],
    ]);
    const [old, fresh] = parts[0]?.rows ?? [];
    expect([old?.ratio, old?.frozen?.text, old?.live?.text]).toEqual([1.5, "2 B/s", "3 B/s"]);
    expect([fresh?.frozen, fresh?.live?.exact, fresh?.ratio]).toEqual([undefined, 4, undefined]);
    expect(parts[1]?.rows[0]?.live).toBeUndefined();
  });
});

describe("what has changed between two answers", () => {
  const answered = (medians: number[]): Shown => {
    const groups = medians.map((median) => ({ median, machines: 3, runs: 4 }));
    const cases = medians.map((median, place) => ({
      label: `Case ${place}`,
      lanes: [{ id: `0.${place}`, metric: "speed", mark: "circle", text: "", full: `${median} s` }],
    }));
    const answer = { question: { relative_to: [] }, results: [{ groups }] };
    return { answer, figure: { charts: [{ cases }] } } as unknown as Shown;
  };
  it("is the exact live figure over the frozen one, as both print it", () => {
    const [part] = changeParts(answered([2, 4]), answered([3]), WORDS);
    expect(part?.rows.map(({ label, ratio }) => [label, ratio])).toEqual([
      ["Case 0", 1.5],
      ["Case 1", undefined],
    ]);
    expect(part?.rows[0]?.live).toEqual({ text: "3 s", exact: 3, machines: 3, runs: 4 });
  });
});
