import type { LinePoint, Series } from "../../api/types";

export type Row = { x: number } & Record<string, number | [number, number] | undefined>;

/** A part of a line that is joined, under a name of its own among all lines. */
export interface Stretch {
  /** Under `v…` and `b…` its values and bands stand in the rows. */
  id: string;
  series: Series;
  points: LinePoint[];
}

export function stretchesOf(series: readonly Series[]): Stretch[] {
  return series.flatMap((one, place) =>
    one.stretches.map((points, number) => ({ id: `${place}.${number}`, series: one, points })),
  );
}

/** The points of all stretches by their place on the axis. */
export function rowsOf(stretches: readonly Stretch[]): Row[] {
  const rows = new Map<number, Row>();
  for (const { id, series, points } of stretches) {
    for (const { x, y, band } of points) {
      const row: Row = rows.get(x) ?? { x };
      row[`v${id}`] = y;
      const [low, high] = band ?? [];
      if (low !== undefined && high !== undefined && !series.hollow) row[`b${id}`] = [low, high];
      rows.set(x, row);
    }
  }
  return [...rows.values()].toSorted((a, b) => a.x - b.x);
}
