import { describe, expect, it } from "vitest";
import { separated, beside, type Label, type Place, spread } from "./scale";

describe("spread labels", () => {
  it("stay where they do not touch", () => {
    expect(spread([10, 50, 90], 14, [0, 100])).toEqual([10, 50, 90]);
  });
  it("move apart, in their order, within the limits", () => {
    const placed = spread([50, 50, 51, 99], 14, [0, 100]);
    const sorted = placed.toSorted((a, b) => a - b);
    for (let i = 1; i < sorted.length; i++) {
      expect((sorted[i] ?? 0) - (sorted[i - 1] ?? 0)).toBeGreaterThanOrEqual(14);
    }
    expect(Math.max(...placed)).toBeLessThanOrEqual(100);
  });
});

describe("labels beside points", () => {
  const label = (left: number, y: number) => ({ left, right: left + 50, y });
  const heights = (labels: Label[], marks: Label[] = []) =>
    separated(
      labels.map((candidate) => [candidate]),
      15,
      marks,
    ).map(({ y }) => y);
  it("stay where they are unless one would cover another", () => {
    expect(heights([label(0, 10), label(60, 12), label(200, 10)])).toEqual([10, 12, 10]);
  });
  it("move the shortest way that is free", () => {
    expect(heights([label(0, 10), label(20, 12), label(10, 11)])).toEqual([10, 25, -5]);
    const marks = [
      { left: -8, right: 0, y: 10 },
      { left: 30, right: 38, y: 12 },
    ];
    expect(heights([label(0, 10)], marks)).toEqual([-3]);
  });
  it("stay beside their mark at its other side where this one is taken", () => {
    const first = label(100, 10);
    const [after, before] = [label(90, 12), label(20, 12)];
    expect(separated([[first], [after, before]], 15)).toEqual([first, before]);
    expect(separated([[first], [label(200, 12), before]], 15)).toEqual([first, label(200, 12)]);
  });
});

describe("names beside the ends of lines", () => {
  const area = { left: 0, right: 400, top: 0, bottom: 200 };
  const lineOf = (...line: Place[]) => ({ line: [line], width: 80, after: 8 });
  const [start, end] = [
    { x: 0, y: 100 },
    { x: 100, y: 60 },
  ];
  it("begin after the last point", () => {
    expect(beside([lineOf(start, end)], 18, area)).toEqual([{ x: 108, y: 60 }]);
  });
  it("have no place where the area ends", () => {
    expect(beside([lineOf(start, { x: 330, y: 60 })], 18, area)).toEqual([undefined]);
  });
  it("are moved off a line that passes, and off other names", () => {
    const passes = lineOf(start, { x: 390, y: 56 });
    const [placed, unplaced] = beside([lineOf(start, end), passes], 18, area);
    expect(unplaced).toBeUndefined();
    // Between the end of its own line and that of the name, the other line falls from 89 to 79.
    expect(placed?.y).toBe(60);
    const through = [
      { x: 0, y: 60 },
      { x: 400, y: 60 },
    ];
    const [moved] = beside([lineOf(start, end), lineOf(...through)], 18, area);
    expect(Math.abs((moved?.y ?? 60) - 60)).toBeGreaterThan(9);
    const [first, second] = beside([lineOf(start, end), lineOf(start, end)], 18, area);
    expect(Math.abs((first?.y ?? 0) - (second?.y ?? 0))).toBeGreaterThanOrEqual(14);
  });
  it("have no place among many lines, and without a point", () => {
    const lines = Array.from({ length: 12 }, (_, n) =>
      lineOf({ x: 0, y: 20 + n * 8 }, { x: 390, y: 20 + n * 8 }),
    );
    expect(beside([lineOf(start, end), ...lines], 18, area)[0]).toBeUndefined();
    expect(beside([lineOf()], 18, area)).toEqual([undefined]);
  });
});
