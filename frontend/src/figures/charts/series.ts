import type { LinePoint, Series } from "../../api/types";

export type Row = { x: number } & Record<string, number | [number, number] | undefined>;

/** A connected part of a line, with an id that is unique among all lines. */
export interface Stretch {
  /** Keys of its values and bands in the rows are `v` and `b` followed by this id. */
  id: string;
  series: Series;
  points: LinePoint[];
}

export function stretchesOf(series: readonly Series[]): Stretch[] {
  return series.flatMap((line, index) =>
    line.stretches.map((points, number) => ({ id: `${index}.${number}`, series: line, points })),
  );
}

/** The points of all stretches by position on the axis. */
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
