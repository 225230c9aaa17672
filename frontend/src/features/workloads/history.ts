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
  const wordedLines = lines.flatMap((line, index) => {
    const lineWords = words[index];
    return lineWords ? [{ line, words: lineWords }] : [];
  });
  const byParameters = Map.groupBy(wordedLines, ({ words: { parameters } }) => parameters);
  return [...byParameters]
    .map(([name, matchingLines]) => {
      const all = matchingLines
        .flatMap(({ line }) => line.points)
        .toSorted((a, b) => a.at.localeCompare(b.at) || a.run_id.localeCompare(b.run_id));
      const positions = new Map(all.map(({ run_id }, index) => [run_id, index + 1]));
      const configurations = matchingLines.map(({ line, words: lineWords }, index) => ({
        id: `${name} ${index}`,
        label: lineWords.apart,
        runs: line.points.map((point, at) => ({
          ...point,
          place: positions.get(point.run_id) ?? 0,
          text: lineWords.points[at] ?? "",
        })),
        words: lineWords,
      }));
      return { name, runs: all.length, configurations };
    })
    .toSorted((a, b) => b.runs - a.runs);
}
