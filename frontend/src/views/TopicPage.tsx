import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useEffect, useMemo } from "react";
import { answerQuery, catalogQuery, facetsQuery } from "../api/queries";
import type { Answer } from "../api/types";
import { counted } from "../ui/format";
import { printQuestion, type Question, toSearch } from "../links/question";
import { parseSearch, type SearchLists } from "../links/search";
import { Notice } from "../ui/Notice";
import { Skeleton } from "../ui/Skeleton";
import { useTitle } from "../ui/useTitle";
import { About } from "../figures/About";
import { preloadFigure } from "../figures/ChartFigure";
import { AnswerView } from "../figures/AnswerView";
import { Copies } from "../figures/Copies";
import { Downloads, pictureOf } from "../figures/Downloads";
import { FIGURE_HEIGHT } from "../figures/heights";
import { LeftOut } from "../figures/LeftOut";
import { FilteredPage } from "../questions/FilteredPage";
import { ProblemNotice } from "../ui/ProblemNotice";
import { type Words, wordsOf } from "../figures/words";
import { ComparePanel } from "../features/compare/ComparePanel";
import { SavePanel } from "../features/comparisons/SavePanel";
import { Arrivals } from "../ui/Arrivals";
import { ChosenFilters } from "../questions/ChosenFilters";
import { GroupBy } from "../questions/GroupBy";
import styles from "../ui/Page.module.css";
import { TopicNav } from "../questions/TopicNav";
import { type Extra, hasAxis, type Topic, viewIn } from "../questions/view";

interface Props {
  topic: Topic;
  question: Question;
  /** Filters that the page chose itself, as printed in addresses. */
  fixed: readonly string[];
  /** The view that was regrouped, where the question alone would not show it. */
  named: string | undefined;
  /** Whether these are still being chosen; until then nothing is requested. */
  opening: boolean;
  onAsk: (search: SearchLists) => void;
}

/** A topic's page: views, filters, chart, table and notes for one question. */
export function TopicPage({ topic, question, fixed, named, opening, onAsk }: Props) {
  const view = topic.views.find(({ id }) => id === named) ?? viewIn(topic, question);
  const catalog = useQuery(catalogQuery);
  const answer = useQuery({
    ...answerQuery(question),
    enabled: !opening,
    // Under new filters the old figures stay until the new ones are there; another view's would
    // be drawn as what they are not.
    placeholderData: (previous) =>
      previous && viewIn(topic, shapeOf(previous.question))?.id === view?.id ? previous : undefined,
  });
  const facets = useQuery({
    ...facetsQuery(question),
    enabled: !opening,
    placeholderData: keepPreviousData,
  });
  const along = hasAxis(question);
  useEffect(() => preloadFigure(along), [along]);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  useTitle(answer.data?.figure.title ?? topic.title);
  const ask = (next: Question) => onAsk(toSearch(next));
  const failure = answer.error ?? catalog.error;
  const empty =
    answer.data?.results.every(({ groups, published }) => groups.length + published.length === 0) ??
    false;
  const extra = (shown: Answer, inWords: Words): Extra => ({
    question,
    answer: shown,
    facets: facets.data,
    words: inWords,
  });
  const needs = view?.needs ?? [];
  // A fleet of guests has nothing in a view that leaves guests out: its own filters come off, too.
  const narrowed = question.where.length > needs.length;
  const clear = () => ask({ ...question, where: [...needs] });
  const bare = () => ask({ ...question, where: [] });

  return (
    <FilteredPage
      head={
        <>
          <h1>{topic.title}</h1>
          <TopicNav
            topic={topic}
            question={question}
            fixed={fixed}
            words={words}
            current={view?.id}
          />
        </>
      }
      question={question}
      facets={facets.data}
      words={words}
      page={topic.path}
      remaining={facets.data ? counted(facets.data.total, "run") : ""}
      busy={opening || answer.isFetching}
      opening={opening}
      onAsk={ask}
      onClear={clear}
      above={
        <Arrivals
          followed={question}
          since={answer.isPlaceholderData ? undefined : answer.data?.as_of}
        />
      }
      below={words ? <ChosenFilters words={words} where={question.where} fixed={fixed} /> : null}
    >
      {failure ? (
        <ProblemNotice
          error={failure}
          onRetry={() => void answer.refetch()}
          ways={
            <Link to={topic.path} search={{}}>
              {startOf(topic)}
            </Link>
          }
        />
      ) : answer.data && words ? (
        <div className={answer.isPlaceholderData ? styles.stale : undefined}>
          {empty ? (
            <Notice
              title="No runs answer this question"
              actions={
                question.where.length > 0 ? (
                  <button type="button" className="button" onClick={narrowed ? clear : bare}>
                    Remove all filters
                  </button>
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
              <LeftOut
                answer={answer.data}
                figure={answer.data.figure}
                onFlagged={(flagged) => ask({ ...question, flagged })}
              />
            </Notice>
          ) : (
            <>
              <div className={styles.bar}>
                <div className={styles.asked}>
                  {view ? (
                    <GroupBy
                      topic={topic}
                      view={view}
                      question={question}
                      fixed={fixed}
                      facets={facets.data}
                      words={words}
                      onAsk={onAsk}
                    />
                  ) : null}
                  {answer.data.figure.of_hosts ? (
                    <Link
                      to={topic.path}
                      search={parseSearch(answer.data.figure.of_hosts)}
                      className={styles.hosts}
                    >
                      VM vs. host
                    </Link>
                  ) : null}
                </div>
                <div className={`row ${styles.actions}`}>
                  <SavePanel question={printQuestion(question)} />
                  <ComparePanel answer={answer.data} />
                  <div className={styles.takeaway}>
                    <Copies
                      figure={answer.data.figure}
                      asOf={answer.data.as_of}
                      picture={pictureOf(printQuestion(question))}
                    />
                    <Downloads question={printQuestion(question)} />
                  </div>
                </div>
              </div>
              <AnswerView
                answer={answer.data}
                figure={answer.data.figure}
                words={words}
                between={
                  <>
                    <LeftOut
                      answer={answer.data}
                      figure={answer.data.figure}
                      onFlagged={(flagged) => ask({ ...question, flagged })}
                    />
                    {view?.beside ? <view.beside {...extra(answer.data, words)} /> : null}
                    {topic.beside ? <topic.beside {...extra(answer.data, words)} /> : null}
                    <About
                      answer={answer.data}
                      words={words}
                      remarks={view?.about ?? []}
                      command={view?.command}
                    />
                  </>
                }
              />
            </>
          )}
          {topic.after && !empty ? (
            <Suspense fallback={null}>
              <topic.after {...extra(answer.data, words)} />
            </Suspense>
          ) : null}
        </div>
      ) : (
        <Skeleton height={FIGURE_HEIGHT} lines={18} />
      )}
    </FilteredPage>
  );
}

/** "Start from storage: by case". */
export function startOf({ title, views }: Topic): string {
  return `Start from ${title.toLowerCase()}: ${views[0].title.toLowerCase()}`;
}

function shapeOf(question: {
  metrics: string[];
  by: string[];
  relative_to: { dimension: string; value: unknown }[];
}) {
  return {
    metrics: question.metrics,
    by: question.by,
    relativeTo: question.relative_to.map(({ dimension, value }) => ({
      dimension,
      op: "is" as const,
      value: value === null ? "" : String(value),
    })),
  };
}
