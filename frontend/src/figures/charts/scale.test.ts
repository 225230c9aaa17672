import { describe, expect, it } from "vitest";
import { apart, type Label, spread } from "./scale";

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
    apart(
      labels.map((one) => [one]),
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
    expect(apart([[first], [after, before]], 15)).toEqual([first, before]);
    expect(apart([[first], [label(200, 12), before]], 15)).toEqual([first, label(200, 12)]);
  });
});
