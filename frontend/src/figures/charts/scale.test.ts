import { describe, expect, it } from "vitest";
import { apart, ratioAxis, spread, zeroAxis } from "./scale";

describe("an axis from zero", () => {
  it.each([
    [7.66, [0, 2, 4, 6, 8]],
    [0.43, [0, 0.1, 0.2, 0.3, 0.4, 0.5]],
    [57, [0, 20, 40, 60]],
    [0, [0, 0.2, 0.4, 0.6, 0.8, 1]],
  ])("holds %d in round steps", (largest, ticks) => {
    expect(zeroAxis(largest)).toEqual({ domain: [0, ticks.at(-1)], ticks });
  });

  it("holds every size of value", () => {
    for (let value = 1e-9; value < 1e12; value *= 1.7) {
      const { domain, ticks } = zeroAxis(value);
      expect(domain[1]).toBeGreaterThanOrEqual(value * 0.999);
      expect(ticks.length).toBeGreaterThan(2);
      expect(ticks.length).toBeLessThan(9);
    }
  });
});

describe("an axis around 100%", () => {
  it("never looks closer than 80% to 110%", () => {
    expect(ratioAxis([0.97]).domain).toEqual([0.8, 1.1].map((edge) => expect.closeTo(edge, 0)));
    expect(ratioAxis([0.97]).ticks).toContain(1);
  });
  it("holds every ratio and keeps 100% among few ticks", () => {
    for (const values of [[0.02, 1], [0.19], [4.1, 0.5], [0.89, 0.95, 0.98]]) {
      const { domain, ticks } = ratioAxis(values);
      expect(Math.min(...values)).toBeGreaterThanOrEqual(domain[0]);
      expect(Math.max(...values)).toBeLessThanOrEqual(domain[1]);
      expect(ticks).toContain(1);
      expect(ticks.length).toBeLessThanOrEqual(9);
    }
  });
  it("has a tick at its lower end if that is apart", () => {
    expect(ratioAxis([0.102]).ticks.slice(0, 2)).toEqual([0.1, 0.2]);
  });
});

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
  it("stay where they are unless one would cover another", () => {
    expect(apart([label(0, 10), label(60, 12), label(200, 10)], 15)).toEqual([10, 12, 10]);
  });
  it("move the shortest way that is free", () => {
    expect(apart([label(0, 10), label(20, 12), label(10, 11)], 15)).toEqual([10, 25, -5]);
    const marks = [
      { left: -8, right: 0, y: 10 },
      { left: 30, right: 38, y: 12 },
    ];
    expect(apart([label(0, 10)], 15, marks)).toEqual([-3]);
  });
});
