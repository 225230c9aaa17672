import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Answer } from "../api/types";
import { hasAxis } from "./view";

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
    // A group without a value on the axis has no place on it.
    const groups = answer.results.flatMap((result) => result.groups);
    if (groups.some(({ key }) => Object.values(key).includes(null))) return;
    for (const kind of kinds) expect(kind === "lines").toBe(hasAxis(answer.question));
  },
);
