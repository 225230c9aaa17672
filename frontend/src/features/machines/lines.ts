import type { LineWords, TimelineLine } from "../../api/types";
import type { Clause } from "../../links/clause";

type Point = TimelineLine["points"][number];

/** A line with its texts. */
export interface ToldLine {
  line: TimelineLine;
  lineWords: LineWords;
}

/** The first line on the storage that these filters name, or the first of all. */
export function lineOn(lines: readonly ToldLine[], where: readonly Clause[]) {
  const isOn = ({ line: { configuration } }: ToldLine) =>
    ["storage", "encryption"].every((name) => {
      const clauses = where.filter(({ dimension }) => dimension === name);
      return clauses.length === 0 || clauses.some(({ value }) => value === configuration[name]);
    });
  return lines.find(isOn) ?? lines[0];
}

/** A stretch of a line at one level: its first and last run, the level, and how it began. */
export interface Level {
  from: Point;
  to: Point;
  value: number;
  mark?: NonNullable<LineWords["steps"]>[number];
}

/** The levels between steps that stand out; the line's median if there are none. */
export function levelsOf(line: TimelineLine, told: Pick<LineWords, "steps" | "p50">): Level[] {
  const { points, steps = [] } = line;
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last || line.source === "published") return [];
  const standing = steps.flatMap((step, index) => {
    const mark = told.steps?.[index];
    return step.stands_out && mark ? [{ ...step, mark }] : [];
  });
  const startOf = (id: string) => points.findIndex(({ run_id }) => run_id === id);
  const levels: Level[] = [{ from: first, to: last, value: standing[0]?.before ?? told.p50.value }];
  for (const { run_id, after, mark } of standing) {
    const [from, before] = [points[startOf(run_id)], points[startOf(run_id) - 1]];
    const previous = levels.at(-1);
    if (!from || !before || !previous) continue;
    previous.to = before;
    levels.push({ from, to: last, value: after, mark });
  }
  return levels;
}

/** Stretches of a line on one version of macOS, with the peers on it; the last is open. */
export function versionsOf({ points, peers = [] }: TimelineLine) {
  const spans: { from: Point; to?: Point; version: string; peers?: (typeof peers)[number] }[] = [];
  for (const point of points) {
    const version = point.os_version;
    const last = spans.at(-1);
    if (!version || version === last?.version) continue;
    if (last) last.to = point;
    const on = peers.find(({ os_version }) => os_version === version);
    spans.push({ from: point, version, ...(on ? { peers: on } : {}) });
  }
  return spans;
}
