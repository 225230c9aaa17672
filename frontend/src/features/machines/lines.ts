import type { TimelineLine } from "../../api/types";
import { caseValue, type Words } from "../../figures/words";

type Point = TimelineLine["points"][number];

/** A stretch of a line on one level: its first and last run, and the level. */
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

/** "Internal SSD · FileVault": what a line was measured on. */
export function lineName(line: TimelineLine, words: Words): string {
  const { labels, device_id, ...configuration } = line.configuration;
  const parts = Object.entries(configuration)
    .filter(([name, value]) => !(name === "simultaneous" && value === 1))
    .toSorted(([a], [b]) => words.dimensionRank(a) - words.dimensionRank(b))
    .map(([name, value]) => caseValue(words, name, value as string | number | boolean));
  // An agent's id is a digest; one given to a device that an article describes is a name.
  if (typeof device_id === "string") {
    const [, named] = device_id.split("published:");
    parts.push(`device ${named ?? device_id.slice(0, 8)}`);
  }
  for (const [key, value] of Object.entries((labels ?? {}) as Record<string, string>)) {
    parts.push(`${key}: ${value}`);
  }
  return parts.join(" · ") || "All runs";
}
