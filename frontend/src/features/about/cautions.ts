import type { SourceFigure } from "../../api/types";

/** How many of the figures carry each reservation, the most frequent first. */
export function cautionsOf(
  figures: Pick<SourceFigure, "flags">[],
): { code: string; rows: number }[] {
  const rows = new Map<string, number>();
  for (const code of figures.flatMap(({ flags }) => [...new Set(flags)])) {
    rows.set(code, (rows.get(code) ?? 0) + 1);
  }
  return [...rows]
    .map(([code, counted]) => ({ code, rows: counted }))
    .toSorted((a, b) => b.rows - a.rows || a.code.localeCompare(b.code));
}
