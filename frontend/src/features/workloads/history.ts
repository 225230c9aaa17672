import { queryOptions } from "@tanstack/react-query";
import { client, dataOf } from "../../api/client";
import type { components } from "../../api/schema";
import { type Clause, printClause } from "../../links/clause";

export type Timeline = components["schemas"]["TimelineTold"];
type Line = Timeline["lines"][number];
type Words = Timeline["words"][number];
type Point = Line["points"][number];

/** Runs of one workload in one configuration, with their p50 and p90. */
export interface Configuration {
  id: string;
  label: string;
  runs: (Point & { place: number; text: string })[];
  /** Its digits, levels and axis; all configurations of a workload share a unit. */
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
  return queryOptions({
    queryKey: ["history", machine, query],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET("/api/v1/machines/{machine_id}/timeline", {
          params: { path: { machine_id: machine }, query },
          signal,
        }),
      ),
  });
}

/** What distinguishes a line within its workload: its labels, else whatever differs. */
function labelOf(line: Line, among: Line[]): string {
  const facts = (one: Line): Record<string, unknown> => {
    const { labels, ...rest } = one.configuration;
    return { ...rest, ...(labels as Record<string, unknown> | undefined) };
  };
  const own = facts(line);
  const distinct = Object.keys(own).filter((name) =>
    among.some((other) => String(facts(other)[name]) !== String(own[name])),
  );
  const words = distinct.map((name) => `${name} ${String(own[name])}`);
  return words.join(", ") || `${line.method} ${line.method_version}`;
}

/** By workload, those with most runs first; a configuration's runs keep their places among all. */
export function historiesOf({ lines, words }: Pick<Timeline, "lines" | "words">): History[] {
  const told = lines.flatMap((line, place) => {
    const of = words[place];
    return of ? [{ line, words: of }] : [];
  });
  const named = Map.groupBy(told, ({ line }) => String(line.parameters.test ?? "Not named"));
  return [...named]
    .map(([name, found]) => {
      const own = found.map(({ line }) => line);
      const all = own
        .flatMap(({ points }) => points)
        .toSorted((a, b) => a.at.localeCompare(b.at) || a.run_id.localeCompare(b.run_id));
      const places = new Map(all.map(({ run_id }, place) => [run_id, place + 1]));
      const configurations = found.map(({ line, words: of }, place) => ({
        id: `${name} ${place}`,
        label: own.length > 1 ? labelOf(line, own) : "all runs",
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
