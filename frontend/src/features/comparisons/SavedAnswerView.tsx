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
import type { Shown } from "./ComparisonPage";
import { changeParts } from "./changeParts";
import { SavedActions } from "./SavedActions";
import { SideBySide } from "./SideBySide";

interface Props {
  saved: SavedAnswer;
  /** The pages on which the question can be asked live. */
  topics: Topics;
  shown: Shown;
  words: Words;
}

/** The answer to a saved question: frozen, live, or both. */
export function SavedAnswerView({ saved, topics, shown, words }: Props) {
  const { canonical } = saved.question;
  const question = useMemo(() => readQuestion(canonical), [canonical]);
  const today = useQuery({ ...answerQuery(question), enabled: shown !== "frozen" });
  const live = shown === "live";
  const answer = live ? today.data : saved.answer;
  const figure = live ? today.data?.figure : saved.figure;
  const { topic, view } = placeOf(topics, question);
  if (shown !== "frozen" && today.error) return <ProblemNotice error={today.error} />;
  if (!answer || !figure || (shown === "both" && !today.data)) {
    return <Skeleton height={FIGURE_HEIGHT} lines={18} />;
  }
  if (shown === "both" && today.data) {
    const now = { answer: today.data, figure: today.data.figure };
    return <SideBySide parts={changeParts(saved, now, words)} />;
  }
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
