import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Answer } from "../api/types";
import { readQuestion } from "../links/question";
import { hasAxis, likelyFigure, questionsOf, type Topic, viewIn } from "./view";

const FOLDER = join(import.meta.dirname, "../../../tests/figures");
const OTHERS = new Set(["catalog.json", "views.json"]);

it.each(readdirSync(FOLDER).filter((name) => !OTHERS.has(name)))(
  "the chart that is loaded ahead is the one that will be drawn: %s",
  (name) => {
    const { answer, figure } = JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as {
      answer: Answer;
      figure: Answer["figure"];
    };
    const kinds = figure.charts.map(({ kind }) => kind).filter((kind) => kind !== "targets");
    if (!("question" in answer) || figure.nothing) return;
    // A group without a value on the axis has no position on it.
    const groups = answer.results.flatMap((result) => result.groups);
    if (groups.some(({ key }) => Object.values(key).includes(null))) return;
    for (const kind of kinds) expect(kind === "lines").toBe(hasAxis(answer.question));
    // Few cases are drawn as such, by code that then loads late.
    const grids = figure.charts.filter(({ grid }) => grid).map(() => "grid");
    for (const grid of grids) expect(likelyFigure(answer.question)).toBe(grid);
  },
);

const STORAGE: Topic = {
  path: "/storage",
  title: "Storage",
  views: [
    {
      id: "sizes",
      title: "By file size",
      preset: {
        metrics: ["disk.write_speed"],
        by: ["encryption", "file_size", "storage"],
        relativeTo: [],
      },
      needs: [
        { dimension: "storage", op: "not", value: "disk_image" },
        { dimension: "via", op: "not", value: "dock" },
      ],
      about: [],
    },
  ],
};

it("a regrouped view keeps its axis and what it needs", () => {
  const [grouped, ...others] = questionsOf(STORAGE, readQuestion("where=chip:Apple M1"), "sizes", [
    "chip",
  ]);
  expect(others).toEqual([]);
  expect(grouped.by).toEqual(["chip", "file_size"]);
  expect(grouped.metrics).toEqual(["disk.write_speed"]);
  expect(grouped.where).toEqual([
    { dimension: "chip", op: "is", value: "Apple M1" },
    { dimension: "storage", op: "not", value: "disk_image" },
    { dimension: "via", op: "not", value: "dock" },
  ]);
});

it("a ranking of one kind of storage is not the comparison of all kinds", () => {
  const ranking = {
    id: "ranking",
    title: "Ranking",
    preset: { metrics: ["disk.write_average"], by: ["chip"], relativeTo: [] },
    needs: [{ dimension: "storage", op: "is" as const, value: "internal" }],
    about: [],
  };
  const topic: Topic = { ...STORAGE, views: [ranking] };
  const viewOf = (by: string) =>
    viewIn(topic, readQuestion(`by=${by}&metric=disk.write_average&where=storage:internal`))?.id;
  expect(viewOf("chip")).toBe("ranking");
  expect(viewOf("model")).toBe("ranking");
  expect(viewOf("storage")).toBeUndefined();
});
