import { expect, it } from "vitest";
import type { Bar } from "../../questions/finding";
import { barsOf, certainSize, farthest, findingsOf, ranked, spread } from "./findings";

const bar = (interval: [number, number] | undefined, base = 0) => ({ interval, base }) as Bar;

it("measures a difference between the near ends of intervals", () => {
  expect(certainSize([bar([1, 2]), bar([4, 6])])).toBeCloseTo(Math.log(2));
  // A ratio differs from 1.
  expect(certainSize([bar([0.4, 0.5], 1), bar([0.9, 1.1], 1)])).toBeCloseTo(Math.log(2));
});

it.each([
  ["nothing", []],
  ["one figure", [bar([1, 2])]],
  ["figures without intervals", [bar(undefined), bar(undefined)]],
  ["figures whose intervals overlap", [bar([1, 3]), bar([2, 6])]],
  ["a ratio that may be 1", [bar([0.9, 1.1], 1)]],
])("finds no certain difference in %s", (_, bars) => {
  expect(certainSize(bars)).toBe(0);
});

it.each([
  [1, [0]],
  [6, [0, 1, 2, 3, 4, 5]],
  [10, [0, 2, 4, 5, 7, 9]],
])("shows of %i bars the first, the last and some between", (count, shown) => {
  const bars = Array.from({ length: count }, (_, value) => ({ value }) as Bar);
  expect(spread(bars).map(({ value }) => value)).toEqual(shown);
});

it("shows of differences both ends, and the largest of the others", () => {
  const bars = [-0.12, -0.11, -0.1, -0.001, 0, 0.001, 0.001, 0.002].map(
    (value) => ({ value }) as Bar,
  );
  expect(farthest(bars).map(({ value }) => value)).toEqual([
    -0.12, -0.11, -0.1, -0.001, 0.001, 0.002,
  ]);
});

it("draws differences with their sign, from the lowest to the highest", () => {
  const cases = [1.02, 0.84, 0.97].map((value, at) => ({
    key: { chip: `M${at}` },
    lanes: [{ metric: "speed", value, text: "" }],
  }));
  const answer = { figure: { charts: [{ up: { base: 1 }, cases }] } } as never;
  const words = { dimension: () => undefined, value: (_: string, value: string) => value } as never;
  const bars = barsOf({ metric: "speed", of: ["chip"], ranked: true } as never, answer, words);
  expect(bars.map(({ label }) => label)).toEqual(["M1", "M2", "M0"]);
  expect(bars.map(({ value }) => Math.sign(value))).toEqual([-1, -1, 1]);
});

it("puts news first, then what a condition costs, then the largest", () => {
  const finding = (title: string, bars: Bar[], news = false) => ({ title, bars, news }) as never;
  const speeds = [bar([1, 2]), bar([4, 6])];
  const cost = finding("cost", [bar([0.8, 0.9], 1)]);
  const steady = finding("steady", [bar([0.9, 1.1], 1)], true);
  const trifle = finding("trifle", [bar([0.99, 0.999], 1)], true);
  const update = finding("update", [bar([0.88, 0.97], 1)], true);
  const threads = finding("threads", [bar([1, 2]), bar([20, 21])]);
  const titles = (all: never[]) => ranked(all).map(({ title }) => title);
  const storage = finding("storage", speeds);
  expect(titles([storage, threads, cost, update])).toEqual([
    "update",
    "cost",
    "threads",
    "storage",
  ]);
  expect(titles([steady, trifle, storage])).toEqual(["storage", "trifle", "steady"]);
});

it("asks about the two newest macOS versions that enough Macs measured under", () => {
  const values = ["26.10", "26.9", "27.0", null].map((value, at) => ({
    value,
    machines: at === 2 ? 1 : 9,
    runs: 9,
  }));
  const topics = [{ path: "/storage" as const, title: "", views: [] as never }] as const;
  const facets = { dimensions: [{ name: "os_version", values }] } as never;
  const [{ title, question } = {}] = findingsOf(topics, facets);
  expect(title).toBe("What did macOS 26.10 change?");
  expect(question?.relativeTo).toEqual([{ dimension: "os_version", op: "is", value: "26.9" }]);
});
