import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { catalogQuery, facetsQuery, runsQuery } from "../../api/queries";
import { Button } from "../../ui/Button";
import { counted } from "../../ui/format";
import { printClause } from "../../links/clause";
import { type Question, toSearch } from "../../links/question";
import type { SearchLists } from "../../links/search";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { FilteredPage } from "../../questions/FilteredPage";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import { useOrder } from "../../ui/sorting";
import { Arrivals } from "../../ui/Arrivals";
import styles from "../../ui/Paging.module.css";
import { RunsTable } from "../../figures/RunsTable";

interface Props {
  /** Only its filters are used here. */
  question: Question;
  /** End of the previous page; undefined on the first. */
  cursor: string | undefined;
  onAsk: (search: SearchLists) => void;
}

export function RunsPage({ question, cursor, onAsk }: Props) {
  const where = question.where.map(printClause);
  const catalog = useQuery(catalogQuery);
  const runs = useQuery({ ...runsQuery(where, cursor), placeholderData: keepPreviousData });
  const facets = useQuery({
    ...facetsQuery({ metrics: [], where: question.where, flagged: "include" }),
    placeholderData: keepPreviousData,
  });
  // Filters react to a press at once; a table of fifty rows follows.
  const listed = useDeferredValue(runs.data);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const ask = (next: Question) => onAsk(toSearch(next));
  const clear = () => ask({ ...question, where: [] });
  const order = useOrder(`most recently received first${cursor ? ", continued" : ""}`, listed);
  const failure = runs.error ?? catalog.error;
  const search = toSearch(question);
  return (
    <FilteredPage
      title={<h1>Runs</h1>}
      question={question}
      facets={facets.data}
      words={words}
      page="/runs"
      remaining={runs.data ? counted(runs.data.total, "run") : ""}
      order={order}
      busy={runs.isFetching}
      onAsk={ask}
      onClear={clear}
    >
      <Arrivals
        followed={{ metrics: [], where: question.where, flagged: "include" }}
        since={cursor || !runs.data ? undefined : (runs.data.items[0]?.received_at ?? "")}
        known={runs.data?.items.map(({ id }) => id)}
      />
      {failure ? (
        <ProblemNotice
          error={failure}
          onRetry={() => void runs.refetch()}
          ways={
            <Link to="/runs" search={{}}>
              Show all runs
            </Link>
          }
        />
      ) : listed ? (
        listed.items.length === 0 ? (
          <Notice
            title="No runs match"
            actions={where.length > 0 ? <Button onClick={clear}>Remove all filters</Button> : null}
          >
            <p>
              {where.length > 0
                ? "No run that you can see matches all filters."
                : "No run has been uploaded or published yet."}
            </p>
          </Notice>
        ) : (
          <>
            <RunsTable runs={listed.items} />
            <nav className={styles.paging} aria-label="Pages of runs">
              {cursor ? (
                <Link to="/runs" search={search}>
                  Back to the newest
                </Link>
              ) : null}
              {listed.next ? (
                <Link to="/runs" search={{ ...search, cursor: [listed.next] }}>
                  Older runs
                </Link>
              ) : null}
            </nav>
          </>
        )
      ) : (
        <Skeleton height="64rem" lines={32} />
      )}
    </FilteredPage>
  );
}
