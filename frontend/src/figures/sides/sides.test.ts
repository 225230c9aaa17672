import { describe, expect, it } from "vitest";
import type { Answer, Catalog, Compared, Group } from "../../api/types";
import { printSides } from "../../links/sides";
import { wordsOf } from "../words";
import { loneRows, ratioParts } from "./ratioParts";
import { choicesOf, sideName, sidesOf } from "./sideWords";

const words = wordsOf({
  metrics: [{ name: "disk.write_average", title: "Write speed", suite: "disk" }],
  dimensions: [
    {
      name: "storage",
      title: "Storage",
      of: "run",
      traits: [],
      values: { usb4: "USB4", internal: "Internal" },
    },
    { name: "threads", title: "Threads", of: "sample", kind: "number", traits: [] },
    {
      name: "encryption",
      title: "Encryption",
      of: "run",
      traits: [],
      values: { none: "Not encrypted" },
    },
  ],
  flags: [],
} as unknown as Catalog);

const group = (key: Group["key"], method: string) =>
  ({ key, method, method_version: 1, published: false }) as Group;

describe("a comparison of an answer's rows", () => {
  const answer = {
    question: {
      metrics: ["disk.write_average"],
      by: ["storage", "threads"],
      where: [
        { dimension: "storage", op: "is", value: "usb4" },
        { dimension: "encryption", op: "is", value: null },
      ],
      weight: "machine",
      flagged: "include",
    },
    results: [
      {
        groups: [
          group({ storage: "usb4", threads: 4 }, "a"),
          group({ storage: "usb4", threads: 4 }, "b"),
          group({ storage: null, threads: 1 }, "a"),
        ],
      },
    ],
  } as unknown as Answer;

  it("offers each row once, whatever its methods", () => {
    expect(choicesOf(answer, words).map(({ name }) => name)).toEqual([
      "USB4 · Threads 4",
      "Storage not stated · Threads 1",
    ]);
  });

  it("asks for rows by all that tells them apart, under the answer's other filters", () => {
    const asked = sidesOf(answer, choicesOf(answer, words));
    expect(asked.sides.map(({ where }) => where.map(({ value }) => value))).toEqual([
      ["usb4", "4"],
      ["", "1"],
    ]);
    expect(asked.where.map(({ dimension }) => dimension)).toEqual(["encryption"]);
    expect(printSides(asked)).toContain("flagged=include");
  });

  it("calls a side by its filters until it has a name", () => {
    const where = ["usb4", "internal"].map(
      (value) => ({ dimension: "storage", op: "is", value }) as const,
    );
    expect(sideName(words, { where })).toBe("USB4 or Internal");
    expect(sideName(words, { where, label: "Mine" })).toBe("Mine");
    expect(sideName(words, { where: [] })).toBe("Everything");
    const of = { dimension: "storage", op: "not", value: "usb4" } as const;
    expect(sideName(words, { where: [of] })).toBe("not USB4");
  });
});

describe("the parts of the chart", () => {
  const compared = {
    comparison: { baseline: 1 },
    rows: [
      {
        metric: "disk.write_average",
        title: "Write speed",
        unit: "B/s",
        parameters: {},
        method: "m",
        method_version: 1,
        published: false,
        cells: [
          { side: 1, median: 2e9, machines: 6 },
          {
            side: 2,
            median: 3e9,
            machines: 1,
            ratio: { value: 1.5, ci_low: 1.4, ci_high: 1.6, unlike: [{}] },
          },
          { side: 3, missing: { code: "not_measured", text: "…" } },
          { side: 4, median: 1e9, machines: 2, no_ratio: { code: "mixed", text: "…" } },
        ],
      },
    ],
    geometric_mean: { covers: [{}], left_out: [], sides: [{ side: 1, value: 1 }] },
  } as unknown as Compared;

  it("show a gap and not a mark where there is nothing or no ratio", () => {
    const [part, ...more] = ratioParts(compared, ["a", "b", "c", "d"], words);
    expect(more).toEqual([]);
    expect(part?.title).toBe("Write speed · m 1");
    expect(part?.rows.map(({ ratio, text }) => [ratio, text])).toEqual([
      [1, "100\u2009%"],
      [1.5, "150\u2009%"],
      [undefined, "nothing here"],
      [undefined, "no ratio"],
    ]);
    expect(part?.rows[1]?.note).toContain("unlike");
    expect(part?.rows[1]?.low).toBe(1.4);
  });

  it("have a mean of two ratios and more only", () => {
    const covers = [{}, {}] as Compared["geometric_mean"]["covers"];
    const both = { ...compared, geometric_mean: { ...compared.geometric_mean, covers } };
    const last = ratioParts(both, ["a", "b", "c", "d"], words).at(-1);
    expect(last?.title).toContain("Geometric mean of 2 ratios");
    expect(last?.rows[0]?.baseline).toBe(true);
  });
});

describe("rows that only one side has", () => {
  const row = (...present: boolean[]) => ({
    cells: present.map((here, place) => ({ side: place + 1, missing: here ? null : {} })),
  });
  const lone = (...rows: ReturnType<typeof row>[]) =>
    [...loneRows({ rows } as unknown as Compared)].map((one) => rows.indexOf(one as never));

  it("are told from those with something to compare", () => {
    expect(
      lone(row(true, true), row(true, false), row(false, false), row(true, true, false)),
    ).toEqual([1, 2]);
  });
  it("stay where there are no others", () => {
    expect(lone(row(true, false), row(false, true))).toEqual([]);
  });
});
