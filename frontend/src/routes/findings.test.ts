import { describe, expect, it } from "vitest";
import { findingsOf } from "../features/overview/findings";
import type { Bar } from "../questions/finding";
import { viewIn } from "../questions/view";
import { TOPICS } from "./topics";

const FINDINGS = findingsOf(TOPICS);

const bar = (value: number, key: Bar["key"] = {}, label = ""): Bar => ({
  key,
  label,
  value,
  text: "",
  colour: "",
  hollow: false,
  dagger: "",
  weight: "",
});
const said = (title: RegExp, bars: Bar[]) =>
  FINDINGS.find((finding) => title.test(finding.title))
    ?.say(bars)
    .replaceAll("\u2009", " ");

describe("findings of the overview", () => {
  it("are questions of views that the reader finds again", () => {
    for (const { topic, question, metric } of FINDINGS) {
      expect(viewIn(topic, question)).toBeDefined();
      expect(question.metrics).toContain(metric);
    }
  });
  it("say what their bars show", () => {
    expect(said(/storage/, [bar(6, {}, "A"), bar(2, {}, "B")])).toBe(
      "A writes 3.0 times as fast as B.",
    );
    expect(said(/encryption/, [bar(0.97), bar(0.887)])).toBe(
      "APFS encryption leaves 89 to 97 % of the write speed without it.",
    );
    expect(said(/thread/, [bar(50, { threads: 1 }), bar(10, { threads: 8 })])).toBe(
      "8 threads finish in 20 % of the single-thread time (ideal: 13 %).",
    );
    expect(said(/cores/, [bar(4, { active_cores: 1 }), bar(3, { active_cores: 3 })])).toBe(
      "With 3 Performance cores active, each runs at 75 % of the frequency of one alone.",
    );
  });
  it("say nothing that there are too few bars for", () => {
    for (const title of [/storage/, /thread/, /cores/])
      expect(said(title, [bar(1, { threads: 1, active_cores: 1 })])).toBe("");
    for (const finding of FINDINGS) expect(finding.say([])).toBe("");
  });
});
