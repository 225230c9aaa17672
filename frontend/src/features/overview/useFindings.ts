import { useQueries, useQueryClient } from "@tanstack/react-query";
import { answerQuery, startingPointQuery } from "../../api/queries";
import type { Answer } from "../../api/types";
import type { Words } from "../../figures/words";
import type { Clause } from "../../links/clause";
import { printQuestion, type Question } from "../../links/question";
import { started } from "../../questions/view";
import type { Bar } from "../../questions/finding";
import { type AskedFinding, barsOf } from "./findings";

export interface Answered extends AskedFinding {
  /** Undefined if the server couldn't answer. */
  answer: Answer | undefined;
  /** Filters that keep it from mixing unlike Macs. */
  fixed: Clause[];
  bars: Bar[];
}

/** The findings with their answers; undefined until all are answered, as their order needs all. */
export function useFindings(
  findings: readonly AskedFinding[] | undefined,
  words: Words | undefined,
): Answered[] | undefined {
  const queries = useQueryClient();
  const ask = async (viewQuestion: Question) => {
    const start = await queries.fetchQuery(startingPointQuery(viewQuestion));
    const question = started(viewQuestion, start);
    const fixed = started({ ...viewQuestion, where: [] }, start).where;
    return { question, fixed, answer: await queries.fetchQuery(answerQuery(question)) };
  };
  const answers = useQueries({
    queries: (findings ?? []).map(({ question }) => ({
      queryKey: ["finding", printQuestion(question)],
      queryFn: () => ask(question),
    })),
  });
  if (!findings || !words || answers.some(({ isPending }) => isPending)) return undefined;
  return findings.map((finding, at): Answered => {
    const loaded = answers[at]?.data;
    const bars = loaded ? barsOf(finding, loaded.answer, words) : [];
    return { ...finding, answer: undefined, fixed: [], ...loaded, bars };
  });
}
