import { useCallback } from "react";
import type { Figure, FrozenAnswer } from "../api/types";
import type { RunsOf } from "./charts/MarkLink";
import { FigureView } from "./FigureView";
import { runsLink } from "./runsLink";
import type { Words } from "./words";

interface Props {
  answer: FrozenAnswer;
  figure: Figure;
  words: Words;
  state?: "frozen" | "live";
  /** Whether a single chart shows its title; a page that has it as its heading doesn't. */
  titled?: boolean;
  between?: React.ReactNode;
}

/** Any answer, drawn according to its figure; numbers of runs link to the runs. */
export function AnswerView({ answer, figure, words, state, titled, between }: Props) {
  const runsOf = useCallback<RunsOf>(
    ({ key }, { method }) => runsLink(answer.question.where, key ?? {}, method, words),
    [answer.question.where, words],
  );
  return (
    <FigureView
      figure={figure}
      asOf={answer.as_of}
      state={state}
      titled={titled}
      between={between}
      runsOf={runsOf}
    />
  );
}
