import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { catalogQuery, facetsQuery, residencyQuery } from "../../api/queries";
import type { Residency } from "../../api/types";
import { save } from "../../figures/charts/picture";
import { Button } from "../../ui/Button";
import { counted } from "../../ui/format";
import { rangeOf } from "../../links/clause";
import { type Question, toSearch } from "../../links/question";
import { printSearch, type SearchLists } from "../../links/search";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import aboutStyles from "../../figures/About.module.css";
import { FilteredPage } from "../../questions/FilteredPage";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import { useFilters } from "../../figures/filters";
import { Arrivals } from "../../ui/Arrivals";
import { ChosenFilters } from "../../questions/ChosenFilters";
import { TopicNav } from "../../questions/TopicNav";
import { POWER } from "./power";
import { ResidencyControls } from "./ResidencyControls";
import { ResidencyTable } from "./ResidencyTable";
import { residencyCsv } from "./residency";

const ResidencyFigure = lazy(() => import("./ResidencyFigure"));

interface Props {
  question: Question;
  /** The residencies included, as in the address: "1.5..5". */
  active: string | undefined;
  /** Filters that the page chose itself, as in addresses. */
  fixed: readonly string[];
  /** Whether these are still being chosen; no request until then. */
  opening: boolean;
  onAsk: (search: SearchLists) => void;
}

const PATH = "/power/residency";
const TITLE = "Frequency by active residency";
const HEIGHT = 640;
const SAMPLED = { dimension: "suite", op: "is", value: "power" } as const;
/** Filter that excludes published figures, because articles have no samples. */
const PRINTED = { dimension: "source", op: "not", value: "published" } as const;

/** Frequency against residency, from the traces of all matching runs. */
export function ResidencyPage({ question, active, fixed, opening, onAsk }: Props) {
  const catalog = useQuery(catalogQuery);
  const answer = useQuery({
    ...residencyQuery(question, active),
    enabled: !opening,
    placeholderData: keepPreviousData,
  });
  const facets = useQuery({
    ...facetsQuery({ ...question, metrics: [], where: [...question.where, SAMPLED, PRINTED] }),
    enabled: !opening,
    placeholderData: keepPreviousData,
  });
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const filters = useFilters(question.where, words);
  const ask = (next: Question, range = active) =>
    onAsk({ ...toSearch(next), ...(range ? { active: [range] } : {}) });
  const failure = answer.error ?? catalog.error;
  const clear = () => ask({ ...question, where: [] }, undefined);
  const query = printSearch({ ...toSearch(question), ...(active ? { active: [active] } : {}) });
  const offered = facets.data && {
    ...facets.data,
    dimensions: facets.data.dimensions.filter(({ name }) => name !== "suite" && name !== "source"),
  };
  const empty = answer.data?.groups.every(({ samples }) => samples === 0);
  return (
    <FilteredPage
      nav={
        <TopicNav topic={POWER} question={question} fixed={fixed} words={words} current={PATH} />
      }
      title={<h1>{TITLE}</h1>}
      question={question}
      facets={offered}
      words={words}
      page={PATH}
      remaining={facets.data ? counted(facets.data.total, "run") : ""}
      busy={opening || answer.isFetching}
      opening={opening}
      onAsk={ask}
      onClear={clear}
      chosen={words ? <ChosenFilters words={words} where={question.where} fixed={fixed} /> : null}
    >
      <Arrivals
        followed={{ ...question, metrics: [], where: [...question.where, SAMPLED] }}
        since={answer.isPlaceholderData ? undefined : answer.data?.as_of}
      />
      {failure ? (
        <ProblemNotice
          error={failure}
          onRetry={() => void answer.refetch()}
          ways={
            <Link to={PATH} search={{}}>
              Start again
            </Link>
          }
        />
      ) : answer.data && words ? (
        <>
          {empty ? (
            <Notice
              title="No matching samples"
              actions={
                question.where.length > 0 || active ? (
                  <Button onClick={clear}>Remove all filters</Button>
                ) : null
              }
            >
              <p>
                Articles don’t publish samples. To record them on a Mac, run as root:{" "}
                <code>sudo macmeter power</code>
              </p>
            </Notice>
          ) : (
            <Suspense fallback={<Skeleton height={HEIGHT} lines={12} />}>
              <ResidencyFigure
                answer={answer.data}
                fitted={question.fit !== undefined}
                title={TITLE}
                where={question.where}
                filters={[...filters.byDimension, ...(active ? [rangeInWords(active)] : [])]}
                actions={
                  <>
                    <Button
                      onClick={() =>
                        save(
                          new Blob([residencyCsv(answer.data)], { type: "text/csv" }),
                          "macmeter.csv",
                        )
                      }
                    >
                      Points as CSV
                    </Button>
                    <a
                      className="button"
                      href={`/api/v1/residency?${query}`}
                      download="macmeter.json"
                    >
                      JSON
                    </a>
                    <Link
                      to="/runs"
                      className="button"
                      search={toSearch({
                        ...question,
                        fit: undefined,
                        where: [...question.where, SAMPLED],
                      })}
                    >
                      Power runs
                    </Link>
                  </>
                }
              />
            </Suspense>
          )}
          <LeftOut answer={answer.data} />
          <ResidencyControls
            fit={question.fit}
            active={active}
            onFit={(fit) => ask({ ...question, fit })}
            onActive={(range) => ask(question, range)}
          />
          <About />
          {empty ? null : <ResidencyTable answer={answer.data} caption={TITLE} />}
        </>
      ) : (
        <Skeleton height={HEIGHT} lines={12} />
      )}
    </FilteredPage>
  );
}

function rangeInWords(active: string): string {
  const { low, high } = rangeOf(active) ?? {};
  if (high === undefined) return `from ${low} active cores`;
  return low === undefined ? `up to ${high} active cores` : `${low} to ${high} active cores`;
}

function LeftOut({ answer }: { answer: Residency }) {
  const outside = answer.groups.reduce((sum, group) => sum + group.outside, 0);
  const reasons = [
    [outside, counted(outside, "sample outside the range", "samples outside the range")],
    [answer.without, `${counted(answer.without, "run")} without a core trace`],
    [answer.doubted, counted(answer.doubted, "doubted run")],
    [answer.older, `${counted(answer.older, "older run")}, too many to read at once`],
  ] as const;
  const sentences = reasons.flatMap(([n, text]) => (n > 0 ? [text] : []));
  return sentences.length > 0 ? <p>Left out: {sentences.join("; ")}.</p> : null;
}

function About() {
  return (
    <details className={aboutStyles.about}>
      <summary>About this figure</summary>
      <div className={aboutStyles.text}>
        <ul>
          <li>
            Each point is one sample of one cluster: the active residency of its cores added
            together, and the frequency they shared. 2 means two cores all the time, or four for
            half of it.
          </li>
          <li>
            Samples from one run are not independent: a curve through ten thousand of them is only
            as reliable as the runs they come from.
          </li>
          <li>
            Frequency depends on the workload as well as on residency, so curves of different
            workloads differ. Below about 1.5 active cores points scatter, because the frequency may
            change within a sample; choose a range to leave them out.
          </li>
          <li>
            Chips, power modes and tiers are never pooled.{" "}
            <Link to="/methods">How power is sampled</Link>
          </li>
        </ul>
      </div>
    </details>
  );
}
