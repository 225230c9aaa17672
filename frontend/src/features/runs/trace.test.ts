import { describe, expect, it } from "vitest";
import { areaPath } from "../../figures/charts/path";
import { nearest, readTrace, total, traceCsv, useOf, effectiveShareOf } from "./trace";
import { reachOf, stacked, steps } from "./traceSteps";

const CPU = {
  kind: "cpu",
  columns: ["t", "cluster", "frequency", "active_residency", "power"],
  rows: [
    [0, "E-Cluster", 1e9, 0.5, 0.1],
    [0, "P0-Cluster", 4e9, 1, 5],
    [0.1, "E-Cluster", 1e9, 1, 0.1],
    [0.1, "P0-Cluster", null, 0.5, null],
  ],
} as const;
const CORES = {
  kind: "core",
  columns: ["t", "cluster", "core", "frequency", "active_residency"],
  rows: [
    [0, "P0-Cluster", 1, 4e9, 1],
    [0, "P0-Cluster", 10, 2e9, 0.5],
    [0.1, "P0-Cluster", 1, 2e9, 1],
    [0.1, "P0-Cluster", 10, 2e9, 0],
  ],
} as const;
const raw = (...traces: unknown[]) => structuredClone(traces) as Parameters<typeof readTrace>[0];

describe("a trace", () => {
  it("has a track for every cluster and core, gaps where nothing was read", () => {
    const trace = readTrace(raw(CPU, CORES));
    expect(trace?.times).toEqual([0, 0.1]);
    expect(trace?.clusters.map(({ name, tier }) => [name, tier])).toEqual([
      ["E-Cluster", "Efficiency"],
      ["P0-Cluster", "Performance"],
    ]);
    expect(trace?.clusters[1]?.frequency).toEqual([4e9, undefined]);
    expect(trace?.cores.map(({ name }) => name)).toEqual(["P0-Cluster 1", "P0-Cluster 10"]);
  });
  it("adds the clusters' power where no total was sampled, but no part of it", () => {
    expect(readTrace(raw(CPU))?.power).toEqual([5.1, undefined]);
  });
  it("is none without two moments", () => {
    expect(readTrace(raw({ ...CPU, rows: CPU.rows.slice(0, 2) }))).toBeUndefined();
    expect(readTrace([])).toBeUndefined();
  });
  it("tells what 100 % CPU is worth", () => {
    const trace = readTrace(raw(CORES));
    if (!trace) throw new Error("no trace");
    const { plain, weighted } = useOf(trace, { Performance: 4e9 });
    expect(plain).toEqual([1.5, 1]);
    expect(weighted).toEqual([1.25, 0.5]);
    expect(total(trace.cores, 0)).toBe(1.5);
    expect(effectiveShareOf({ plain, weighted })).toBe(0.7);
  });
});

describe("a trace as text", () => {
  it("has a line a sample, nothing where nothing was read, and no formula", () => {
    const rows = CPU.rows.map(([t, , ...rest]) => [t, "=E", ...rest]);
    const trace = readTrace(raw({ ...CPU, rows: [rows[0], rows[3]] }));
    if (!trace) throw new Error("no trace");
    expect(traceCsv(trace, useOf(trace, {}))).toBe(
      't_s,"cpu_power_w","cpu_use_cores","cpu_use_weighted_cores","\'=E active","\'=E frequency_hz"\n' +
        "0,0.1,0.5,0.5,0.5,1000000000\n0.1,,0.5,,0.5,\n",
    );
  });
});

describe("the nearest moment", () => {
  it("is found before, between and after", () => {
    expect([-1, 0.4, 0.6, 9].map((time) => nearest([0, 1, 2], time))).toEqual([0, 0, 1, 2]);
  });
});

describe("steps", () => {
  it("are the samples themselves where there is room, and hold every one of them where not", () => {
    expect(steps([0, 1], 10)).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
    const times = Array.from({ length: 10_000 }, (_, index) => index / 10);
    const drawnSteps = steps(times, 800);
    expect(drawnSteps.length).toBeLessThanOrEqual(800);
    drawnSteps.forEach(({ from, to }, index) => {
      expect(from).toBe(drawnSteps[index - 1]?.to ?? 0);
      expect(to).toBeGreaterThan(from);
    });
    expect(drawnSteps.at(-1)?.to).toBe(10_000);
  });
  it("tell how far their samples reach, and keep a gap", () => {
    const all = { from: 0, to: 3 };
    expect(reachOf([1, undefined, 3], all)).toEqual({ mean: 2, low: 1, high: 3 });
    expect(reachOf([undefined], { from: 0, to: 1 })).toBeUndefined();
  });
  it("are stacked where every track has something", () => {
    const tracks = [
      [1, 1, 1],
      [2, undefined, 3],
    ];
    expect(stacked(tracks)).toEqual([
      [0, undefined, 0],
      [1, undefined, 1],
      [3, undefined, 4],
    ]);
  });
});

it("an area ends at a gap and begins behind it", () => {
  expect(
    areaPath([
      [0, 1, 2],
      [1, 1, 3],
      [2, undefined, undefined],
      [3, 1, 2],
    ]),
  ).toBe("M0.0 2.0L1.0 3.0L1.0 1.0L0.0 1.0zM3.0 2.0L3.0 1.0z");
});
