import { csvCell } from "../../ui/csv";
import type { Residency } from "../../api/types";
import { type Mark, markPath } from "../../figures/charts/marks";

/** Pixels of the squares that points are gathered in, and the radius of a point that is alone. */
export const CELL = 5;
export const LEAST = 0.9;

/**
 * All of a group's points as one path: five thousand elements would take a browser seconds. Points
 * of one square share a mark, larger for more of them: samples gather where whole cores are busy,
 * and marks that lie on one another would not say how many they are.
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

/** Every point that is drawn. */
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
