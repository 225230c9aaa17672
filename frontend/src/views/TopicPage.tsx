import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo } from "react";
import { answerQuery, catalogQuery, facetsQuery } from "../api/queries";
import { counted } from "../ui/format";
import { type Question, toSearch } from "../links/question";
import type { SearchLists } from "../links/search";
import { Skeleton } from "../ui/Skeleton";
import { useTitle } from "../ui/useTitle";
import { preloadFigure } from "../figures/ChartFigure";
import { FIGURE_HEIGHT } from "../figures/heights";
import { FilteredPage } from "../questions/FilteredPage";
import { ProblemNotice } from "../ui/ProblemNotice";
import { wordsOf } from "../figures/words";
import { Arrivals } from "../ui/Arrivals";
import { ChosenFilters, LostCases } from "../questions/ChosenFilters";
import styles from "../ui/Page.module.css";
import { Toolbar } from "../questions/Toolbar";
import { TopicNav } from "../questions/TopicNav";
import { TopicActions } from "./TopicActions";
import { TopicAnswer } from "./TopicAnswer";
import { likelyFigure, type Topic, type Topics, viewIn, withNeedsOf } from "../questions/view";

interface Props {
  topic: Topic;
  topics: Topics;
  question: Question;
  /** Filters that the page chose itself, as printed in addresses. */
  fixed: readonly string[];
  /** Number of cases that these leave out. */
  hidden: number;
  /** Filters of a picked question with which it would be empty. */
  dropped: readonly string[];
  /** The regrouped view, if the question alone doesn't identify it. */
  named: string | undefined;
  /** Whether these are still being chosen; no request until then. */
  opening: boolean;
  /** Ask on this page or, with a path, on another topic's. */
  onAsk: (search: SearchLists, path?: Topic["path"]) => void;
}

/** A topic's page: views, filters, chart, table and notes for one question. */
export function TopicPage(props: Props) {
  const { topic, topics, question, fixed, hidden, dropped, named, opening, onAsk } = props;
  const view = topic.views.find(({ id }) => id === named) ?? viewIn(topic, question);
  const catalog = useQuery(catalogQuery);
  const answer = useQuery({
    ...answerQuery(question),
    enabled: !opening,
    // Under new filters, keep the old figures until the new ones arrive; another view's would be
    // drawn as the wrong kind of figure.
    placeholderData: (previous) =>
      previous && viewIn(topic, shapeOf(previous.question))?.id === view?.id ? previous : undefined,
  });
  const facets = useQuery({
    ...facetsQuery(question),
    enabled: !opening,
    placeholderData: keepPreviousData,
  });
  const likely = likelyFigure(question);
  useEffect(() => preloadFigure(likely), [likely]);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const { finding, title } = answer.data?.figure ?? {};
  const heading = finding || title;
  useTitle(heading ?? topic.title);
  // Filters react to a press at once; the figure, which takes longer to draw, follows with the
  // question it answers.
  const now = useMemo(
    () => ({ question, view, fixed, answer: answer.data, facets: facets.data }),
    [question, view, fixed, answer.data, facets.data],
  );
  const drawn = useDeferredValue(now);
  const late = answer.isPlaceholderData || drawn !== now;
  const ask = (next: Question) => onAsk(toSearch(next));
  const failure = answer.error ?? catalog.error;

  return (
    <FilteredPage
      nav={
        <TopicNav
          topic={topic}
          question={question}
          fixed={fixed}
          words={words}
          current={view?.id}
        />
      }
      title={
        <h1>
          {heading ? (
            <bdi>{heading}</bdi>
          ) : (
            <span className={styles.waiting}>
              {[topic.title, ...(view ? [view.title] : [])].join(" · ")}
            </span>
          )}
        </h1>
      }
      question={question}
      implied={view?.needs}
      facets={facets.data}
      words={words}
      page={topic.path}
      remaining={facets.data ? counted(facets.data.total, "run") : ""}
      busy={opening || answer.isFetching || drawn !== now}
      opening={opening}
      onAsk={ask}
      onClear={() => ask(withNeedsOf(view, question))}
      toolbar={
        catalog.data && words ? (
          <Toolbar
            topic={topic}
            topics={topics}
            shown={{ question, view, fixed }}
            catalog={catalog.data}
            words={words}
            onAsk={onAsk}
          />
        ) : null
      }
      actions={
        drawn.answer ? <TopicActions question={drawn.question} answer={drawn.answer} /> : null
      }
      chosen={words ? <ChosenFilters words={words} fixed={fixed} where={question.where} /> : null}
    >
      <Arrivals
        followed={question}
        since={answer.isPlaceholderData ? undefined : answer.data?.as_of}
      />
      {words ? <LostCases {...{ words, hidden, dropped }} /> : null}
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
      ) : drawn.answer && words ? (
        <div className={late ? styles.stale : undefined}>
          <TopicAnswer {...drawn} answer={drawn.answer} topic={topic} words={words} onAsk={onAsk} />
        </div>
      ) : (
        <Skeleton height={FIGURE_HEIGHT} lines={18} />
      )}
    </FilteredPage>
  );
}

/** A link's text: "Start from storage: by case". */
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
