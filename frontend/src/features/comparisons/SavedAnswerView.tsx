import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { answerQuery } from "../../api/queries";
import type { SavedAnswer } from "../../api/types";
import { readQuestion } from "../../links/question";
import { parseSearch } from "../../links/search";
import { Skeleton } from "../../ui/Skeleton";
import { About } from "../../figures/About";
import { AnswerView } from "../../figures/AnswerView";
import { FIGURE_HEIGHT } from "../../figures/heights";
import { LeftOut } from "../../figures/LeftOut";
import { ProblemNotice } from "../../ui/ProblemNotice";
import type { Words } from "../../figures/words";
import { placeOf, type Topics } from "../../questions/view";
import { SavedActions } from "./SavedActions";

interface Props {
  saved: SavedAnswer;
  /** Pages on which the question can be asked live. */
  topics: Topics;
  /** Whether to show today's figures instead of the frozen ones. */
  live: boolean;
  words: Words;
}

/** The answer to a saved question: frozen or live. */
export function SavedAnswerView({ saved, topics, live, words }: Props) {
  const { canonical } = saved.question;
  const question = useMemo(() => readQuestion(canonical), [canonical]);
  const today = useQuery({ ...answerQuery(question), enabled: live });
  const answer = live ? today.data : saved.answer;
  const figure = live ? today.data?.figure : saved.figure;
  const { topic, view } = placeOf(topics, question);
  if (live && today.error) return <ProblemNotice error={today.error} />;
  if (!answer || !figure) return <Skeleton height={FIGURE_HEIGHT} lines={18} />;
  return (
    <AnswerView
      answer={answer}
      figure={figure}
      words={words}
      state={live ? "live" : "frozen"}
      between={
        <>
          <LeftOut answer={answer} figure={figure} />
          <SavedActions
            saved={saved}
            liveFile={live ? `/api/v1/answer.csv?${canonical}` : undefined}
            to={topic.path}
            search={parseSearch(canonical)}
          />
          <About answer={answer} words={words} remarks={view?.about ?? []} />
        </>
      }
    />
  );
}
