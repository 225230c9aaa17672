import { csvCell } from "../../ui/csv";
import type { Residency } from "../../api/types";
import { type Mark, markPath } from "../../figures/charts/marks";

/** Cell size for grouping points, and radius of a single point, in pixels. */
export const CELL = 5;
export const LEAST = 0.9;

/**
 * Draw all points of a group as one path: five thousand elements would take a browser seconds.
 * Points in one cell share a mark, larger for more points: samples cluster where whole cores are
 * busy, and overlapping marks would hide their number.
 */
export function dotsPath(
  points: readonly (readonly number[])[],
  mark: Mark,
  x: (active: number) => number,
  y: (frequency: number) => number,
): string {
  const cells = new Map<string, { at: [number, number]; many: number }>();
  for (const [active = 0, frequency = 0] of points) {
    const at: [number, number] = [inCell(x(active)), inCell(y(frequency))];
    const cell = cells.get(at.join()) ?? { at, many: 0 };
    cell.many++;
    cells.set(at.join(), cell);
  }
  const most = Math.max(...[...cells.values()].map(({ many }) => many));
  return [...cells.values()]
    .map(({ at: [left, top], many }) => {
      const share = most > 1 ? Math.log(many) / Math.log(most) : 0;
      return markPath(mark, left, top, Number((LEAST + share * (CELL / 2 - LEAST)).toFixed(2)));
    })
    .join("");
}

const inCell = (pixel: number) => Math.round(pixel / CELL) * CELL;

/** Every point drawn. */
export function residencyCsv({ groups }: Residency): string {
  const lines = groups.flatMap(({ key, points }) =>
    points.map(([active, frequency]) =>
      [
        csvCell(String(key.chip ?? "")),
        csvCell(String(key.power_mode ?? "")),
        csvCell(String(key.tier)),
        active,
        frequency,
      ].join(","),
    ),
  );
  return ["chip,power_mode,tier,active_cores,frequency_hz", ...lines, ""].join("\n");
}
