import type { ComponentType } from "react";
// Generated from the catalogue: charts load before the catalogue arrives.
import traits from "../api/traits.json";
import type { Answer, Facets } from "../api/types";
import type { Words } from "../figures/words";
import type { Clause } from "../links/clause";
import { distinct, type Fit, type Question, same } from "../links/question";
import type { Finding } from "./finding";

/** Props of an extra component of a view or topic. */
export interface Extra {
  question: Question;
  answer: Answer;
  facets: Facets | undefined;
  words: Words;
}

/** A named question: everything else on the page follows from the question. */
export interface View {
  id: string;
  title: string;
  /** Its question; filters and switches belong to the reader. */
  preset: Pick<Question, "metrics" | "by" | "relativeTo">;
  /** The kind of curve that its readers can ask for. */
  fit?: Fit;
  /** Filters it requires, unless the reader has filtered the same dimension. */
  needs?: readonly Clause[];
  /** Initial sort of its table and cases, as in addresses: "-value". */
  sort?: string;
  /** How to read it, and what it can't show. */
  about: string[];
  /** The agent command that measures it. */
  command?: string;
  /** Shown between its chart and its table. */
  beside?: ComponentType<Extra>;
}

/** A page of views with a common subject and filters. */
export interface Topic {
  path: "/storage" | "/threads" | "/cores" | "/power" | "/workloads";
  title: string;
  views: readonly [View, ...View[]];
  /** Pages for what no question can answer. */
  pages?: readonly { path: "/power/residency"; title: string }[];
  /** Its findings on the overview. */
  findings?: readonly Finding[];
  /** Shown between chart and table in every view. */
  beside?: ComponentType<Extra>;
  /** Shown below the table. */
  after?: ComponentType<Extra>;
}

export type Topics = readonly [Topic, ...Topic[]];

type Shape = Pick<Question, "metrics" | "by" | "relativeTo">;

const sameList = (a: string[], b: string[]) => a.toSorted().join(" ") === b.toSorted().join(" ");
const dimensions = ({ relativeTo }: Shape) => relativeTo.map(({ dimension }) => dimension);

/** Dimensions that distinguish views of the same metrics. */
const TELLING = [...traits.axis, ...traits.tells_views];

/** Whether it is drawn along an axis rather than as cases. */
export function hasAxis({ by }: Pick<Question, "by">): boolean {
  const among = (names: string[]) => names.some((name) => by.includes(name));
  return !among(traits.cases) && among(traits.axis);
}

/** The figure that a question nearly always has, so that its code loads beside its answer. */
export function likelyFigure(question: Pick<Question, "by">): "lines" | "grid" | "cases" {
  if (hasAxis(question)) return "lines";
  return traits.grid.some((name) => question.by.includes(name)) ? "grid" : "cases";
}

/** Dimensions that a view is drawn along, relative to, or split by: no grouping removes them. */
export function keptBy({ preset }: View): string[] {
  const keptNames = new Set([...TELLING, ...dimensions(preset)]);
  return preset.by.filter((name) => keptNames.has(name));
}

/**
 * Whether the question groups by a dimension that the view needs at one value: it then asks
 * something else.
 */
const groupsByNeed = ({ needs = [] }: View, { by }: Shape) =>
  needs.some(({ dimension, op }) => op === "is" && by.includes(dimension));

/**
 * The view for this kind of question, if any: of several, the one with the same grouping, otherwise
 * the one with as many dimensions.
 */
export function viewIn(topic: Topic, question: Shape): View | undefined {
  const fitting = topic.views.filter(
    (view) =>
      !groupsByNeed(view, question) &&
      sameList(view.preset.metrics, question.metrics) &&
      TELLING.every((name) => view.preset.by.includes(name) === question.by.includes(name)) &&
      sameList(dimensions(view.preset), dimensions(question)),
  );
  return (
    fitting.find(({ preset }) => sameList(preset.by, question.by)) ??
    fitting.find(({ preset }) => preset.by.length === question.by.length) ??
    fitting[0]
  );
}

