import { describe, expect, it } from "vitest";
import { METHODS } from "./methods";
import { sectionOf } from "../../links/sections";

describe("the sections of the methods", () => {
  it("have anchors of their own", () => {
    expect(new Set(METHODS.map(({ id }) => id)).size).toBe(METHODS.length);
  });
  it("are found from every suite, under the same title", () => {
    for (const suite of [
      "disk",
      "hash",
      "compression",
      "cores",
      "power",
      "workload",
      "score",
      "one of next year",
    ]) {
      const { id, title } = sectionOf(suite);
      expect(METHODS.find((method) => method.id === id)?.title).toBe(title);
    }
  });
});
