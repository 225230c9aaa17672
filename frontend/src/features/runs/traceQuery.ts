import { queryOptions } from "@tanstack/react-query";
import { type RunDocument, runDocument } from "../../api/queries";
import { readTrace, type Trace, type Use, useOf, effectiveShareOf } from "./trace";
import { type Reach, reachOf } from "./traceSteps";

/** The drawable data of a run's traces. */
export interface TraceData {
  trace: Trace;
  use: Use;
  /** The effective value of 100 % CPU; undefined if unknown. */
  effectiveShare: number | undefined;
  rows: TraceRow[];
}

/** One row of the table: the range of each track over the whole trace. */
export interface TraceRow {
  name: string;
  samples: number;
  active?: Reach;
  frequency?: Reach;
  power?: Reach;
}

/**
 * A run's traces, ready to draw; null if its document has none. Documents never change, so it is
 * fetched once, and its rows, up to a hundred thousand, aren't cached.
 */
export function traceQuery(id: string) {
  return queryOptions({
    queryKey: ["trace", id],
    queryFn: async ({ signal }) => traceDataOf(await runDocument(id, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

function traceDataOf({ machine, traces }: RunDocument): TraceData | null {
  const tiers = machine?.core_tiers ?? [];
  const trace = readTrace(
    traces ?? [],
    tiers.map(({ name }) => name),
  );
  if (!trace) return null;
  const maxFrequencies = tiers.flatMap(({ name, max_frequency }): [string, number][] =>
    typeof max_frequency === "number" ? [[name, max_frequency]] : [],
  );
  const use = useOf(trace, Object.fromEntries(maxFrequencies));
  return { trace, use, effectiveShare: effectiveShareOf(use), rows: rowsOf(trace, use) };
}

type Values = readonly (number | undefined)[];

function rowsOf({ clusters, cores, power }: Trace, { plain, weighted }: Use): TraceRow[] {
  const overall = (values: Values = []) => reachOf(values, { from: 0, to: values.length });
  const tracks: { name: string; active: Values; frequency?: Values; power?: Values }[] = [
    { name: "All cores", active: plain, power },
    { name: "All cores, weighted by frequency", active: weighted },
    ...clusters,
    ...cores,
  ];
  return tracks.map(({ name, active, frequency, power: watts }) => ({
    name,
    samples: countKnown(active) || countKnown(watts),
    active: overall(active),
    frequency: overall(frequency),
    power: overall(watts),
  }));
}

function countKnown(values: Values = []): number {
  let count = 0;
  for (const value of values) if (value !== undefined) count++;
  return count;
}
