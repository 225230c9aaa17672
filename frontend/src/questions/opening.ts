import traits from "../api/traits.json";
import type { Answer, Facets } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import { printQuestion, type Question, same } from "../links/question";
import { completed, lacking } from "./reasked";
import { type Start, started, type Topic, type View, viewIn } from "./view";

/** A page's opening question, and the filters it chose itself, as printed in addresses. */
export interface Opening {
  question: Question;
  fixed: string[];
  /** Number of cases that these leave out. */
  hidden?: number | undefined;
}

/** Requests to the server. */
export interface Asking {
  start: (question: Question) => Promise<Start>;
  answer: (question: Question) => Promise<Answer>;
  facets: (question: Pick<Question, "metrics" | "where" | "flagged">) => Promise<Facets>;
  /** Whether Macs have measured anything. */
  measured: () => Promise<boolean>;
}

/** What an address says besides its question. */
export interface Address {
  /** The view that it names. */
  view?: View | undefined;
  /** Whether its metric or groups were picked, so that they may not suit what was measured. */
  picked?: boolean;
}

type Shows = "measured" | "published" | "nothing";

/**
 * The first of the questions, each a view's, with measured results; otherwise the first with
 * published ones; otherwise the first. Later ones are not requested.
 */
export async function openingOf(
  topic: Topic,
  questions: readonly [Question, ...Question[]],
  asking: Asking,
  address: Address = {},
): Promise<Opening> {
  let printed: Opening | undefined;
  let measured: boolean | undefined;
  for (const question of questions) {
    const needed = (address.view ?? viewIn(topic, question))?.needs ?? [];
    const { opening, shows } = address.picked
      ? await openedFor(question, asking, needed)
      : await opened(question, asking, needed);
    if (shows === "measured") return opening;
    if (shows === "published") printed ??= opening;
    if (!printed || question === questions.at(-1)) continue;
    // Otherwise a server without runs would be queried for every view.
    measured ??= await asking.measured();
    if (!measured) return printed;
  }
  return printed ?? { question: await complete(questions[0], asking), fixed: [] };
}

interface Opened {
  opening: Opening;
  shows: Shows;
}

async function opened(
  question: Question,
  asking: Asking,
  needed: readonly Clause[],
): Promise<Opened> {
  const whole = await complete(question, asking);
  const none: Start = { fixed: [] };
  const isStarted = isBare(question, needed) && !isLike(question);
  const start = isStarted ? await asking.start(whole).catch(() => none) : none;
  const next = started(whole, start);
  const ownFilters = new Set(question.where.map(printClause));
  const openingWith = (finalQuestion: Question) => ({
    question: finalQuestion,
    fixed: finalQuestion.where.map(printClause).filter((clause) => !ownFilters.has(clause)),
  });
  const shows = showsOf(await asking.answer(next));
  if (shows === "nothing" && printQuestion(next) !== printQuestion(whole)) {
    // The most common values may have nothing to compare: then show everything.
    return { opening: openingWith(whole), shows: showsOf(await asking.answer(whole)) };
  }
  return { opening: { ...openingWith(next), hidden: start.hidden }, shows };
}

/**
 * A picked question: without groups and filters that its metric doesn't have, and if it still shows
 * nothing, without any filter of the reader's, then without its reference.
 */
async function openedFor(
  question: Question,
  asking: Asking,
  needed: readonly Clause[],
): Promise<Opened> {
  const suited = await suiting(question, asking);
  const where = suited.where.filter((clause) => needed.some(same(clause)));
  const first = await opened(suited, asking, needed);
  if (first.shows !== "nothing") return first;
  for (const candidate of [
    { ...suited, where },
    { ...suited, where: [], relativeTo: [] },
  ]) {
    const result = await opened(candidate, asking, needed);
    if (result.shows !== "nothing") return result;
  }
  return first;
}

/** The question without groups and filters that no run of its only metric states. */
async function suiting(question: Question, { facets }: Asking): Promise<Question> {
  if (question.metrics.length !== 1) return question;
  const { total, dimensions } = await facets({ ...question, where: [] });
  if (total === 0) return question;
  const stated = new Set(dimensions.map(({ name }) => name));
  const by = question.by.filter((name) => stated.has(name));
  return {
    ...question,
    by: by.length > 0 ? by : traits.groups_first.slice(0, 1),
    where: question.where.filter(({ dimension }) => stated.has(dimension)),
  };
}

/** The question with all parameters that its metrics require (see `completed`). */
async function complete(question: Question, { facets }: Asking): Promise<Question> {
  let next = question;
  for (const name of lacking(question)) {
    const metrics = question.metrics.filter((metric) =>
      lacking({ ...next, metrics: [metric] }).includes(name),
    );
    const { dimensions } = await facets({ ...next, metrics });
    next = completed(
      next,
      name,
      dimensions.find((facet) => facet.name === name),
    );
  }
  return next;
}

/** Whether it has ratios of like with like, for which nothing needs to be fixed. */
const isLike = ({ relativeTo, crude }: Question) => relativeTo.length > 0 && !crude;

/** Whether the reader has set no filter: only then does the page choose some. */
function isBare({ where }: Question, needed: readonly Clause[]): boolean {
  return where.every((clause) => needed.some(same(clause)));
}

/**
 * Whether measured or published results, or none, can be drawn. In a relative answer the reference
 * itself doesn't count.
 */
function showsOf({ question, results }: Answer): Shows {
  const relative = question.relative_to;
  const groups = results.flatMap((result) =>
    result.groups.filter(
      ({ key, ratio }) =>
        relative.length === 0 ||
        (ratio && !relative.every(({ dimension, value }) => key[dimension] === value)),
    ),
  );
  if (groups.some(({ published }) => !published)) return "measured";
  const isPrinted = groups.length > 0 || results.some(({ published }) => published.length > 0);
  return isPrinted ? "published" : "nothing";
}
