import type { Answer } from "../api/types";
import { printClause } from "../links/clause";
import { printQuestion, type Question } from "../links/question";
import { type Start, started, type Topic, viewIn } from "./view";

/** A page's opening question, and the filters it chose itself, as printed in addresses. */
export interface Opening {
  question: Question;
  fixed: string[];
}

/** Requests to the server. */
export interface Asking {
  start: (question: Question) => Promise<Start>;
  answer: (question: Question) => Promise<Answer>;
  /** Whether Macs have measured anything. */
  measured: () => Promise<boolean>;
}

type Shows = "measured" | "published" | "nothing";

/**
 * The first of the questions, each a view's, with measured results; otherwise the first with
 * published ones; otherwise the first. Later ones are not requested. If a reader only regroups,
 * dimensions that the new groups would mix are fixed in addition to the reader's own filters.
 */
export async function openingOf(
  topic: Topic,
  questions: readonly [Question, ...Question[]],
  asking: Asking,
  regrouped = false,
): Promise<Opening> {
  let printed: Opening | undefined;
  let measured: boolean | undefined;
  for (const question of questions) {
    const { opening, shows } = await opened(topic, question, asking, regrouped);
    if (shows === "measured") return opening;
    if (shows === "published") printed ??= opening;
    if (!printed || question === questions.at(-1)) continue;
    // Otherwise a server without runs would be queried for every view.
    measured ??= await asking.measured();
    if (!measured) return printed;
  }
  return printed ?? { question: questions[0], fixed: [] };
}

async function opened(
  topic: Topic,
  question: Question,
  { start, answer }: Asking,
  regrouped: boolean,
): Promise<{ opening: Opening; shows: Shows }> {
  const next =
    regrouped || isBare(topic, question)
      ? started(question, await start(question).catch(() => ({ fixed: [] })))
      : question;
  const shows = showsOf(await answer(next));
  if (shows === "nothing" && printQuestion(next) !== printQuestion(question)) {
    // The most common values may have nothing to compare: then show everything.
    return { opening: { question, fixed: [] }, shows: showsOf(await answer(question)) };
  }
  const own = new Set(question.where.map(printClause));
  const fixed = next.where.map(printClause).filter((clause) => !own.has(clause));
  return { opening: { question: next, fixed }, shows };
}

/** Whether the reader has set no filter: only then does the page choose some. */
function isBare(topic: Topic, question: Question): boolean {
  const needed = new Set(viewIn(topic, question)?.needs?.map(printClause));
  return question.where.every((clause) => needed.has(printClause(clause)));
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
