import type { Case, Chart, Lane } from "../api/types";
import type { Sort } from "../ui/sort";
import { drawnCases } from "./cases";

/** A case's full name, including its heading: "Internal SSD · FileVault". */
export const wholeName = ({ heading = "" }: Case, { label }: Case): string =>
  [heading, label].filter(Boolean).join(" · ");

/**
 * The rank of each measured lane within its metric, in this order; equal values share a rank.
 * Published figures have none.
 */
export function ranksOf(lines: readonly { lane: Lane }[]): ReadonlyMap<Lane, number> {
  const lastByMetric = new Map<string, { count: number; rank: number; value: number }>();
  const ranks = new Map<Lane, number>();
  for (const { lane } of lines) {
    if (lane.hollow || typeof lane.value !== "number") continue;
    const before = lastByMetric.get(lane.metric ?? "");
    const count = (before?.count ?? 0) + 1;
    const rank = before && before.value === lane.value ? before.rank : count;
    lastByMetric.set(lane.metric ?? "", { count, rank, value: lane.value });
    ranks.set(lane, rank);
  }
  return ranks;
}

/** The chart with its cases sorted by their first figures, each with its rank, without headings. */
export function ranked(chart: Chart, sort: Sort | undefined): Chart {
  if (sort?.id !== "value" || chart.kind !== "cases" || chart.rows) return chart;
  let heading: Case | undefined;
  const unsorted = drawnCases(chart).map((row) => {
    if (row.heading || !heading) heading = row;
    return { ...row, heading: "", swatch: false, label: wholeName(heading, row) };
  });
  const cases = unsorted.toSorted((a, b) => {
    // A printed ratio among speeds has no value: sort it last.
    const [valueA, valueB] = [a, b].map(({ lanes }) => lanes[0]?.value ?? undefined);
    if (valueA === undefined) return valueB === undefined ? 0 : 1;
    if (valueB === undefined) return -1;
    return sort.desc ? valueB - valueA : valueA - valueB;
  });
  const ranks = ranksOf(cases.flatMap(({ lanes }) => lanes.slice(0, 1).map((lane) => ({ lane }))));
  return {
    ...chart,
    cases: cases.map((row) => {
      const rank = row.lanes[0] && ranks.get(row.lanes[0]);
      return { ...row, label: rank ? `${rank}. ${row.label}` : row.label };
    }),
  };
}
