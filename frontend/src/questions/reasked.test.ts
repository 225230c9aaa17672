import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Catalog, Facet } from "../api/types";
import { wordsOf } from "../figures/words";
import { parseQuestion, printQuestion, readQuestion } from "../links/question";
import { parseSearch, printSearch } from "../links/search";
import { completed, lacking, regrouped, remeasured, type Shown, topicOf } from "./reasked";
import { fitOf, questionsOf, type Topic, type View } from "./view";

const CATALOG = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../tests/figures/catalog.json"), "utf8"),
) as Catalog;
const WORDS = wordsOf(CATALOG);

const view = (id: string, metric: string, by: string[], needs: View["needs"] = []): View => ({
  id,
  title: id,
  preset: { metrics: [metric], by, relativeTo: [] },
  needs,
  about: [],
});
const DOCKS = view(
  "docks",
  "disk.write_average",
  ["simultaneous", "storage", "via"],
  [
    { dimension: "storage", op: "not", value: "internal" },
    { dimension: "method", op: "is", value: "graded-files" },
  ],
);
const FREQUENCY = view("frequency", "cores.frequency", ["active_cores", "tier"]);
const STORAGE: Topic = { path: "/storage", title: "Storage", views: [DOCKS] };
const POWER: Topic = { path: "/power", title: "Power", views: [FREQUENCY] };

const shown = (text: string, of?: View, fixed: string[] = []): Shown => ({
  question: readQuestion(text),
  view: of,
  fixed,
});
const DOCKED =
  "by=simultaneous&by=storage&by=via&metric=disk.write_average&where=storage!:internal&where=method:graded-files";
const facet = (name: string, values: [string | number | null, number][]): Facet => ({
  name,
  distinct: values.length,
  values: values.map(([value, machines], place) => ({
    value,
    machines,
    runs: 1,
    text: String(value),
    place,
  })),
});

describe("another grouping", () => {
  it("lets the page choose its filters again where the reader has none", () => {
    const at = shown(`${DOCKED}&where=chip:Apple M4`, DOCKS, ["chip:Apple M4"]);
    expect(printSearch(regrouped(at, ["device"]))).toBe("group=device&group=via&view=docks");
  });
  it("keeps every filter where the reader has one, and the view's come with the view", () => {
    const own = `${DOCKED}&where=chip:Apple M4&where=encryption:none`;
    const search = regrouped(shown(own, DOCKS, ["chip:Apple M4"]), ["device"]);
    expect(search.where).toEqual(["chip:Apple M4", "encryption:none"]);
    const [asked] = questionsOf(STORAGE, parseQuestion(search), "docks", search.group);
    expect(printQuestion(asked)).toBe(
      "by=device&by=via&metric=disk.write_average&where=chip:Apple%20M4&where=encryption:none&where=method:graded-files&where=storage!:internal",
    );
  });
  it.each([
    ["chip:Apple M4", ["chip"], []],
    ["chip:Apple M4", ["model"], ["chip:Apple M4"]],
    ["chip!:Apple M4", ["chip"], ["chip!:Apple M4"]],
    ["os_major:26", ["os_major"], []],
    ["os_major:15..26", ["os_major"], ["os_major:15..26"]],
  ])("of %s by %s keeps %s", (where, group, kept) => {
    const search = regrouped(shown(`${DOCKED}&where=${where}`, DOCKS), group);
    expect(search.where ?? []).toEqual(kept);
  });
  it("keeps a filter of several values, which are being compared", () => {
    const two = ["chip:Apple M1", "chip:Apple M4"];
    const at = shown(`${DOCKED}&where=${two[0]}&where=${two[1]}`, DOCKS);
    expect(regrouped(at, ["chip"]).where).toEqual(two);
  });
  it("does not need what it groups by", () => {
    const search = regrouped(shown(DOCKED, DOCKS), ["method"]);
    const [asked] = questionsOf(STORAGE, parseQuestion(search), "docks", search.group);
    expect(printQuestion(asked)).toBe(
      "by=method&by=via&metric=disk.write_average&where=storage!:internal",
    );
  });
  it("keeps the parameters that its metric requires, while there is room", () => {
    const at = shown("metric=cores.frequency&by=active_cores&by=tier", FREQUENCY);
    expect(regrouped(at, ["chip"]).group).toEqual(["active_cores", "chip", "tier"]);
    expect(regrouped(at, ["chip", "model"]).group).toEqual(["active_cores", "chip", "model"]);
    expect(regrouped(at, ["chip"], { exactly: true }).group).toEqual(["active_cores", "chip"]);
  });
  it("has no curve unasked, and can have none along two numbers", () => {
    const fitted = { ...FREQUENCY, fit: "linear" as const };
    const topic: Topic = { ...POWER, views: [fitted] };
    const ask = (group: string) => questionsOf(topic, readQuestion(""), "frequency", [group])[0];
    expect(ask("chip").fit).toBeUndefined();
    expect([ask("chip"), ask("os_major")].map((question) => fitOf(fitted, question))).toEqual([
      "linear",
      undefined,
    ]);
  });
});

