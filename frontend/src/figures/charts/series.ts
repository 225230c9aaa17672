import type { Group, MetricResult } from "../../api/types";
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
  /** What it pools that changes its value: points that pool unlike are never joined. */
  mix: string;
  /** All of it, and not some of the runs behind it. */
  doubted: boolean;
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

/** A part of a series that one line may join: neighbours on the axis that pool alike. */
export interface Stretch {
  /** Under `v…` and `b…` its values and bands stand in the rows. */
  id: string;
  series: Series;
  points: SeriesPoint[];
}

/**
 * Each series in stretches, along `places` of the axis in their order. A line from one chip's figure to that of twelve would rise or fall by
 * what is in it, and one over a place that was not measured would invent it.
 */
export function stretchesOf(series: Series[], places: readonly number[]): Stretch[] {
  const order = new Map(places.map((x, place) => [x, place]));
  return series.flatMap((one, place) => {
    const stretches: Stretch[] = [];
    for (const point of one.points) {
      const last = stretches.at(-1);
      const before = last?.points.at(-1);
      const joins =
        before !== undefined &&
        before.mix === point.mix &&
        (order.get(point.x) ?? 0) - (order.get(before.x) ?? 0) === 1;
      if (last && joins) last.points.push(point);
      else stretches.push({ id: `${place}.${stretches.length}`, series: one, points: [point] });
    }
    return stretches;
  });
}

/** The points of all stretches by their place on the axis. */
export function rowsOf(stretches: Stretch[], divisor: number): Row[] {
  const rows = new Map<number, Row>();
  for (const { id, series, points } of stretches) {
    for (const point of points) {
      const row: Row = rows.get(point.x) ?? { x: point.x };
      row[`v${id}`] = point.value / divisor;
      if (point.band && !series.hollow) {
        row[`b${id}`] = [point.band[0] / divisor, point.band[1] / divisor];
      }
      rows.set(point.x, row);
    }
  }
  return [...rows.values()].toSorted((a, b) => a.x - b.x);
}
