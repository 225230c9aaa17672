import { describe, expect, it } from "vitest";
import type { Answer, Group } from "../api/types";
import { printQuestion, type Question, readQuestion } from "../links/question";
import { type Asking, openingOf } from "./opening";
import { questionsOf, type Start, type Topic, type View } from "./view";

const viewOf = (metric: string): View => ({
  id: metric,
  title: metric,
  preset: { metrics: [metric], by: ["chip"], relativeTo: [] },
  about: [],
});
const CORES: Topic = {
  path: "/cores",
  title: "Cores",
  views: [
    viewOf("cores.loop_rate"),
    viewOf("cores.added_thread_time"),
    viewOf("cores.added_loop_rate"),
    viewOf("cores.total_time"),
    viewOf("cores.thread_time"),
  ],
};

const [first, ...rest] = questionsOf(CORES, readQuestion(""), undefined);
const BASE = { canonical: "", metrics: [], by: [], where: [], weight: "machine" as const };

/** A server whose metrics are measured, published or missing, and a record of its requests. */
function server(of: Record<string, "measured" | "published" | "error">, start: Start = NOTHING) {
  const asked: string[] = [];
  const asking: Asking = {
    start: () => Promise.resolve(start),
    answer: (question: Question) => {
      asked.push(printQuestion(question));
      const [metric = ""] = question.metrics;
      const shown = of[metric];
      if (shown === "error") return Promise.reject(new Error("no server"));
      return Promise.resolve(answerOf(question, shown));
    },
    measured: () => Promise.resolve(Object.values(of).includes("measured")),
  };
  return { asking, asked };
}

const NOTHING: Start = { fixed: [] };

function answerOf(question: Question, shown: "measured" | "published" | undefined): Answer {
  const group = {
    key: Object.fromEntries(question.by.map((name) => [name, "x"])),
    published: shown === "published",
    ratio: { value: 1 },
  } as unknown as Group;
  const groups = shown ? [group] : [];
  const relative_to = question.relativeTo.map(({ dimension, value }) => ({ dimension, value }));
  return {
    question: { ...BASE, relative_to },
    results: [{ metric: question.metrics[0], groups, published: [] }],
  } as unknown as Answer;
}

const opens = async (asking: Asking) =>
  (await openingOf(CORES, [first, ...rest], asking)).question.metrics;

describe("a topic", () => {
  it("opens with the first view that Macs have measured", async () => {
    const { asking, asked } = server({
      "cores.added_thread_time": "published",
      "cores.total_time": "published",
      "cores.added_loop_rate": "measured",
    });
    expect(await opens(asking)).toEqual(["cores.added_loop_rate"]);
    // Later views are not requested.
    expect(asked.some((question) => question.includes("cores.thread_time"))).toBe(false);
  });
  it("opens with its first view where Macs have measured that", async () => {
    const { asking, asked } = server({ "cores.loop_rate": "measured" });
    expect(await opens(asking)).toEqual(["cores.loop_rate"]);
    expect(asked).toHaveLength(1);
  });
  it("asks for no other view once an article has answered and no Mac has measured any", async () => {
    const { asking, asked } = server({
      "cores.added_thread_time": "published",
      "cores.total_time": "published",
    });
    expect(await opens(asking)).toEqual(["cores.added_thread_time"]);
    expect(asked).toHaveLength(2);
  });
  it("opens with what articles print where no Mac has measured, else with its first view", async () => {
    expect(await opens(server({ "cores.thread_time": "published" }).asking)).toEqual([
      "cores.thread_time",
    ]);
    expect(await opens(server({}).asking)).toEqual(first.metrics);
  });
  it("does not take a server that fails for one without figures", async () => {
    await expect(opens(server({ "cores.loop_rate": "error" }).asking)).rejects.toThrow("no server");
  });
  it("fixes what most Macs have, unless the reader filters, and says so", async () => {
    const start = { fixed: [{ dimension: "power_mode", value: "automatic" }] };
    const { asking } = server({ "cores.loop_rate": "measured" }, start);
    expect((await openingOf(CORES, [first], asking)).fixed).toEqual(["power_mode:automatic"]);
    const [own] = questionsOf(CORES, readQuestion("where=chip:Apple M4"), undefined);
    expect((await openingOf(CORES, [own], asking)).fixed).toEqual([]);
  });
  it("shows side by side what no value has in common", async () => {
    const { asking } = server(
      { "cores.loop_rate": "measured" },
      { fixed: [], split: ["power_mode"] },
    );
    const { question, fixed } = await openingOf(CORES, [first], asking);
    expect([question.by, fixed]).toEqual([["chip", "power_mode"], []]);
  });
});

it("a regrouped question keeps the reader's own filters and gets those it needs", async () => {
  const start: Start = { fixed: [{ dimension: "power_mode", value: "automatic" }] };
  const [asked] = questionsOf(CORES, readQuestion("where=chip:Apple M1"), "cores.loop_rate", [
    "model",
  ]);
  const { asking } = server({ "cores.loop_rate": "measured" }, start);
  const regrouped = await openingOf(CORES, [asked], asking, true);
  expect(regrouped.fixed).toEqual(["power_mode:automatic"]);
  expect(printQuestion(regrouped.question)).toBe(
    "by=model&metric=cores.loop_rate&where=chip:Apple%20M1&where=power_mode:automatic",
  );
  // With their own filter, readers of a view see exactly that.
  expect((await openingOf(CORES, [asked], asking)).fixed).toEqual([]);
});