describe("another metric", () => {
  it("keeps the groups and filters that it has", () => {
    const at = shown(
      "metric=disk.read_speed&by=chip&by=file_size&where=encryption:none&where=file_size!:2000000&relative_to=chip:Apple M1&version=2",
    );
    expect(printSearch(remeasured(at, "disk.write_average", WORDS))).toBe(
      printSearch(
        parseSearch(
          "group=chip&metric=disk.write_average&relative_to=chip:Apple M1&version=2&where=encryption:none",
        ),
      ),
    );
    const tier = shown("metric=cores.frequency&by=tier&where=active_cores:1");
    expect(remeasured(tier, "disk.latency", WORDS)).toEqual({
      group: ["chip"],
      metric: ["disk.latency"],
    });
  });
  it("in groups of its own drops what they replace", () => {
    const at = shown("metric=disk.read_average&by=chip&where=storage:usb4&where=chip:Apple M4");
    expect(remeasured(at, "disk.trim_speed", WORDS, ["storage"])).toEqual({
      group: ["storage"],
      metric: ["disk.trim_speed"],
      where: ["chip:Apple M4"],
    });
  });
  it("is shown by the topic that draws it, or its suite", () => {
    const topics = [STORAGE, POWER] as const;
    const home = (metric: string) => topicOf(topics, metric, STORAGE)?.path;
    expect(home("cores.frequency")).toBe("/power");
    expect(home("cores.loop_rate")).toBe("/power");
    expect(home("score.value")).toBeUndefined();
  });
});

describe("a question without a parameter that it requires", () => {
  const THREADS = facet(
    "threads",
    [1, 2, 4, 8, 14].map((n) => [n, n > 8 ? 3 : 9]),
  );
  const complete = (text: string, name: string, known?: Facet) =>
    printQuestion(completed(readQuestion(text), name, known));
  it("lacks what it neither groups by nor fixes", () => {
    const of = (text: string) => lacking(readQuestion(`metric=compression.speed${text}`));
    expect([of(""), of("&where=threads:4"), of("&by=threads")]).toEqual([["threads"], [], []]);
    expect(of("&where=threads:1&where=threads:4")).toEqual(["threads"]);
    expect(of("&where=threads:1..4")).toEqual(["threads"]);
    expect(of("&where=threads!:4")).toEqual(["threads"]);
    expect(of("&relative_to=threads:1")).toEqual([]);
  });
  it("is fixed to what most Macs have: the middle number, the first text", () => {
    expect(complete("metric=compression.speed&by=chip", "threads", THREADS)).toContain("threads:2");
    const kernels = facet("kernel", [
      ["fp64", 5],
      ["neon", 5],
      [null, 9],
    ]);
    expect(complete("metric=cores.loop_rate", "kernel", kernels)).toContain("kernel:fp64");
  });
  it("is grouped by what its reader compares, else fixed to one of it", () => {
    const two = "where=threads:8&where=threads:14&metric=compression.speed";
    expect(complete(two, "threads", THREADS)).toContain("by=threads&metric");
    const full = "by=chip&by=model&by=storage";
    expect(complete(`${full}&${two}`, "threads", THREADS)).toBe(
      `${full}&metric=compression.speed&where=threads:8`,
    );
  });
  it("without any value is complete all the same", () => {
    const metrics = CATALOG.metrics.map(({ name }) => name);
    for (const metric of metrics) {
      let question = readQuestion(`metric=${metric}&by=chip&by=model&by=storage`);
      for (const name of lacking(question)) question = completed(question, name, undefined);
      expect(lacking(question)).toEqual([]);
      expect(question.by.length).toBeLessThanOrEqual(WORDS.mostGrouped);
    }
  });
});
