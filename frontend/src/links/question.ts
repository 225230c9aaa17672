import { type Clause, parseClause, printClause } from "./clause";
import { parseSearch, printSearch, type SearchLists } from "./search";

/**
 * A question: the one value behind a page's address, an API call, a CSV link and a saved
 * comparison. Parsed once, here; the grammar is the API's own.
 */
export interface Question {
  metrics: string[];
  by: string[];
  where: Clause[];
  relativeTo: Clause[];
  weight: "machine" | "run";
  flagged: "exclude" | "include";
  /** A curve through the medians along the only numeric dimension of `by`. */
  fit?: Fit;
  /** Crude ratios, as computed before other differences were held equal. */
  crude?: true;
}

export type Fit = (typeof FITS)[number];

const FITS = ["linear", "power", "quadratic", "theil_sen"] as const;

/** An unreadable parameter; `parameter` is in the form of the API's pointer, `?where`. */
export class UnreadableQuestion extends Error {
  readonly parameter: string;
  constructor(parameter: string, sentence: string) {
    super(sentence);
    this.name = "UnreadableQuestion";
    this.parameter = parameter;
  }
}

type Name = "metric" | "by" | "where" | "relative_to" | "weight" | "flagged" | "fit" | "version";
/** The version of an address without one, so that old links keep their meaning. */
const CRUDE = "1";
/** The version of questions whose ratios hold other differences equal. */
export const LIKE = "2";

export function isCrude(search: SearchLists): boolean {
  return oneOf("version", search.version, [CRUDE, LIKE]) === CRUDE;
}

export function distinct(values: string[] = []): string[] {
  return [...new Set(values)].toSorted();
}

export function clauses(parameter: string, texts: string[] | undefined): Clause[] {
  return distinct(texts).map((text) => {
    const clause = parseClause(text);
    if (clause) return clause;
    throw new UnreadableQuestion(
      parameter,
      `“${text}” is not a filter. Write it as dimension:value, for example storage:usb4.`,
    );
  });
}

export function oneOf<T extends string>(
  parameter: string,
  values: string[] | undefined,
  allowed: readonly [T, ...T[]],
): T {
  const value = values?.at(-1);
  if (value === undefined) return allowed[0];
  const match = allowed.find((choice) => choice === value);
  if (match) return match;
  throw new UnreadableQuestion(
    `?${parameter}`,
    `“${value}” is not a valid ${parameter}. Use ${allowed.join(" or ")}.`,
  );
}

/** Parse a question, ignoring parameters that belong to the page. */
export function parseQuestion(search: SearchLists): Question {
  const relativeTo = clauses("?relative_to", search.relative_to);
  const crude = isCrude(search) && relativeTo.length > 0;
  return {
    metrics: distinct(search.metric),
    by: distinct(search.by),
    where: clauses("?where", search.where),
    relativeTo,
    weight: oneOf("weight", search.weight, ["machine", "run"]),
    flagged: oneOf("flagged", search.flagged, ["exclude", "include"]),
    ...(search.fit ? { fit: oneOf("fit", search.fit, FITS) } : {}),
    ...(crude ? { crude } : {}),
  };
}

/** Canonical form: values sorted, defaults dropped. */
export function toSearch(question: Question): SearchLists {
  const search: SearchLists = {};
  const put = (name: Name, values: string[]) => {
    if (values.length > 0) search[name] = distinct(values);
  };
  put("by", question.by);
  put("metric", question.metrics);
  put("where", question.where.map(printClause));
  put("relative_to", question.relativeTo.map(printClause));
  if (question.flagged !== "exclude") put("flagged", [question.flagged]);
  if (question.weight !== "machine") put("weight", [question.weight]);
  if (question.fit) put("fit", [question.fit]);
  if (question.relativeTo.length > 0 && !question.crude) put("version", [LIKE]);
  return search;
}

export function printQuestion(question: Question): string {
  return printSearch(toSearch(question));
}

export function readQuestion(text: string): Question {
  return parseQuestion(parseSearch(text));
}

/** A test for the same clause. */
export const same = (a: Clause) => (b: Clause) => printClause(a) === printClause(b);

/** The question with this condition added, or removed if present. */
export function toggled(question: Question, clause: Clause): Question {
  const without = question.where.filter((candidate) => !same(clause)(candidate));
  return {
    ...question,
    where: without.length < question.where.length ? without : [...question.where, clause],
  };
}

/** The question with `before` replaced by `next`, which may be empty. */
export function replaced(question: Question, before: Clause[], next: Clause[]): Question {
  const where = question.where.filter((candidate) => !before.some(same(candidate)));
  for (const clause of next) if (!where.some(same(clause))) where.push(clause);
  return { ...question, where };
}

export function chosen(question: Question, clause: Clause): boolean {
  return question.where.some(same(clause));
}
