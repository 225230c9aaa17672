import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo } from "react";
import { catalogQuery, runQuery } from "../../api/queries";
import type { RunDetail } from "../../api/types";
import { moment } from "../../ui/format";
import type { SearchLists } from "../../links/search";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { Unseen } from "../../figures/Unseen";
import { type Words, wordsOf } from "../../figures/words";
import { DoubtPanel } from "./DoubtPanel";
import { type Fact, Facts } from "../../ui/Facts";
import { RawDocument } from "./RawDocument";
import { ResultsTable, type ResultWithWords } from "./ResultsTable";
import record from "../../ui/Record.module.css";
import styles from "./RunPage.module.css";
import { inFleet } from "../../links/fleet";
import { type OnSearch, useFleet } from "../../figures/useFleet";
import { RunPercentile } from "./RunPercentile";
import { isRanked, RunRank } from "./RunRank";
import { RunTraces } from "./RunTraces";
import { WithdrawnNotice } from "../../ui/WithdrawnNotice";

const RunCurves = lazy(() => import("./RunCurves"));
const SamplesFigure = lazy(() => import("./SamplesFigure"));

interface Props {
  id: string;
  search: SearchLists;
  onSearch: OnSearch;
}

export function RunPage({ id, search, onSearch }: Props) {
  const catalog = useQuery(catalogQuery);
  const run = useQuery(runQuery(id));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  useTitle(run.data?.words.title ?? "Run");
  const failure = run.error ?? catalog.error;
  if (failure) {
    return (
      <Unseen
        error={failure}
        onRetry={() => void run.refetch()}
        ways={
          <Link to="/runs" search={{}}>
            Show all runs
          </Link>
        }
      />
    );
  }
  if (!run.data || !words) return <Skeleton height="60rem" lines={26} />;
  return <Run run={run.data} words={words} search={search} onSearch={onSearch} />;
}

/** Whether a result covers the whole run rather than one file size or number of threads. */
const isWhole = ({ result }: ResultWithWords) => Object.keys(result.parameters).length === 0;

/** The facts of a run, with times in the reader's time zone. */
function factsOf({ words, started_at, finished_at, received_at }: RunDetail) {
  const times: Fact[] = [
    ...(started_at ? [{ name: "Started", value: moment(started_at) }] : []),
    ...(finished_at ? [{ name: "Finished", value: moment(finished_at) }] : []),
    { name: "Received", value: moment(received_at) },
  ];
  const lastIndex = words.facts.length - 1;
  return words.facts.map(({ title, facts }, index) => ({
    title,
    facts: index === lastIndex ? [...facts, ...times] : facts,
  }));
}

interface RunProps extends Omit<Props, "id"> {
  run: RunDetail;
  words: Words;
}

function Run({ run, words, search, onSearch }: RunProps) {
  const fleet = useFleet(run.fleet, search, onSearch);
  const results = run.results.flatMap((result, index): ResultWithWords[] => {
    const resultWords = run.words.results[index];
    return resultWords ? [{ result, resultWords }] : [];
  });
  const wholeResults = results.filter(isWhole);
  const partialResults = results.filter((result) => !isWhole(result));
  return (
    <article className={record.page}>
      <header className={record.head}>
        <p className={record.kind}>
          {run.source === "published"
            ? "Published figures"
            : `${words.value("source", run.source)} run`}
          {", "}
          <bdi>{run.suite}</bdi>
        </p>
        <h1>
          <bdi>{run.words.title}</bdi>
        </h1>
        <p className={record.sub}>
          <bdi>{run.words.machine}</bdi>
          {run.machine.chip ? (
            <>
              , <bdi>{run.machine.chip}</bdi>
            </>
          ) : null}
          {run.started_at ? ` · ${moment(run.started_at)}` : ""}
        </p>
        {run.machine.unspecified ? null : (
          <p className={styles.ways}>
            <Link to="/machines/$id" params={{ id: run.machine.id }} search={inFleet({}, fleet)}>
              This Mac over time
            </Link>
            {run.suite === "disk" ? (
              <Link to="/storage" search={inFleet({ where: [`machine:${run.machine.id}`] }, fleet)}>
                Storage results of this Mac
              </Link>
            ) : null}
          </p>
        )}
      </header>
      {run.withdrawn ? <WithdrawnNotice withdrawn={run.withdrawn} /> : null}
      <Flags run={run} />
      {isRanked(run) ? <RunRank run={run} /> : null}
      {run.citation ? (
        <p className={styles.citation}>
          † {run.words.citation}. Figure {run.citation.row} in our collection.
        </p>
      ) : null}
      <ResultsTable
        title="Results of the whole run"
        results={wholeResults}
        figures={run.published.map((figure, index) => ({
          figure,
          text: run.words.published[index] ?? "",
        }))}
        words={words}
      />
      {run.words.curves.length > 0 ? (
        <Suspense fallback={<Skeleton height={420} />}>
          <RunCurves charts={run.words.curves} />
        </Suspense>
      ) : null}
      {run.words.samples.length > 0 ? (
        <Suspense fallback={<Skeleton height={420} />}>
          <SamplesFigure run={run} />
        </Suspense>
      ) : null}
      <RunTraces run={run} />
      <ResultsTable
        title="Results by size, threads and other parameters"
        results={partialResults}
        figures={[]}
        words={words}
      />
      <RunPercentile {...{ run, fleet, words, search, onSearch }} />
      <div className={record.facts}>
        {factsOf(run).map(({ title, facts }) => (
          <Facts key={title} title={title} facts={facts} />
        ))}
      </div>
      {run.withdrawn ? null : <DoubtPanel id={run.id} doubts={run.doubts} />}
      <RawDocument id={run.id} sha256={run.document_sha256} size={run.words.document} />
    </article>
  );
}

/** All flags of the run and its results as sentences, with the agent's details. */
function Flags({ run }: { run: RunDetail }) {
  const details = new Map(
    run.warnings.map((warning) => [
      String(warning.code),
      typeof warning.detail === "string" ? warning.detail : "",
    ]),
  );
  const flags = new Map(
    [...run.flags, ...run.results.flatMap((result) => result.flags)].map((flag) => [
      flag.code,
      flag,
    ]),
  );
  if (flags.size === 0) return null;
  return (
    <ul className={styles.flags} aria-label="Flags">
      {[...flags.values()].map((flag) => (
        <li key={flag.code} data-severity={flag.severity}>
          <span className={styles.severity}>{flag.severity === "doubt" ? "Doubt" : "Caution"}</span>
          <span>
            This {run.source === "published" ? "figure" : "run"} {flag.sentence}.{" "}
            {details.get(flag.code) ? <bdi className="quiet">{details.get(flag.code)}</bdi> : null}
          </span>
        </li>
      ))}
    </ul>
  );
}
