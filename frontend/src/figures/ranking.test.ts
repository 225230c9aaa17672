import { expect, it } from "vitest";
import type { Case, Chart, Lane } from "../api/types";
import { numberIn } from "../ui/sorting";
import { ranked, ranksOf } from "./ranking";

const lane = (id: string, value?: number, more: Partial<Lane> = {}): Lane => ({
  id,
  mark: "square",
  text: String(value ?? "twice"),
  metric: "disk.write_average",
  value,
  ...more,
});
const caseOf = (label: string, ...lanes: Lane[]): Case => ({ label, lanes });
const chart = (...cases: Case[]) => ({ kind: "cases", cases }) as unknown as Chart;

it("ranks measured figures of one metric, equals alike, and leaves printed ones out", () => {
  const lanes = [
    lane("a", 7),
    lane("b", 6, { hollow: true }),
    lane("c", 5),
    lane("d", 5),
    lane("e", 4),
    lane("f", 9, { metric: "disk.read_average" }),
    lane("g"),
  ];
  const ranks = ranksOf(lanes.map((entry) => ({ lane: entry })));
  expect(lanes.map((entry) => ranks.get(entry))).toEqual([1, undefined, 2, 2, 4, 1, undefined]);
});

it("sorts cases by value, with the headings in their names and what has no value last", () => {
  const unranked = chart(
    { ...caseOf("plain", lane("a", 3)), heading: "USB4" },
    caseOf("encrypted", lane("b")),
    { ...caseOf("plain", lane("c", 7)), heading: "Internal" },
  );
  const { cases = [] } = ranked(unranked, { id: "value", desc: true });
  expect(cases.map(({ label }) => label)).toEqual([
    "1. Internal · plain",
    "2. USB4 · plain",
    "USB4 · encrypted",
  ]);
  expect(ranked(unranked, { id: "value", desc: false }).cases?.[0]?.label).toBe("1. USB4 · plain");
  expect(ranked(unranked, { id: "runs", desc: true })).toBe(unranked);
  expect(ranked(unranked, undefined)).toBe(unranked);
});

it("reads the first number of a cell", () => {
  expect(["1,110", "7.41–7.80", "−3.2", "12,345", "3 pairs", "unpaired"].map(numberIn)).toEqual([
    1110,
    7.41,
    -3.2,
    12_345,
    3,
    undefined,
  ]);
});
