import { describe, expect, it } from "vitest";
import type { Answer } from "../api/types";
import { changedSince, changesOf, changeText } from "./changes";

function answer(figures: Record<string, number>, relative = false): Answer {
  return {
    question: { relative_to: relative ? [{ dimension: "encryption", value: "none" }] : [] },
    results: [
      {
        metric: "disk.write_average",
        groups: Object.entries(figures).map(([storage, figure]) => ({
          key: { storage, encryption: "none" },
          published: false,
          method: "graded-files",
          method_version: 1,
          median: relative ? 1 : figure,
          ratio: relative ? { value: figure } : undefined,
        })),
      },
    ],
  } as unknown as Answer;
}

describe("what has changed between two answers", () => {
  it("is shown figure by figure, with what is new and what is gone", () => {
    const changes = changesOf(answer({ usb4: 2, internal: 7 }), answer({ internal: 7.7, usb3: 1 }));
    expect(changes.map(({ key, ratio }) => [key.storage, ratio])).toEqual([
      ["usb4", undefined],
      ["internal", 1.1],
      ["usb3", undefined],
    ]);
    expect(changes[0]?.live).toBeUndefined();
    expect(changes[2]?.frozen).toBeUndefined();
  });

  it("compares ratios where the question asks for them", () => {
    const changes = changesOf(answer({ usb4: 0.5 }, true), answer({ usb4: 0.75 }, true));
    expect(changes[0]?.ratio).toBe(1.5);
  });

  it("is printed with its sign", () => {
    const thin = "\u2009";
    expect(changeText(1.04)).toBe(`+4${thin}%`);
    expect(changeText(0.5)).toBe(`−50${thin}%`);
    expect(changeText(1.0123)).toBe(`+1.2${thin}%`);
    expect(changeText(1.00001)).toBe(`+<0.1${thin}%`);
    expect(changeText(3)).toBe(`+200${thin}%`);
    expect(changeText(1)).toBe("no change");
  });

  it("is summed up in a sentence", () => {
    expect(changedSince({ change: { groups: 3, largest: 1.04 } })).toBe(
      "Data has changed since: 3 groups, largest +4\u2009%.",
    );
    expect(changedSince({ change: { groups: 1, largest: null } })).toBe(
      "Data has changed since: 1 group.",
    );
  });
});
