// Generated from the catalogue: an address is completed before the catalogue arrives.
import traits from "../api/traits.json";
import type { Facet } from "../api/types";
import type { Words } from "../figures/words";
import { type Clause, printClause, rangeOf } from "../links/clause";
import { distinct, type Question, toSearch } from "../links/question";
import type { SearchLists } from "../links/search";
import { keptBy, type Topic, type Topics, type View } from "./view";

/*
 * The arithmetic of a question asked again with another metric or in other groups. A picked address
 * has `group` instead of `by`: the page that opens it may still choose filters (opening.ts).
 */

/** The question on the page, and what isn't its reader's in it. */
export interface Shown {
  question: Question;
  view: View | undefined;
  /** Filters that the page chose itself, as printed in addresses. */
  fixed: readonly string[];
}

/** Dimensions that regrouping keeps: those that the figure is drawn along, or relative to. */
export function keptIn({ view, question }: Shown): string[] {
  const reference = new Set(question.relativeTo.map(({ dimension }) => dimension));
  return view ? keptBy(view) : question.by.filter((name) => reference.has(name));
}

/** Dimensions that the reader's grouping consists of. */
export function groupedIn(shown: Shown): string[] {
  const keptDimensions = keptIn(shown);
  return shown.question.by.filter((name) => !keptDimensions.includes(name));
}

/**
 * Filters that another question keeps. Those that the view needs come back with the view. If the
 * reader has set none, the page's go as well: the next page chooses its own.
 */
function keptFilters({ question, view, fixed }: Shown): Clause[] {
  const needed = new Set(view?.needs?.map(printClause));
  const filters = question.where.filter((clause) => !needed.has(printClause(clause)));
  return filters.every((clause) => fixed.includes(printClause(clause))) ? [] : filters;
}

/** Filters without those that leave one value of a dimension that is newly grouped by. */
export function unreplaced(where: readonly Clause[], added: readonly string[]): Clause[] {
  return where.filter(({ dimension }) => !(added.includes(dimension) && isFixed(where, dimension)));
}

/**
 * The page's question in these groups. Parameters that its metrics require stay groups while there
 * is room; the page that opens fixes the others. With `exactly`, only what is drawn along stays.
 */
export function regrouped(
  shown: Shown,
  group: readonly string[],
  { exactly = false } = {},
): SearchLists {
  const { question, view } = shown;
  const groups = distinct([...keptIn(shown), ...group]);
  const required = exactly ? [] : requiredOf(question).filter((name) => question.by.includes(name));
  const by = distinct(
    [...groups, ...required.filter((name) => !groups.includes(name))].slice(0, traits.most_grouped),
  );
  const added = by.filter((name) => !question.by.includes(name));
  const where = unreplaced(keptFilters(shown), added);
  if (!view) return picked({ ...question, by, where });
  const isPreset = distinct(view.preset.by).join() === by.join();
  const search = toSearch({ ...question, ...NOTHING, where });
  return { ...search, view: [view.id], ...(isPreset ? {} : { group: by }) };
}

/**
 * The page's question about another metric, in the same groups unless others are given. Groups,
 * filters and references that the metric doesn't have are dropped.
 */
export function remeasured(
  shown: Shown,
  metric: string,
  words: Words,
  group?: readonly string[],
): SearchLists {
  const { question } = shown;
  const has = (dimension: string) => words.speaksOf(metric, dimension);
  const by = (group ?? question.by).filter(has);
  const added = by.filter((name) => !question.by.includes(name));
  const isRelative = !group && question.relativeTo.every(({ dimension }) => has(dimension));
  return picked({
    ...question,
    metrics: [metric],
    by,
    where: unreplaced(keptFilters(shown), added).filter(({ dimension }) => has(dimension)),
    relativeTo: isRelative ? question.relativeTo : [],
  });
}

function picked(question: Question): SearchLists {
  const by = distinct(question.by);
  const group = by.length > 0 ? by : traits.groups_first.slice(0, 1);
  return { ...toSearch({ ...question, by: [], fit: undefined }), group };
}

/** The view names its metrics and reference; no curve is kept. */
const NOTHING = { metrics: [], by: [], relativeTo: [], fit: undefined };

const measures = (test: (name: string) => boolean) => (topic: Topic) =>
  topic.views.some(({ preset }) => preset.metrics.some(test));

