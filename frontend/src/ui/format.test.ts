import { describe, expect, it } from "vitest";
import {
  byteSize,
  counted,
  day,
  decimalsFor,
  fixed,
  inUnit,
  isolated,
  moment,
  nominal,
  percent,
  printedIn,
  quantity,
  scaleFor,
  significant,
} from "./format";

describe("numbers", () => {
  it.each([
    [7.659999, "7.66"],
    [7.6, "7.60"],
    [0.0573, "0.0573"],
    [9.996, "10.0"],
    [99.96, "100"],
    [422, "422"],
    [4512.4, "4512"],
    [12412, "12\u2009412"],
    [-1.5, "\u22121.50"],
    [0, "0"],
    [3.7e-10, "3.70\u2009×\u200910⁻¹⁰"],
  ])("show three significant figures: %d is %s", (value, text) => {
    expect(significant(value)).toBe(text);
  });

  it("never show a minus before nothing", () => {
    expect(fixed(-0.001, 1)).toBe("0.0");
  });

  it("lose less than half a unit of the last place", () => {
    for (let exponent = -4; exponent < 12; exponent++) {
      for (const mantissa of [1, 1.2345, 3.3333, 9.9949]) {
        const value = mantissa * 10 ** exponent;
        const shown = Number(significant(value).replaceAll("\u2009", ""));
        expect(Math.abs(shown - value) / value).toBeLessThanOrEqual(0.005);
        expect(decimalsFor(value)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe("units", () => {
  it("are chosen once for a column, by its largest value", () => {
    const scale = scaleFor("B/s", [57e6, 3.1e9]);
    expect(scale.symbol).toBe("GB/s");
    expect(inUnit(57e6, scale)).toBe("0.0570");
    expect(scaleFor("B/s", [57e6, 71e6]).symbol).toBe("MB/s");
    expect(scaleFor("s", [0.0021]).symbol).toBe("ms");
    expect(scaleFor("points", [3800])).toEqual({ symbol: "points", divisor: 1 });
  });
  it("follow the figure after a thin space", () => {
    expect(quantity(7.66e9, "B/s")).toBe("7.66\u2009GB/s");
    expect(percent(0.973)).toBe("97.3\u2009%");
  });
  it("keep chosen sizes short", () => {
    expect(byteSize(2e6)).toBe("2\u2009MB");
    expect(byteSize(2e9)).toBe("2\u2009GB");
    expect(byteSize(1.5e12)).toBe("1.5\u2009TB");
    expect(nominal(4e10, "bit/s")).toBe("40\u2009Gbit/s");
  });
});

describe("printed figures", () => {
  it("keep the digits that were printed", () => {
    expect(printedIn("5.3 GB/s", "GB/s")).toBe("5.3");
    expect(printedIn("97%", "%")).toBe("97");
    expect(printedIn("422 MB/s", "GB/s")).toBe("422\u2009MB/s");
    expect(printedIn("7.60", "GB/s")).toBe("7.60");
    expect(printedIn("4,415 MHz", "MHz")).toBe("4415");
    expect(printedIn("12,345 s", "s")).toBe("12\u2009345");
    expect(printedIn("unreadable", "GB/s")).toBe("unreadable");
  });
});

describe("words and dates", () => {
  it("count", () => {
    expect(counted(1, "machine")).toBe("1 machine");
    expect(counted(12000, "run")).toBe("12\u2009000 runs");
  });
  it("name days and moments", () => {
    expect(day("2025-07-17")).toBe("17 Jul 2025");
    expect(moment("2026-11-20T10:00:00Z", "UTC")).toBe("20 Nov 2026, 10:00");
  });
});

describe("a printed unit", () => {
  it("that is spelt out is the column's own", () => {
    expect(printedIn("49.32 seconds", "s")).toBe("49.32");
    expect(printedIn("6.80 s", "s")).toBe("6.80");
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
