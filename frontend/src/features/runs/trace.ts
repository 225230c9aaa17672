/** A run's traces, read from its document and prepared for drawing. */

import { csvCell } from "../../ui/csv";

export interface RawTrace {
  kind: string;
  interval?: number | null;
  columns: string[];
  rows: (number | string | null)[][];
}

/** One line over time; a gap is undefined, never 0. */
export interface Track {
  /** "P0-Cluster", or "P0-Cluster 3" for a core. */
  name: string;
  /** The core tier, as far as the cluster's name shows it. */
  tier: string;
  frequency: (number | undefined)[];
  active: (number | undefined)[];
}

export interface Trace {
  /** Seconds since the first sample, one entry per sample. */
  times: number[];
  clusters: Track[];
  cores: Track[];
  /** Power of all CPU cores, in watts. */
  power: (number | undefined)[];
}

const TIERS: Record<string, string> = { E: "Efficiency", P: "Performance", S: "Super" };

/**
 * The tier of a cluster, from its letter. Chips with Super cores name their clusters P, and those
 * of their Performance cores M.
 */
export function tierOf(cluster: string, tiers: readonly string[] = []): string {
  const letter = cluster.charAt(0).toUpperCase();
  if (letter === "M") return "Performance";
  if (letter === "P" && tiers.includes("Super")) return "Super";
  return TIERS[letter] ?? "other";
}

const numberIn = (cell: number | string | null | undefined) =>
  typeof cell === "number" && Number.isFinite(cell) ? cell : undefined;

/** Undefined if the document has no trace of cores or clusters over time. */
export function readTrace(
  traces: readonly RawTrace[],
  tiers: readonly string[] = [],
): Trace | undefined {
  const traceOf = (kind: string) => traces.find((trace) => trace.kind === kind);
  const [clusters, cores, power] = [traceOf("cpu"), traceOf("core"), traceOf("power")];
  const timed = [clusters, cores, power].filter((trace) => trace?.columns.includes("t"));
  const times = [...new Set(timed.flatMap((trace) => (trace ? timesOf(trace) : [])))].toSorted(
    (a, b) => a - b,
  );
  if (times.length < 2) return undefined;
  const indexes = new Map(times.map((time, index) => [time, index]));
  return {
    times,
    clusters: tracks(clusters, indexes, tiers, false),
    cores: tracks(cores, indexes, tiers, true),
    power: column(power, indexes, "cpu") ?? summed(clusters, indexes),
  };
}

/** Distinct times. Rows of one time are consecutive, so each is mostly listed once. */
function timesOf({ columns, rows }: RawTrace): number[] {
  const at = columns.indexOf("t");
  const times: number[] = [];
  for (const row of rows) {
    const time = numberIn(row[at]);
    if (time !== undefined && time !== times.at(-1)) times.push(time);
  }
  return times;
}