const drawsAlone = (metric: string) => (topic: Topic) =>
  topic.views.some(({ preset }) => preset.metrics.length === 1 && preset.metrics[0] === metric);

/**
 * The topic that draws a metric by itself or, failing that, beside others, the current one first;
 * otherwise the first that draws one of the same suite.
 */
export function topicOf(topics: Topics, metric: string, current: Topic): Topic | undefined {
  const ordered = [current, ...topics];
  const suite = `${metric.split(".")[0]}.`;
  return (
    ordered.find(drawsAlone(metric)) ??
    ordered.find(measures((name) => name === metric)) ??
    topics.find(measures((name) => name.startsWith(suite)))
  );
}

const REQUIRED: Readonly<Record<string, readonly string[]>> = traits.required;

function requiredOf({ metrics }: Pick<Question, "metrics">): string[] {
  return [...new Set(metrics.flatMap((metric) => REQUIRED[metric] ?? []))];
}

/** Parameters that the metrics require and the question neither groups by nor fixes. */
export function lacking(question: Question): string[] {
  const { by, where, relativeTo } = question;
  const isReference = (name: string) => relativeTo.some(({ dimension }) => dimension === name);
  return requiredOf(question).filter(
    (name) =>
      !by.includes(name) &&
      !isFixed(where, name) &&
      !(isReference(name) && !where.some(({ dimension }) => dimension === name)),
  );
}

/** Whether filters leave a dimension one value. */
function isFixed(where: readonly Clause[], name: string): boolean {
  const [only, ...others] = where.filter(({ dimension }) => dimension === name);
  return (
    others.length === 0 &&
    only?.op === "is" &&
    !(traits.numbers.includes(name) && rangeOf(only.value))
  );
}

/**
 * The question with a parameter that it lacks, whose values are `facet`. Where its reader compares
 * some values, it groups by them if there is room. Otherwise it is fixed to the value that most
 * Macs have, for one figure a group: of several, the middle number or the first text. Without any
 * value there is nothing to draw, and the question is only made complete.
 */
export function completed(question: Question, name: string, facet: Facet | undefined): Question {
  const { by, where, metrics } = question;
  const own = where.filter(({ dimension }) => dimension === name);
  const canGroup = metrics.every((metric) => REQUIRED[metric]?.includes(name));
  if (own.length > 0 && canGroup && by.length < traits.most_grouped) {
    return { ...question, by: distinct([...by, name]) };
  }
  const values = (facet?.values ?? []).filter(({ value }) => value !== null && passes(own, value));
  const value = commonest(values);
  if (value === undefined && canGroup) {
    const required = requiredOf(question).filter((parameter) => by.includes(parameter));
    return {
      ...question,
      by: distinct([...new Set([name, ...required, ...by])].slice(0, traits.most_grouped)),
    };
  }
  const others = where.filter(({ dimension }) => dimension !== name);
  const clause: Clause = { dimension: name, op: "is", value: String(value ?? "") };
  return { ...question, where: [...others, clause] };
}

function commonest(values: Facet["values"]): Facet["values"][number]["value"] | undefined {
  // Published figures rarely name a Mac.
  const isNamed = values.some(({ machines }) => machines > 0);
  const weigh = ({ machines, runs }: Facet["values"][number]) => (isNamed ? machines : runs);
  const most = Math.max(...values.map(weigh));
  const equal = values.filter((item) => weigh(item) === most).toSorted((a, b) => a.place - b.place);
  const isNumber = equal.every(({ value }) => typeof value === "number");
  return equal[isNumber ? Math.floor((equal.length - 1) / 2) : 0]?.value;
}

/** Whether a value passes filters on its dimension. */
function passes(clauses: readonly Clause[], value: Facet["values"][number]["value"]): boolean {
  const isOf = (clause: Clause) => {
    const range = typeof value === "number" ? rangeOf(clause.value) : undefined;
    if (!range) return String(value) === clause.value;
    const { low = -Infinity, high = Infinity } = range;
    return low <= Number(value) && Number(value) <= high;
  };
  const included = clauses.filter(({ op }) => op === "is");
  return (
    (included.length === 0 || included.some(isOf)) &&
    !clauses.some((clause) => clause.op === "not" && isOf(clause))
  );
}
