import { useMemo } from "react";
import type { Answer } from "../api/types";
import { AnswerFigure } from "./AnswerFigure";
import { AnswerTable } from "./AnswerTable";
import styles from "./AnswerView.module.css";
import { casesOf, type Measure } from "./cases";
import { Footnotes } from "./Footnotes";
import { flagNotes, runsOf } from "./flags";
import { sourcesOf } from "./sources";
import { questionTitle, type Words } from "./words";

interface Props {
  answer: Answer;
  words: Words;
  /** The runs behind it, where a frozen comparison has counted them. */
  runs?: number;
  /** The reader's filters in words, for the line under the title. */
  filters: string[];
  /** Actions and remarks that belong between the chart and its table. */
  between?: React.ReactNode;
}

/** Any answer, drawn by what its question asks: chart, table and footnotes from the same rows. */
export function AnswerView({ answer, words, runs, filters, between }: Props) {
  const measure: Measure = answer.question.relative_to.length > 0 ? "ratio" : "figure";
  const sources = useMemo(() => sourcesOf(answer), [answer]);
  const flags = useMemo(() => flagNotes(answer, words), [answer, words]);
  const parts = useMemo(
    () =>
      byUnit(answer).map((part) => ({
        part,
        cases: casesOf(part, words, sources, measure),
        title: questionTitle(words, {
          ...answer.question,
          metrics: part.results.map(({ metric }) => metric),
        }),
      })),
    [answer, words, sources, measure],
  );
  return (
    <div className={styles.view}>
      {parts.map(({ part, cases, title }) => (
        <AnswerFigure
          key={title}
          answer={part}
          words={words}
          sources={sources}
          cases={cases}
          measure={measure}
          title={title}
          runs={runs ?? runsOf(part, words)}
          filters={filters}
        />
      ))}
      {between}
      {parts.map(({ part, cases, title }) =>
        cases.rows.length > 0 ? (
          <AnswerTable
            key={title}
            answer={part}
            cases={cases}
            measure={measure}
            words={words}
            sources={sources}
            flags={flags}
            caption={`${title}: the figures of the chart`}
          />
        ) : null,
      )}
      <Footnotes notes={flags} sources={sources} />
    </div>
  );
}

/** Seconds and watts share neither an axis nor a column: an answer for each unit. */
export function byUnit(answer: Answer): Answer[] {
  const units = Map.groupBy(answer.results, ({ unit }) => unit);
  return [...units.values()].map((results) => ({ ...answer, results }));
}
