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
  const seen = new Map<string, { many: number; rank: number; value: number }>();
  const ranks = new Map<Lane, number>();
  for (const { lane } of lines) {
    if (lane.hollow || typeof lane.value !== "number") continue;
    const before = seen.get(lane.metric ?? "");
    const many = (before?.many ?? 0) + 1;
    const rank = before && before.value === lane.value ? before.rank : many;
    seen.set(lane.metric ?? "", { many, rank, value: lane.value });
    ranks.set(lane, rank);
  }
  return ranks;
}

/** The chart with its cases sorted by their first figures, each with its rank, without headings. */
export function ranked(chart: Chart, sort: Sort | undefined): Chart {
  if (sort?.id !== "value" || chart.kind !== "cases" || chart.rows) return chart;
  let heading: Case | undefined;
  const named = drawnCases(chart).map((of) => {
    if (of.heading || !heading) heading = of;
    return { ...of, heading: "", swatch: false, label: wholeName(heading, of) };
  });
  const cases = named.toSorted((a, b) => {
    // A printed ratio among speeds has no value: sort it last.
    const [one, other] = [a, b].map(({ lanes }) => lanes[0]?.value ?? undefined);
    if (one === undefined) return other === undefined ? 0 : 1;
    if (other === undefined) return -1;
    return sort.desc ? other - one : one - other;
  });
  const ranks = ranksOf(cases.flatMap(({ lanes }) => lanes.slice(0, 1).map((lane) => ({ lane }))));
  return {
    ...chart,
    cases: cases.map((of) => {
      const rank = of.lanes[0] && ranks.get(of.lanes[0]);
      return { ...of, label: rank ? `${rank}. ${of.label}` : of.label };
    }),
  };
}
