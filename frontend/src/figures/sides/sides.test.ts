import { describe, expect, it } from "vitest";
import type { Answer, Figure, SideFigure } from "../../api/types";
import { printSides } from "../../links/sides";
import { choicesOf, sidesOf, wordsUsed } from "./sideWords";

it("explains the words of verdicts that are used", () => {
  const used = (...figures: Partial<SideFigure>[]) =>
    wordsUsed([{ rows: [{ figures }] }] as Parameters<typeof wordsUsed>[0]).map(
      (text) => text.split(":")[0],
    );
  expect(used({ verdict: "5 of 5 pairs slower.", clear: true })).toEqual([]);
  expect(used({ verdict: "Slower.", clear: true, interval: [0.7, 0.8] })).toEqual([
    "Faster, slower",
  ]);
  expect(
    used({ verdict: "No difference seen." }, { verdict: "Inconclusive: n = 5 and 1." }),
  ).toEqual(["No difference seen", "Inconclusive"]);
});

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
  } as unknown as Answer;
  const figure = {
    charts: [
      {
        cases: [
          { heading: "USB4", label: "Threads 4", key: { storage: "usb4", threads: 4 }, lanes: [] },
          { label: "Threads 8", key: { storage: "usb4", threads: 8 }, lanes: [] },
        ],
      },
      {
        cases: [
          { heading: "USB4", label: "Threads 4", key: { storage: "usb4", threads: 4 }, lanes: [] },
          {
            heading: "Storage not stated",
            label: "Threads 1",
            key: { storage: null, threads: 1 },
            lanes: [],
          },
        ],
      },
    ],
  } as unknown as Figure;

  it("offers each case once, whichever charts it stands in", () => {
    expect(choicesOf(figure).map(({ name }) => name)).toEqual([
      "USB4 · Threads 4",
      "USB4 · Threads 8",
      "Storage not stated · Threads 1",
    ]);
  });

  it("asks for rows by all that tells them apart, under the answer's other filters", () => {
    const asked = sidesOf(answer, choicesOf(figure));
    expect(asked.sides.map(({ where }) => where.map(({ value }) => value))).toEqual([
      ["usb4", "4"],
      ["usb4", "8"],
      ["", "1"],
    ]);
    expect(asked.where.map(({ dimension }) => dimension)).toEqual(["encryption"]);
    expect(printSides(asked)).toContain("flagged=include");
  });
});