/**
 * The view's question under the previous one's filters and switches. Filters that only the previous
 * view needed are dropped.
 */
export function asked(
  view: View,
  question: Question,
  topic?: Topic,
  speaksOf: (dimension: string, metrics: string[]) => boolean = () => true,
): Question {
  const { metrics, by, weight, flagged } = { ...question, ...view.preset };
  const { relativeTo } = view.preset;
  const before = topic ? viewIn(topic, question) : undefined;
  const needs = view.needs ?? [];
  const where = question.where.filter(
    (clause) =>
      speaksOf(clause.dimension, metrics) &&
      !(before !== view && before?.needs?.some(same(clause))),
  );
  const missing = needs.filter(
    ({ dimension }) => !where.some((clause) => clause.dimension === dimension),
  );
  return {
    metrics,
    by,
    where: [...where, ...missing],
    weight,
    flagged,
    relativeTo,
  };
}

/** The question with only the filters that the view needs. */
export const withNeedsOf = (view: View | undefined, question: Question): Question => ({
  ...question,
  where: [...(view?.needs ?? [])],
});

/**
 * The questions of an address. Without metrics they are views' questions: that of the named view,
 * grouped by the named dimensions; otherwise each view's in turn, of which the page opens one.
 */
export function questionsOf(
  topic: Topic,
  question: Question,
  id: string | undefined,
  group: readonly string[] = [],
): [Question, ...Question[]] {
  if (question.metrics.length > 0) {
    return [group.length > 0 ? { ...question, by: distinct([...group]) } : question];
  }
  const namedView = topic.views.find((view) => view.id === id);
  if (namedView && group.length > 0) {
    return [inGroups(namedView, asked(namedView, question), group)];
  }
  const [first, ...others] = namedView ? ([namedView] as const) : topic.views;
  return [asked(first, question), ...others.map((view) => asked(view, question))];
}

/** The kind of curve that can be asked for: only one number can be along its axis. */
export function fitOf(view: View | undefined, { by }: Question): Fit | undefined {
  return by.filter((name) => traits.numbers.includes(name)).length === 1 ? view?.fit : undefined;
}

/**
 * The view's question in other groups: without the value that it needs of a dimension that is now
 * grouped by.
 */
function inGroups(view: View, question: Question, group: readonly string[]): Question {
  const by = distinct([...keptBy(view), ...group]);
  const where = question.where.filter(
    (clause) =>
      !(clause.op === "is" && by.includes(clause.dimension) && view.needs?.some(same(clause))),
  );
  return { ...question, by, where };
}

export interface Start {
  fixed: readonly { dimension: string; value: string | number | boolean | null }[];
  /** Dimensions to group by in addition, and those that they replace. */
  split?: readonly string[];
  merged?: readonly string[];
  /** Number of cases that the fixed values leave out. */
  hidden?: number;
}

/**
 * The question for a reader without filters: fixed to the most common values, or split by them, so
 * that no figure mixes unlike machines. Each is an ordinary, removable filter.
 */
export function started(question: Question, start: Start): Question {
  const { fixed, split = [], merged = [] } = start;
  const filteredDimensions = new Set(question.where.map(({ dimension }) => dimension));
  const added = fixed
    .filter(({ dimension }) => !filteredDimensions.has(dimension))
    .map(({ dimension, value }): Clause => ({ dimension, op: "is", value: String(value ?? "") }));
  const by = distinct([...question.by.filter((name) => !merged.includes(name)), ...split]);
  return { ...question, by, where: [...question.where, ...added] };
}

/** The page and view for this kind of question; without a view, the first page. */
export function placeOf(topics: Topics, question: Shape): { topic: Topic; view: View | undefined } {
  for (const topic of topics) {
    const view = viewIn(topic, question);
    if (view) return { topic, view };
  }
  return { topic: topics[0], view: undefined };
}
