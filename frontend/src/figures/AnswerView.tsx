import type { Case, Figure, FrozenAnswer, Lane } from "../api/types";
import { FigureView } from "./FigureView";
import { runsLink } from "./runsLink";
import type { Words } from "./words";

interface Props {
  answer: FrozenAnswer;
  figure: Figure;
  words: Words;
  state?: "frozen" | "live";
  between?: React.ReactNode;
}

/** Any answer, drawn as its figure says; the numbers of runs lead to them. */
export function AnswerView({ answer, figure, words, state, between }: Props) {
  const runsOf = ({ key }: Case, { method }: Lane) =>
    runsLink(answer.question.where, key ?? {}, method, words);
  return (
    <FigureView
      figure={figure}
      asOf={answer.as_of}
      state={state}
      between={between}
      runsOf={runsOf}
    />
  );
}
