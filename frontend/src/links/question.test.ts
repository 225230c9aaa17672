import { describe, expect, it } from "vitest";
import { parseClause, printClause, printRange, rangeOf } from "./clause";
import { parseQuestion, printQuestion, readQuestion, replaced, toggled } from "./question";
import { parseSearch, printSearch } from "./search";

/** A small generator with a fixed seed: every run tests the same hostile texts. */
function* texts(count: number): Generator<string> {
  const alphabet = [
    "a",
    "Z",
    "9",
    ":",
    "!",
    "&",
    "=",
    "%",
    "#",
    "+",
    " ",
    "..",
    "é",
    "\u202e",
    "💾",
    "<",
  ];
  let state = 42;
  for (let i = 0; i < count; i++) {
    let text = "";
    for (let length = state % 9; length >= 0; length--) {
      state = (state * 1103515245 + 12345) % 2147483648;
      text += alphabet[(state >> 8) % alphabet.length];
    }
    yield text;
  }
}

describe("a clause", () => {
  it("splits at the first colon, and at the second for a label", () => {
    expect(parseClause("device:a:b")).toEqual({ dimension: "device", op: "is", value: "a:b" });
    expect(parseClause("label:iops:12000")).toEqual({
      dimension: "label:iops",
      op: "is",
      value: "12000",
    });
    expect(parseClause("label:iops!:a:b")).toEqual({
      dimension: "label:iops",
      op: "not",
      value: "a:b",
    });
  });

  it("reads an empty value as not stated", () => {
    expect(parseClause("via:")).toEqual({ dimension: "via", op: "is", value: "" });
    expect(parseClause("via!:")).toEqual({ dimension: "via", op: "not", value: "" });
  });

  it.each(["", "storage", ":usb4", "!:usb4", "label:", "label:iops", "label::x"])(
    "is none in %j",
    (text) => expect(parseClause(text)).toBeUndefined(),
  );

  it("comes back from print whatever its value holds", () => {
    for (const value of texts(200)) {
      for (const op of ["is", "not"] as const) {
        const clause = { dimension: "label:x", op, value };
        expect(parseClause(printClause(clause))).toEqual(clause);
      }
    }
  });
});

describe("a range", () => {
  it("may be open on either side", () => {
    expect(rangeOf("2..8")).toEqual({ low: 2, high: 8 });
    expect(rangeOf("2e6..")).toEqual({ low: 2e6 });
    expect(rangeOf("..0.5")).toEqual({ high: 0.5 });
    expect(rangeOf("-3..-1.5")).toEqual({ low: -3, high: -1.5 });
  });
  it.each(["..", "2", "a..b", "1...2", "2..b"])("is none in %j", (text) => {
    expect(rangeOf(text)).toBeUndefined();
  });
  it("comes back from print", () => {
    for (const range of [{ low: 1 }, { high: 2e9 }, { low: 0.25, high: 64 }]) {
      expect(rangeOf(printRange(range))).toEqual(range);
    }
  });
});

describe("a question", () => {
  const link =
    "by=encryption&by=storage&metric=disk.read_average&metric=disk.write_average&where=chip_family:M4&where=storage!:sd_card";

  it("prints its canonical form", () => {
    expect(printQuestion(readQuestion(link))).toBe(link);
    expect(
      printQuestion(
        readQuestion("version=1&weight=machine&flagged=exclude&metric=m&by=b&by=a&by=b"),
      ),
    ).toBe("by=a&by=b&metric=m");
  });

  it("comes back from its own print whatever its values hold", () => {
    for (const value of texts(200)) {
      const question = readQuestion(`metric=m&flagged=include&weight=run&fit=power`);
      question.where = [{ dimension: "label:k", op: "not", value }];
      question.relativeTo = [{ dimension: "device", op: "is", value }];
      expect(readQuestion(printQuestion(question))).toEqual(question);
    }
  });

  it("says which parameter it could not read", () => {
    expect(() => readQuestion("where=storage")).toThrow(
      expect.objectContaining({ parameter: "?where" }),
    );
    expect(() => readQuestion("weight=heavy")).toThrow(/machine or run/);
    expect(() => readQuestion("version=3")).toThrow(
      expect.objectContaining({ parameter: "?version" }),
    );
  });

  it("leaves the page's own parameters alone", () => {
    expect(parseQuestion(parseSearch("metric=m&live=1")).metrics).toEqual(["m"]);
  });

  it("adds, removes and replaces conditions", () => {
    const usb4 = { dimension: "storage", op: "is", value: "usb4" } as const;
    const none = readQuestion("metric=m");
    const some = toggled(none, usb4);
    expect(printQuestion(some)).toBe("metric=m&where=storage:usb4");
    expect(toggled(some, usb4)).toEqual(none);
    expect(printQuestion(replaced(some, [usb4], [{ ...usb4, op: "not" }]))).toBe(
      "metric=m&where=storage!:usb4",
    );
    expect(replaced(some, [usb4], [])).toEqual(none);
  });
});

describe("a search", () => {
  it("survives any text, and keeps colons readable", () => {
    for (const value of texts(200)) {
      expect(parseSearch(printSearch({ a: [value, "x"], b: [value] }))).toEqual({
        a: [value, "x"],
        b: [value],
      });
    }
    expect(printSearch({ where: ["label:a:b"] })).toBe("where=label:a:b");
  });
});
