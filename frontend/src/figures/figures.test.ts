import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Answer, Catalog } from "../api/types";
import { stretchesOf } from "./charts/series";
import { day } from "../ui/format";
import { filtersInWords } from "./filterWords";
import { byUnit } from "./AnswerView";
import { casesOf, type Measure } from "./cases";
import { flagNotes, runsOf } from "./flags";
import { mixesText } from "./mixes";
import { axisDimension, panelsOf } from "./panels";
import { clauseOf } from "./runsLink";
import { isScatter, scatterPoints } from "./scatter";
import { daggerText, sourcesOf } from "./sources";
import { questionTitle, wordsOf } from "./words";

// The page's side of answers that pictures are made from too: tests/support/figures.py is theirs.
const FOLDER = join(import.meta.dirname, "../../../tests/figures");
const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), "utf8"));

const words = wordsOf(read("catalog.json") as Catalog);
const names = readdirSync(FOLDER).filter((name) => !["catalog.json", "views.json"].includes(name));

function figureOf(answer: Answer) {
  const measure: Measure = answer.question.relative_to.length > 0 ? "ratio" : "figure";
  const sources = sourcesOf(answer);
  return {
    title: questionTitle(words, answer.question),
    mixed: mixesText(
      words,
      answer.results.flatMap(({ groups }) => groups),
    ),
    filters: filtersInWords(words, answer.question.where.map(clauseOf)),
    runs: runsOf(answer, words),
    sources: [...sources.values()].map(({ citation }) => {
      const date = citation.published ? `, ${day(citation.published)}` : ", undated";
      return `${daggerText(sources, [citation])} ${citation.author}, “${citation.title}”, ${citation.publisher}${date}`;
    }),
    flags: [...flagNotes(answer, words).values()].map(({ letter, sentence, runs }) => ({
      letter,
      sentence,
      runs,
    })),
    parts: byUnit(answer).map((part) => partOf(part, measure, sources)),
  };
}

function partOf(part: Answer, measure: Measure, sources: ReturnType<typeof sourcesOf>) {
  const cases = casesOf(part, words, sources, measure);
  const isPoints = measure === "figure" && isScatter(part);
  const axis = isPoints ? undefined : axisDimension(words, part.question.by);
  const panels = axis ? panelsOf(part, words, sources, axis, measure).panels : [];
  const places = panels.flatMap(({ series }) => series.flatMap(({ points }) => points));
  const xs = [...new Set(places.map(({ x }) => x))].toSorted((a, b) => a - b);
  return {
    kind: isPoints ? "points" : axis ? "lines" : "cases",
    axis: axis ?? null,
    unit: cases.scale.symbol,
    cases: cases.rows.map(({ heading, label, lanes }) => ({
      heading,
      label,
      lanes: lanes.map((lane) => ({
        metric: lane.metric,
        name: lane.name,
        mark: lane.mark,
        text: [lane.text, lane.of].filter(Boolean).join(" "),
        dagger: lane.dagger,
        method: lane.method ?? "",
        behind: lane.weight,
        mixes: lane.group ? mixesText(words, [lane.group]) : "",
        hollow: lane.hollow,
        doubted: lane.doubted,
        band: lane.band !== undefined,
        interval: lane.interval !== undefined,
      })),
    })),
    panels: panels.map(({ title, series }) => ({
      title,
      series: series.map((one) => ({
        label: one.label,
        dagger: one.dagger,
        mark: one.mark,
        dash: one.dash,
        hollow: one.hollow,
        whiskers: one.points.some(({ whisker }) => whisker),
        stretches: stretchesOf([one], xs).map(({ points }) =>
          points.map(({ x, text }) => [x, text]),
        ),
      })),
    })),
    points: (isPoints ? scatterPoints(part, words, sources, cases.scale) : []).map(
      ({ label, text, hollow, crossed, dagger }) => ({
        label,
        texts: text,
        hollow,
        doubted: crossed,
        dagger,
      }),
    ),
  };
}

describe("page and picture agree", () => {
  it.each(names)("%s", (name) => {
    const { answer, figure } = read(name) as { answer: Answer; figure: unknown };
    expect(figureOf(answer)).toEqual(figure);
  });
});
