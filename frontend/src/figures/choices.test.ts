import { expect, it } from "vitest";
import { firstOf, choicesOf } from "./choices";

const measured = (...metrics: [string, number[]][]) =>
  choicesOf({
    measured: metrics.map(([metric, sizes]) => ({
      metric,
      parameters: sizes.length > 0 ? sizes.map((file_size) => ({ file_size })) : [{}],
    })),
    words: { measured: [] },
  } as unknown as Parameters<typeof choicesOf>[0]);

const SIZES = [2e6, 40e6, 200e6];

it.each([
  [
    "a full run's average",
    [
      ["disk.write_speed", SIZES],
      ["disk.write_average", []],
    ],
    "disk.write_average",
  ],
  [
    "that of a Mac with both",
    [
      ["disk.write_average", []],
      ["disk.quick_write_average", []],
      ["disk.write_speed", SIZES],
    ],
    "disk.write_average",
  ],
  [
    "the largest file of a quick run",
    [
      ["disk.write_speed", SIZES],
      ["disk.quick_read_average", []],
    ],
    "disk.write_speed@file_size:200000000",
  ],
  [
    "a quick run's average, without files",
    [["disk.quick_read_average", []]],
    "disk.quick_read_average",
  ],
] as [string, [string, number[]][], string][])("begins with %s", (_, given, expected) => {
  const choices = measured(...given);
  expect(firstOf(choices)?.id).toBe(expected);
});

it("begins with nothing where nothing was measured", () => {
  expect(firstOf([])).toBeUndefined();
});
