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
    // Ranges as printed are cases, even along an axis.
    if (answer.results.every(({ groups }) => groups.length === 0)) return;
    for (const kind of kinds) expect(kind === "lines").toBe(hasAxis(answer.question));
  },
);
