import { isolated } from "../../ui/format";
import type { Answer, ComparedCell, ComparedRow, Group } from "../../api/types";
import { type Clause, printClause } from "../../links/clause";
import type { Question } from "../../links/question";
import { metricParts, MOST_SIDES, type Side, type Sides } from "../../links/sides";
import { clauseOf } from "../runsLink";
import {
  caseLabel,
  caseValue,
  listed,
  questionTitle,
  readingOrder,
  uncapitalised,
  type Words,
} from "../words";
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

/** What is asked of a starting point for it: each kind of storage is to be of like machines. */
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

/** "Write speed, whole run: USB4 relative to Internal SSD". */
export function sidesTitle(words: Words, { metrics, sides, baseline }: Sides): string {
  const names = sides.map((side) => sideName(words, side));
  const others = names.filter((_, place) => place !== baseline - 1);
  const asked = [...new Set(metrics.map((text) => metricParts(text).name))];
  return `${questionTitle(words, { metrics: asked, by: [], relative_to: [] })}: ${listed(others)} relative to ${names[baseline - 1] ?? ""}`;
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

export function rowName(words: Words, row: Pick<ComparedRow, "title" | "parameters">): string {
  const parameters = Object.entries(row.parameters).map(([name, value]) =>
    caseValue(words, name, value),
  );
  return [row.title, ...parameters].join(", ");
}

/** How the row's figures were made: the rows of one metric differ in nothing else. */
export function methodName({ method, method_version, published }: ComparedRow): string {
  if (method === null) return "";
  return `${published ? "published, " : ""}${method} ${method_version}`;
}

/** "macOS version: 26.4 against 15.1 or not stated". */
export function unlikeText(
  words: Words,
  { dimension, title, of, to }: NonNullable<ComparedCell["ratio"]>["unlike"][number],
): string {
  const values = (list: typeof of) =>
    list
      .map((value) => (value === null ? "not stated" : words.value(dimension, value)))
      .join(" or ");
  return `${uncapitalised(title)}: ${values(of)} against ${values(to)}`;
}

const LEFT_OUT: Record<string, string> = {
  not_all_sides: "not every side has it",
  no_ratio: "there is no ratio for every side",
  zero: "a ratio is 0",
  neither_is_better: "neither more nor less of it is better",
  counted_by_another_method: "it is covered by another method",
};

export function leftOutReason(code: string): string {
  return LEFT_OUT[code] ?? code;
}

/** What tells two groups of an answer apart, and what each is called. */
export interface Choice {
  id: string;
  name: string;
  where: Clause[];
}

/** The rows of an answer that can be compared, each once however many methods it has. */
export function choicesOf(answer: Answer, words: Words): Choice[] {
  const order = readingOrder(words, answer.question.by);
  const found = new Map<string, Choice>();
  for (const { groups } of answer.results) {
    for (const group of groups) {
      const where = clausesOf(group);
      const id = where.map(printClause).join("&");
      if (!found.has(id)) found.set(id, { id, name: caseLabel(words, order, group.key), where });
    }
  }
  return [...found.values()];
}

function clausesOf({ key }: Group): Clause[] {
  return Object.entries(key).map(([dimension, value]) => ({
    dimension,
    op: "is",
    value: value === null ? "" : String(value),
  }));
}

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
