import { useMemo } from "react";
import type { Answer } from "../../api/types";
import { AnswerFigure } from "./AnswerFigure";
import { AnswerTable } from "./AnswerTable";
import styles from "./AnswerView.module.css";
import { casesOf, type Measure } from "./cases";
import { Footnotes } from "./Footnotes";
import { flagNotes } from "./flags";
import { sourcesOf } from "./sources";
import { questionTitle, readingOrder, type Words } from "./words";

interface Props {
  answer: Answer;
  words: Words;
  /** The reader's filters in words, for the line under the title. */
  filters: string[];
  /** Actions and remarks that belong between the chart and its table. */
  between?: React.ReactNode;
}

/** Any answer, drawn by what its question asks: chart, table and footnotes from the same rows. */
export function AnswerView({ answer, words, filters, between }: Props) {
  const measure: Measure = answer.question.relative_to.length > 0 ? "ratio" : "figure";
  const sources = useMemo(() => sourcesOf(answer), [answer]);
  const flags = useMemo(() => flagNotes(answer, words), [answer, words]);
  const cases = useMemo(
    () => casesOf(answer, words, sources, measure),
    [answer, words, sources, measure],
  );
  const title = questionTitle(
    words,
    answer.question.metrics,
    readingOrder(words, answer.question.by),
  );
  return (
    <div className={styles.view}>
      <AnswerFigure
        answer={answer}
        words={words}
        sources={sources}
        cases={cases}
        measure={measure}
        title={title}
        filters={filters}
      />
      {between}
      {cases.rows.length > 0 ? (
        <AnswerTable
          answer={answer}
          cases={cases}
          measure={measure}
          words={words}
          sources={sources}
          flags={flags}
          caption={`${title}: the figures of the chart`}
        />
      ) : null}
      <Footnotes notes={flags} sources={sources} />
    </div>
  );
}
