import { describe, expect, it } from "vitest";
import { counted, day, days, fixed, isolated, moment } from "./format";

describe("numbers", () => {
  it("are grouped in threes", () => {
    expect(fixed(4512.4, 0)).toBe("4,512");
    expect(fixed(12412, 1)).toBe("12,412.0");
    expect(fixed(-1.5, 2)).toBe("\u22121.50");
  });
  it("never show a minus before nothing", () => {
    expect(fixed(-0.001, 1)).toBe("0.0");
  });
});

describe("words and dates", () => {
  it("count", () => {
    expect(counted(1, "machine")).toBe("1 machine");
    expect(counted(12000, "run")).toBe("12,000 runs");
  });
  it("name one day once", () => {
    expect(days("2026-06-12T19:16:00Z", "2026-06-12T20:00:00Z")).toBe("12 Jun 2026");
    expect(days("2026-06-12", "2026-07-03")).toBe("12 Jun 2026 to 3 Jul 2026");
  });
  it("name days and moments", () => {
    expect(day("2025-07-17")).toBe("17 Jul 2025");
    expect(moment("2026-11-20T10:00:00Z", "UTC")).toBe("20 Nov 2026, 10:00");
  });
});

describe("a text written from the right", () => {
  const name = "דיסק (מהיר) X5";
  it("is put between isolating marks, once, and closed where it was cut", () => {
    expect(isolated(name)).toBe(`\u2068${name}\u2069`);
    expect(isolated(isolated(name))).toBe(isolated(name));
    expect(isolated(`\u2068${name}`)).toBe(isolated(name));
    expect(isolated(`${name}\u2069\u202e`)).toBe(isolated(name));
  });
  it("keeps its place as a part of another", () => {
    const part = isolated(name);
    expect(isolated(`Device: ${part} or X5`)).toBe(`\u2068Device: ${part} or X5\u2069`);
  });
  it("is the only one that is marked", () => {
    expect(isolated("Samsung \u2068X5\u2069\u202e")).toBe("Samsung X5");
  });
});
