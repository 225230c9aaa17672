import type { LineWords, TimelineLine } from "../../api/types";

type Point = TimelineLine["points"][number];

/** A line with its texts. */
export interface ToldLine {
  line: TimelineLine;
  told: LineWords;
}

/** A stretch of a line at one level: its first and last run, and the level. */
export interface Level {
  from: Point;
  to: Point;
  value: number;
}

/** The levels between changes; empty if the line never changed. */
export function levelsOf({ points, changes }: TimelineLine): Level[] {
  const starts = [0, ...changes.map(({ run_id }) => points.findIndex((p) => p.run_id === run_id))];
  if (changes.length === 0) return [];
  return starts.flatMap((start, place) => {
    const from = points[start];
    const to = points[(starts[place + 1] ?? points.length) - 1];
    const value = place === 0 ? changes[0]?.before : changes[place - 1]?.after;
    return from && to && value !== undefined ? [{ from, to, value }] : [];
  });
}
