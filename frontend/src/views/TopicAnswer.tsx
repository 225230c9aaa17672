import { Link } from "@tanstack/react-router";
import { memo, type ReactNode, Suspense } from "react";
import type { Answer, Facets } from "../api/types";
import { ComparePanel } from "../features/compare/ComparePanel";
import { About } from "../figures/About";
import { AnswerView } from "../figures/AnswerView";
import { csvOf } from "../figures/Downloads";
import { LeftOut } from "../figures/LeftOut";
import type { Words } from "../figures/words";
import { printQuestion, type Question, toSearch } from "../links/question";
import { parseSearch, type SearchLists } from "../links/search";
import { fitOf, type Topic, type View, withNeedsOf } from "../questions/view";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import styles from "../ui/Page.module.css";

interface Props {
  topic: Topic;
  view: View | undefined;
  question: Question;
  /** Filters that the page chose itself, as printed in addresses. */
  fixed: readonly string[];
  answer: Answer;
  facets: Facets | undefined;
  words: Words;
  onAsk: (search: SearchLists) => void;
}

/** Content of a topic's page below its filters: one answer's figure and its controls. */
export const TopicAnswer = memo(function TopicAnswer(props: Props) {
  const { topic, view, question, answer, facets, words, onAsk } = props;
  const { figure } = answer;
  const extra = { question, answer, facets, words };
  const fit = question.fit ? undefined : fitOf(view, question);
  const leftOut = (
    <LeftOut
      answer={answer}
      figure={figure}
      onFlagged={(flagged) => onAsk(toSearch({ ...question, flagged }))}
      onCrude={(crude) => onAsk(toSearch({ ...question, crude: crude || undefined }))}
    />
  );
  if (isEmpty(answer)) return <Nothing {...props}>{leftOut}</Nothing>;
  return (
    <>
      <AnswerView
        answer={answer}
        figure={figure}
        words={words}
        titled={false}
        between={
          <>
            {leftOut}
            <div className={styles.figures}>
              <h2>Figures</h2>
              {figure.of_hosts ? (
                <Link to={topic.path} search={parseSearch(figure.of_hosts)}>
                  VM vs. host
                </Link>
              ) : null}
              {fit || question.fit ? (
                <Link to={topic.path} search={toSearch({ ...question, fit })} resetScroll={false}>
                  {fit ? "Fit curves" : "Without curves"}
                </Link>
              ) : null}
              <a href={csvOf(printQuestion(question))} download="macmeter.csv">
                Figures as CSV
              </a>
              <ComparePanel answer={answer} />
            </div>
          </>
        }
      />
      <div className={styles.foot}>
        {view?.beside ? <view.beside {...extra} /> : null}
        {topic.beside ? <topic.beside {...extra} /> : null}
        <About answer={answer} words={words} remarks={view?.about ?? []} command={view?.command} />
      </div>
      {topic.after ? (
        <Suspense fallback={null}>
          <topic.after {...extra} />
        </Suspense>
      ) : null}
    </>
  );
});

export const isEmpty = ({ results }: Answer): boolean =>
  results.every(({ groups, published }) => groups.length + published.length === 0);

/** An answer without a figure: the reason, and a way out. */
function Nothing({ view, question, onAsk, children }: Props & { children: ReactNode }) {
  const needs = view?.needs ?? [];
  // A fleet of guests has no results in a view that excludes guests: then remove the view's filters
  // too.
  const narrowed = question.where.length > needs.length;
  const next = narrowed ? withNeedsOf(view, question) : { ...question, where: [] };
  return (
    <Notice
      title="No runs answer this question"
      actions={
        question.where.length > 0 ? (
          <Button onClick={() => onAsk(toSearch(next))}>Remove all filters</Button>
        ) : null
      }
    >
      <p>
        {narrowed
          ? "No measured or published figure matches all filters."
          : question.where.length > 0
            ? "No measured or published figure matches the filters of this view."
            : "Nothing measured or published yet."}
      </p>
      {view?.command ? (
        <p>
          To measure it: <code>{view.command}</code>
        </p>
      ) : null}
      {children}
    </Notice>
  );
}
