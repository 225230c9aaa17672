import { read } from "../../api/client";
import type { components } from "../../api/schema";
import { type Clause, printClause } from "../../links/clause";

export type Timeline = components["schemas"]["TimelineResponse"];
type Line = Timeline["lines"][number];
type Words = Timeline["words"][number];
type Point = Line["points"][number];

/** Runs of one workload in one configuration, with their p50 and p90. */
export interface Configuration {
  id: string;
  label: string;
  runs: (Point & { place: number; text: string })[];
  /** Its formatted values, levels and axis; all configurations of a workload share a unit. */
  words: Words;
}

/** One workload on one machine, with all runs in order. */
export interface History {
  name: string;
  runs: number;
  configurations: Configuration[];
}

export function historyQuery(machine: string, where: Clause[], flagged: "exclude" | "include") {
  const query = { metric: ["workload.duration"], where: where.map(printClause), flagged };
  return read(["history", machine, query], "/api/v1/machines/{machine_id}/timeline", {
    params: { path: { machine_id: machine }, query },
  });
}

/**
 * Histories by workload, those with most runs first; a configuration's runs keep their positions
 * among all.
 */
export function historiesOf({ lines, words }: Pick<Timeline, "lines" | "words">): History[] {
  const told = lines.flatMap((line, index) => {
    const of = words[index];
    return of ? [{ line, words: of }] : [];
  });
  const named = Map.groupBy(told, ({ words: { parameters } }) => parameters);
  return [...named]
    .map(([name, found]) => {
      const all = found
        .flatMap(({ line }) => line.points)
        .toSorted((a, b) => a.at.localeCompare(b.at) || a.run_id.localeCompare(b.run_id));
      const places = new Map(all.map(({ run_id }, index) => [run_id, index + 1]));
      const configurations = found.map(({ line, words: of }, index) => ({
        id: `${name} ${index}`,
        label: of.apart,
        runs: line.points.map((point, at) => ({
          ...point,
          place: places.get(point.run_id) ?? 0,
          text: of.points[at] ?? "",
        })),
        words: of,
      }));
      return { name, runs: all.length, configurations };
    })
    .toSorted((a, b) => b.runs - a.runs);
}
