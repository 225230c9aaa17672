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
function server(kinds: Record<string, "measured" | "published" | "error">, start: Start = NOTHING) {
  const requests: string[] = [];
  const asking: Asking = {
    start: () => Promise.resolve(start),
    answer: (question: Question) => {
      requests.push(printQuestion(question));
      const [metric = ""] = question.metrics;
      const status = kinds[metric];
      if (status === "error") return Promise.reject(new Error("no server"));
      return Promise.resolve(answerOf(question, status));
    },
    facets: () => Promise.resolve({ total: 0, dimensions: [], metrics: [] }),
    measured: () => Promise.resolve(Object.values(kinds).includes("measured")),
  };
  return { asking, requests };
}

const NOTHING: Start = { fixed: [] };

function answerOf(question: Question, status: "measured" | "published" | undefined): Answer {
  const group = {
    key: Object.fromEntries(question.by.map((name) => [name, "x"])),
    published: status === "published",
    ratio: { value: 1 },
  } as unknown as Group;
  const groups = status ? [group] : [];
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
    const { asking, requests } = server({
      "cores.added_thread_time": "published",
      "cores.total_time": "published",
      "cores.added_loop_rate": "measured",
    });
    expect(await opens(asking)).toEqual(["cores.added_loop_rate"]);
    // Later views are not requested.
    expect(requests.some((question) => question.includes("cores.thread_time"))).toBe(false);
  });
  it("opens with its first view where Macs have measured that", async () => {
    const { asking, requests } = server({ "cores.loop_rate": "measured" });
    expect(await opens(asking)).toEqual(["cores.loop_rate"]);
    expect(requests).toHaveLength(1);
  });
  it("asks for no other view once an article has answered and no Mac has measured any", async () => {
    const { asking, requests } = server({
      "cores.added_thread_time": "published",
      "cores.total_time": "published",
    });
    expect(await opens(asking)).toEqual(["cores.added_thread_time"]);
    expect(requests).toHaveLength(2);
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
    const [filtered] = questionsOf(CORES, readQuestion("where=chip:Apple M4"), undefined);
    expect((await openingOf(CORES, [filtered], asking)).fixed).toEqual([]);
  });
  it("shows side by side what no value has in common", async () => {
    const { asking } = server(
      { "cores.total_time": "measured" },
      { fixed: [], split: ["power_mode"] },
    );
    const byThreads = readQuestion("metric=cores.total_time&by=kernel&by=threads");
    const { question, fixed } = await openingOf(CORES, [byThreads], asking);
    expect([question.by, fixed]).toEqual([["kernel", "power_mode", "threads"], []]);
  });
});

describe("a starting point", () => {
  it("replaces a group that gives way to another, and says how many cases are left out", async () => {
    const start: Start = { fixed: [], split: ["encryption"], merged: ["chip"], hidden: 2 };
    const { asking, requests } = server({ "disk.write_average": "measured" }, start);
    const question = { ...first, metrics: ["disk.write_average"], by: ["chip", "storage"] };
    const opening = await openingOf(CORES, [question], asking);
    expect([opening.question.by, opening.hidden]).toEqual([["encryption", "storage"], 2]);
    expect(requests).toHaveLength(1);
  });
  it("isn't requested for ratios of like with like", async () => {
    const { asking } = server({ "cores.loop_rate": "measured" }, { fixed: [], hidden: 2 });
    const relativeTo = [{ dimension: "chip", op: "is" as const, value: "Apple M1" }];
    const hidden = async (crude?: true) =>
      (await openingOf(CORES, [{ ...first, relativeTo, ...(crude ? { crude } : {}) }], asking))
        .hidden;
    expect([await hidden(), await hidden(true)]).toEqual([undefined, 2]);
  });
});

describe("a picked question", () => {
  const start: Start = { fixed: [{ dimension: "power_mode", value: "automatic" }] };
  const open = (text: string, nonEmpty: string[], stated = ["chip", "model"]) => {
    const { asking, requests } = server({ "cores.loop_rate": "measured" }, start);
    const answers = asking.answer;
    asking.facets = () =>
      Promise.resolve({
        total: 1,
        metrics: [],
        dimensions: ["kernel", "core_context", "threads", ...stated].map((name) => ({
          name,
          distinct: 2,
          values: [{ value: "x", runs: 1, machines: 1, text: "x", place: 0 }],
        })),
      });
    asking.answer = async (question) => {
      const answer = await answers(question);
      const isShown = nonEmpty.length === 0 || nonEmpty.includes(printQuestion(question));
      return isShown ? answer : answerOf(question, undefined);
    };
    return { requests, opening: openingOf(CORES, [readQuestion(text)], asking, { picked: true }) };
  };
  const FIXED = "where=core_context:x&where=kernel:x&where=threads:x";
  it("is completed, and begins like any other where it has no filter", async () => {
    const { question, fixed } = await open("metric=cores.loop_rate&by=model", []).opening;
    expect(fixed).toEqual(["kernel:x", "core_context:x", "threads:x", "power_mode:automatic"]);
    expect(printQuestion(question)).toContain("by=model&metric=cores.loop_rate&where=core_context");
  });
  it("gets no starting point where its reader has a filter", async () => {
    const search = "metric=cores.loop_rate&by=model&where=chip:Apple M1";
    const { question, fixed } = await open(search, []).opening;
    expect(fixed).toEqual(["kernel:x", "core_context:x", "threads:x"]);
    expect(question.where.map(({ dimension }) => dimension)).toContain("chip");
  });
  it("drops groups and filters that the metric's runs don't state", async () => {
    const odd = "metric=cores.loop_rate&by=enclosure&by=model&where=storage:usb4";
    const { question } = await open(odd, []).opening;
    expect(printQuestion(question)).toContain("by=model&metric");
    expect(printQuestion(question)).not.toContain("storage");
    const none = await open("metric=cores.loop_rate&by=enclosure", []).opening;
    expect(none.question.by).toEqual(["chip"]);
  });
  it("that would be empty loses its reader's filters", async () => {
    const without = `by=model&metric=cores.loop_rate&${FIXED}`;
    const search = "metric=cores.loop_rate&by=model&where=chip:Apple M1";
    const { opening, requests } = open(search, [without]);
    expect(printQuestion((await opening).question)).toBe(without);
    expect(requests.at(-1)).toBe(without);
  });
});

it("a view regrouped under its reader's filter shows exactly that", async () => {
  const start: Start = { fixed: [{ dimension: "power_mode", value: "automatic" }] };
  const view = CORES.views[3];
  const [question] = questionsOf(CORES, readQuestion("where=chip:Apple M1"), "cores.total_time", [
    "kernel",
    "model",
    "threads",
  ]);
  const { asking } = server({ "cores.total_time": "measured" }, start);
  const regrouped = await openingOf(CORES, [question], asking, { view, picked: true });
  expect(regrouped.fixed).toEqual([]);
  expect(printQuestion(regrouped.question)).toBe(
    "by=kernel&by=model&by=threads&metric=cores.total_time&where=chip:Apple%20M1",
  );
});
