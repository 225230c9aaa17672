import { describe, expect, it } from "vitest";
import { findingsOf } from "../features/overview/findings";
import { viewIn } from "../questions/view";
import { TOPICS } from "./topics";

const FINDINGS = findingsOf(TOPICS);

describe("findings of the overview", () => {
  it("are questions of views that the reader finds again", () => {
    for (const { topic, question, metric } of FINDINGS) {
      expect(viewIn(topic, question)).toBeDefined();
      expect(question.metrics).toContain(metric);
    }
  });
});