function tracks(
  trace: RawTrace | undefined,
  indexes: Map<number, number>,
  tiers: readonly string[],
  isCore: boolean,
): Track[] {
  if (!trace) return [];
  const [t, cluster, core, frequency, active] = [
    "t",
    "cluster",
    "core",
    "frequency",
    "active_residency",
  ].map((name) => trace.columns.indexOf(name)) as [number, number, number, number, number];
  const byCluster = new Map<string, Map<number | string | null | undefined, Track>>();
  let [time, index]: [number | undefined, number | undefined] = [undefined, undefined];
  for (const row of trace.rows) {
    if (row[t] !== time || index === undefined) {
      time = numberIn(row[t]);
      index = time === undefined ? undefined : indexes.get(time);
    }
    const name = row[cluster];
    if (index === undefined || typeof name !== "string") continue;
    const number = isCore ? row[core] : undefined;
    let own = byCluster.get(name);
    if (!own) byCluster.set(name, (own = new Map()));
    let track = own.get(number);
    if (!track) own.set(number, (track = emptyTrack(name, number, tiers, indexes.size)));
    track.frequency[index] = numberIn(row[frequency]);
    track.active[index] = numberIn(row[active]);
  }
  return [...byCluster.values()]
    .flatMap((own) => [...own.values()])
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

function emptyTrack(
  cluster: string,
  core: number | string | null | undefined,
  tiers: readonly string[],
  length: number,
): Track {
  const gaps = () => Array.from<number | undefined>({ length });
  return {
    name: `${cluster} ${core ?? ""}`.trim(),
    tier: tierOf(cluster, tiers),
    frequency: gaps(),
    active: gaps(),
  };
}

function column(
  trace: RawTrace | undefined,
  indexes: Map<number, number>,
  name: string,
): (number | undefined)[] | undefined {
  const at = trace?.columns.indexOf(name) ?? -1;
  if (!trace || at < 0) return undefined;
  const values = Array.from<number | undefined>({ length: indexes.size });
  for (const row of trace.rows) {
    const index = indexes.get(numberIn(row[trace.columns.indexOf("t")]) ?? Number.NaN);
    if (index !== undefined) values[index] = numberIn(row[at]);
  }
  return values;
}

/** Sum of the clusters' power if no total was sampled; a gap if one of them is missing. */
function summed(trace: RawTrace | undefined, indexes: Map<number, number>): (number | undefined)[] {
  const totals = Array.from<number | undefined>({ length: indexes.size });
  if (!trace?.columns.includes("power")) return totals;
  const missing = new Set<number>();
  for (const row of trace.rows) {
    const index = indexes.get(numberIn(row[trace.columns.indexOf("t")]) ?? Number.NaN);
    if (index === undefined) continue;
    const value = numberIn(row[trace.columns.indexOf("power")]);
    if (value === undefined) missing.add(index);
    else totals[index] = (totals[index] ?? 0) + value;
  }
  return totals.map((value, index) => (missing.has(index) ? undefined : value));
}

/** Cores if sampled, otherwise clusters: the parts that residencies are summed over. */
export function partsOf(trace: Trace): Track[] {
  return trace.cores.length > 0 ? trace.cores : trace.clusters;
}

/** Total residency of all parts, in cores; undefined if one is missing. */
export function total(parts: readonly Track[], index: number): number | undefined {
  let sum = 0;
  for (const { active } of parts) {
    const value = active[index];
    if (value === undefined) return undefined;
    sum += value;
  }
  return parts.length > 0 ? sum : undefined;
}

/** The highest known value; 0 if none. Spreading 200,000 arguments would overflow the stack. */
export function highest(values: readonly (number | undefined)[]): number {
  let most = 0;
  for (const value of values) if (value !== undefined && value > most) most = value;
  return most;
}

/** The highest known frequency of each tier, from the machine or the trace itself. */
export function ceilings(
  trace: Trace,
  stated: Readonly<Record<string, number>>,
): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { tier, frequency } of [...trace.clusters, ...trace.cores]) {
    frequencies.set(tier, Math.max(frequencies.get(tier) ?? 0, stated[tier] ?? highest(frequency)));
  }
  return frequencies;
}

/** CPU use in cores, as % CPU counts it and weighted by frequency. */
export interface Use {
  plain: (number | undefined)[];
  weighted: (number | undefined)[];
}

/**
 * CPU use over time. In the weighted one, a core active at half its maximum frequency counts half.
 */
export function useOf(trace: Trace, stated: Readonly<Record<string, number>>): Use {
  const most = ceilings(trace, stated);
  const clusters = new Map(trace.clusters.map((track) => [track.name, track]));
  const parts = partsOf(trace).map((part) => ({
    ...part,
    ceiling: most.get(part.tier),
    // Cores of a cluster share its frequency; an idle core reports none.
    shared: clusters.get(part.name.replace(/ \d+$/, ""))?.frequency,
  }));
  const weighted = trace.times.map((_, index) => {
    let sum = 0;
    for (const { active, frequency, shared, ceiling } of parts) {
      const share = active[index];
      const at = frequency[index] ?? shared?.[index];
      if (share === undefined) return undefined;
      if (share === 0) continue;
      if (at === undefined || !ceiling) return undefined;
      sum += (share * at) / ceiling;
    }
    return parts.length > 0 ? sum : undefined;
  });
  return { plain: trace.times.map((_, index) => total(parts, index)), weighted };
}

/** The effective value of 100 % CPU over the whole trace; undefined if unknown. */
export function effectiveShareOf({ plain, weighted }: Use): number | undefined {
  let [used, effective] = [0, 0];
  plain.forEach((value, index) => {
    const weight = weighted[index];
    if (value === undefined || weight === undefined) return;
    used += value;
    effective += weight;
  });
  return used > 0 ? effective / used : undefined;
}

/** The index of the time nearest to `wanted`; times are ascending. */
export function nearest(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  const before = times[low - 1];
  return before !== undefined && time - before < (times[low] ?? 0) - time ? low - 1 : low;
}

/** Everything drawn, one line per sample. */
export function traceCsv(trace: Trace, use: Use): string {
  type Column = [string, (number | undefined)[]];
  const all: Column[] = [
    ["cpu_power_w", trace.power],
    ["cpu_use_cores", use.plain],
    ["cpu_use_weighted_cores", use.weighted],
    ...[...trace.clusters, ...trace.cores].flatMap((track): Column[] => [
      [`${track.name} active`, track.active],
      [`${track.name} frequency_hz`, track.frequency],
    ]),
  ];
  const columns = all.filter(([, values]) => values.some((value) => value !== undefined));
  const lines = [["t_s", ...columns.map(([name]) => csvCell(name))].join(",")];
  trace.times.forEach((time, index) => {
    lines.push([time, ...columns.map(([, values]) => values[index] ?? "")].join(","));
  });
  return `${lines.join("\n")}\n`;
}
