import { csvCell } from "../../ui/csv";
import type { Residency, ResidencyGroup } from "../../api/types";
import { MARKS, type Mark, markPath } from "../../figures/charts/marks";

/** One chip's samples in one power mode: its tiers share a chart, and nothing else does. */
export interface ChipPanel {
  chip: string;
  groups: { group: ResidencyGroup; tier: string; mark: Mark }[];
}

export function panelsOf({ groups }: Residency): ChipPanel[] {
  const chips = Map.groupBy(
    groups.filter(({ samples }) => samples > 0),
    ({ key }) =>
      [key.chip ?? "Chip not stated", ...(key.power_mode ? [key.power_mode] : [])].join(", "),
  );
  return [...chips].map(([chip, found]) => ({
    chip,
    groups: found.map((group, place) => ({
      group,
      tier: String(group.key.tier),
      mark: MARKS[(place + 1) % MARKS.length] ?? "circle",
    })),
  }));
}

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

export interface Bin {
  /** Residencies from here to one core more. */
  low: number;
  n: number;
  median: number;
  p10: number;
  p90: number;
}

/** The points by whole cores of residency, in figures. */
export function binsOf(points: readonly (readonly number[])[]): Bin[] {
  const bins = Map.groupBy(points, ([active = 0]) => Math.floor(active));
  return [...bins]
    .map(([low, found]) => {
      const sorted = found.map(([, frequency = 0]) => frequency).toSorted((a, b) => a - b);
      return {
        low,
        n: sorted.length,
        median: percentile(sorted, 0.5),
        p10: percentile(sorted, 0.1),
        p90: percentile(sorted, 0.9),
      };
    })
    .toSorted((a, b) => a.low - b.low);
}

/** Interpolates between the two nearest values, as the server does. */
function percentile(sorted: number[], share: number): number {
  const at = share * (sorted.length - 1);
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
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
