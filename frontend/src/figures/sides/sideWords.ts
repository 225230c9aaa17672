import { isolated } from "../../ui/format";
import type { Answer, Figure, Scalar } from "../../api/types";
import { type Clause, printClause } from "../../links/clause";
import type { Question } from "../../links/question";
import { metricParts, MOST_SIDES, type Side, type Sides } from "../../links/sides";
import { clauseOf } from "../runsLink";
import { caseValue, type Words } from "../words";
import { told } from "../filterWords";

/** What a bare address compares: the kinds of storage that most figures are of. */
export const START: Sides = {
  metrics: ["disk.read_average", "disk.write_average"],
  sides: ["internal", "thunderbolt5", "usb4"].map((value) => ({
    where: [{ dimension: "storage", op: "is", value }],
  })),
  where: [],
  baseline: 1,
  weight: "machine",
  flagged: "exclude",
};

/** The question for its starting point: each kind of storage is to be of like machines. */
export const START_QUESTION: Question = {
  metrics: START.metrics,
  by: ["storage"],
  where: START.sides.flatMap(({ where }) => where),
  relativeTo: [],
  weight: START.weight,
  flagged: START.flagged,
};

/** A side by its label, else by its filters. */
export function sideName(words: Words, { label, where }: Side): string {
  if (label) return isolated(label);
  if (where.length === 0) return "Everything";
  return [...Map.groupBy(where, ({ dimension }) => dimension).values()]
    .map((clauses) => clauses.map((clause) => clauseName(words, clause)).join(" or "))
    .join(" · ");
}

function clauseName(words: Words, clause: Clause): string {
  const { verb, value } = told(words, clause);
  const not = verb === "is not" ? "not " : "";
  if (clause.dimension === "machine" && clause.value)
    return `${not}Machine ${shortId(clause.value)}`;
  const number = words.isNumber(clause.dimension) && /^\d+$/.test(clause.value);
  return not + (number ? caseValue(words, clause.dimension, Number(clause.value)) : value);
}

/** Enough of an id to know it again. */
export function shortId(id: string): string {
  return /^[0-9a-f-]{36}$/.test(id) ? id.slice(0, 8) : id;
}

/** "Write speed by file size, 2 MB". */
export function metricName(words: Words, text: string): string {
  const { name, fixed } = metricParts(text);
  return [words.metricTitle(name), ...fixed.map((clause) => clauseName(words, clause))].join(", ");
}

/** What tells two groups of an answer apart, and what each is called. */
export interface Choice {
  id: string;
  name: string;
  where: Clause[];
}

/** The cases of a figure that can be compared, each once. */
export function choicesOf({ charts }: Figure): Choice[] {
  const found = new Map<string, Choice>();
  for (const { cases = [] } of charts) {
    let heading = "";
    for (const { key, label, heading: own } of cases) {
      heading = own || heading;
      const where = Object.entries(key ?? {}).map(clauseOfKey);
      const id = where.map(printClause).join("&");
      const name = [heading, label].filter(Boolean).join(" · ");
      if (!found.has(id)) found.set(id, { id, name, where });
    }
  }
  return [...found.values()];
}

const clauseOfKey = ([dimension, value]: [string, Scalar]): Clause => ({
  dimension,
  op: "is",
  value: value === null ? "" : String(value),
});

/** The comparison of those rows under the answer's own filters. */
export function sidesOf(answer: Answer, choices: Choice[]): Sides {
  const grouped = new Set(answer.question.by);
  return {
    ...START,
    metrics: answer.question.metrics,
    sides: choices.slice(0, MOST_SIDES).map(({ where, name }) => ({ where, label: labelOf(name) })),
    // The rows' own filters say what a filter of the whole answer on that dimension said.
    where: answer.question.where.map(clauseOf).filter(({ dimension }) => !grouped.has(dimension)),
    weight: answer.question.weight,
    flagged: answer.question.flagged,
  };
}

const MOST_LETTERS = 80;

/** A name as a label of the API: not empty, not long, without line breaks. */
function labelOf(name: string): string | undefined {
  return name.replaceAll(/\s+/g, " ").slice(0, MOST_LETTERS).trim() || undefined;
}
