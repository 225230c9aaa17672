import { csvCell } from "../../ui/csv";
import type { Residency } from "../../api/types";
import { type Mark, markPath } from "../../figures/charts/marks";

/** All of a group's points as one path: five thousand elements would take a browser seconds. */
export function dotsPath(
  points: readonly (readonly number[])[],
  mark: Mark,
  x: (active: number) => number,
  y: (frequency: number) => number,
): string {
  return points
    .map(([active = 0, frequency = 0]) =>
      markPath(mark, Number(x(active).toFixed(1)), Number(y(frequency).toFixed(1)), 2.2),
    )
    .join("");
}

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
