import { queryOptions } from "@tanstack/react-query";
import { type RunDocument, runDocument } from "../../api/queries";
import { readTrace, type Trace, type Use, useOf, worthOf } from "./trace";
import { type Reach, reachOf } from "./traceSteps";

/** The drawable data of a run's traces. */
export interface Traced {
  trace: Trace;
  use: Use;
  /** The effective value of 100 % CPU; undefined if unknown. */
  worth: number | undefined;
  figures: TraceFigures[];
}

/** One row of the table: the range of each track over the whole trace. */
export interface TraceFigures {
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
    queryFn: async ({ signal }) => tracedIn(await runDocument(id, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
}

function tracedIn({ machine, traces }: RunDocument): Traced | null {
  const tiers = machine?.core_tiers ?? [];
  const trace = readTrace(
    traces ?? [],
    tiers.map(({ name }) => name),
  );
  if (!trace) return null;
  const stated = tiers.flatMap(({ name, max_frequency }): [string, number][] =>
    typeof max_frequency === "number" ? [[name, max_frequency]] : [],
  );
  const use = useOf(trace, Object.fromEntries(stated));
  return { trace, use, worth: worthOf(use), figures: figuresOf(trace, use) };
}

type Values = readonly (number | undefined)[];

function figuresOf({ clusters, cores, power }: Trace, { plain, weighted }: Use): TraceFigures[] {
  const whole = (values: Values = []) => reachOf(values, { from: 0, to: values.length });
  const lines: { name: string; active: Values; frequency?: Values; power?: Values }[] = [
    { name: "All cores", active: plain, power },
    { name: "All cores, weighted by frequency", active: weighted },
    ...clusters,
    ...cores,
  ];
  return lines.map(({ name, active, frequency, power: watts }) => ({
    name,
    samples: known(active) || known(watts),
    active: whole(active),
    frequency: whole(frequency),
    power: whole(watts),
  }));
}

function known(values: Values = []): number {
  let n = 0;
  for (const value of values) if (value !== undefined) n++;
  return n;
}
