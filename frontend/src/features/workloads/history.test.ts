import { describe, expect, it } from "vitest";
import { historiesOf, type Timeline } from "./history";

type Line = Timeline["lines"][number];

const line = (
  test: string,
  iops: string | undefined,
  values: [day: number, value: number][],
): Line => ({
  metric: "workload.duration",
  title: "",
  unit: "s",
  better: "lower",
  parameters: { test },
  source: "measured",
  method: "repeat-command",
  method_version: 1,
  configuration: { power_mode: "automatic", ...(iops ? { labels: { iops } } : {}) },
  points: values.map(([day, value]) => ({
    run_id: `${test}${day}`,
    at: `2026-10-0${day}T10:00:00Z`,
    os_version: "26.4",
    value,
    samples: 1,
    printed: null,
    flags: [],
  })),
  earlier: 0,
  days: values.length,
  fewest_days: 14,
  changes: [],
  os_updates: [],
});

const timeline = (...lines: Line[]) => ({
  lines,
  words: lines.map(
    ({ points, parameters, configuration }) =>
      ({
        parameters: String(parameters.test),
        apart: JSON.stringify(configuration.labels ?? "All runs"),
        points: points.map(({ value }) => `${value} s`),
      }) as Timeline["words"][number],
  ),
});

describe("workloads run by run", () => {
  it("keep the order of all runs and call configurations as the server does", () => {
    const [build] = historiesOf(
      timeline(
        line("build", "3000", [
          [1, 400],
          [3, 420],
        ]),
        line("build", "12000", [
          [2, 260],
          [4, 270],
          [5, 280],
        ]),
      ),
    );
    expect(build?.runs).toBe(5);
    expect(build?.configurations.map(({ label, runs }) => [label, runs[0]?.text])).toEqual([
      ['{"iops":"3000"}', "400 s"],
      ['{"iops":"12000"}', "260 s"],
    ]);
    expect(build?.configurations[1]?.runs.map(({ place }) => place)).toEqual([2, 4, 5]);
  });
  it("are kept apart by name, those with most runs first", () => {
    const histories = historiesOf(
      timeline(
        line("test", undefined, [[1, 5]]),
        line("build", undefined, [
          [1, 5],
          [2, 6],
        ]),
      ),
    );
    expect(histories.map(({ name }) => name)).toEqual(["build", "test"]);
    expect(histories[0]?.configurations[0]?.label).toBe('"All runs"');
  });
});
