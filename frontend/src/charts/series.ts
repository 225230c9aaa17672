import type { Group, MetricResult } from "../api/types";
import type { Mark } from "./marks";

export interface SeriesPoint {
  x: number;
  /** In base units, or a ratio. */
  value: number;
  text: string;
  band?: [number, number];
  interval?: [number, number];
  /** Mean of the samples less and plus their standard deviation, drawn in the place of a band. */
  whisker?: [number, number];
  weight: string;
  group: Group;
}

/** Groups that differ only along the horizontal axis. Never one series across methods. */
export interface Series {
  id: string;
  label: string;
  colour: string;
  dash: string;
  mark: Mark;
  /** Published figures stand as points of their own; no line is drawn between them. */
  hollow: boolean;
  dagger: string;
  points: SeriesPoint[];
}

/** A curve through a series' points. */
export interface Curve {
  id: string;
  label: string;
  colour: string;
  model: MetricResult["fits"][number]["model"];
  /** Over their range, in base units. */
  points: { x: number; y: number }[];
  /** From either end of their range to that of the axis: extrapolated. */
  beyond: { x: number; y: number }[][];
  coefficients: number[];
  r2: number;
  low: number;
  high: number;
  /** How many medians it goes through. */
  n: number;
}

/** One metric's chart. */
export interface Panel {
  metric: string;
  title: string;
  series: Series[];
  curves: Curve[];
}

export type Row = { x: number } & Record<string, number | [number, number] | undefined>;

/**
 * The points of all series by their place on the axis. Where a series has no point it has no entry
 * either, so that its line breaks there instead of bridging the gap.
 */
export function rowsOf(series: Series[], divisor: number): Row[] {
  const rows = new Map<number, Row>();
  series.forEach((one, place) => {
    for (const point of one.points) {
      const row: Row = rows.get(point.x) ?? { x: point.x };
      row[`v${place}`] = point.value / divisor;
      if (point.band && !one.hollow) {
        row[`b${place}`] = [point.band[0] / divisor, point.band[1] / divisor];
      }
      rows.set(point.x, row);
    }
  });
  return [...rows.values()].toSorted((a, b) => a.x - b.x);
}
