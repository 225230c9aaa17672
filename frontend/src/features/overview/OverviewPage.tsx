import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo } from "react";
import { machinesQuery } from "../../api/machines";
import { catalogQuery, facetsQuery, runsQuery } from "../../api/queries";
import type { Facets } from "../../api/types";
import { aboutFigures } from "../../ui/demo";
import { count, counted } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { wordsOf } from "../../figures/words";
import { Arrivals } from "../../ui/Arrivals";
import type { Followed } from "../../api/events";
import { FindingFigure } from "./FindingFigure";
import { findingsOf } from "./findings";
import type { Topics } from "../../questions/view";
import styles from "./Overview.module.css";

const runsTable = () => import("../../figures/RunsTable").then((it) => ({ default: it.RunsTable }));
const RunsTable = lazy(runsTable);

const NEWEST = 6;
const EVERYTHING = { metrics: [], where: [], flagged: "include" } as const;
const MEASURED = ["source!:published"];
const FOLLOWED: Followed = {
  metrics: [],
  where: [{ dimension: "source", op: "not", value: "published" }],
  flagged: "include",
};

/** The first page: what Macmeter is, how much data it has, its findings, and the newest runs. */
export function OverviewPage({ topics }: { topics: Topics }) {
  useTitle(undefined);
  const catalog = useQuery(catalogQuery);
  const machines = useQuery(machinesQuery(MEASURED, "", undefined));
  const facets = useQuery(facetsQuery({ ...EVERYTHING, metrics: [], where: [] }));
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const findings = useMemo(() => findingsOf(topics), [topics]);
  // Two columns if there is room; a short figure leaves no gap below it.
  const columns = [0, 1].map((column) => findings.filter((_, place) => place % 2 === column));
  const failure = catalog.error ?? facets.error;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>Measured performance of Macs</h1>
        <p className={styles.lead}>{aboutFigures()}</p>
        {failure ? null : <Counts facets={facets.data} machines={machines.data?.total} />}
      </header>
      {failure ? (
        <ProblemNotice error={failure} onRetry={() => void facets.refetch()} />
      ) : (
        <div className={styles.findings}>
          {columns.map((column) => (
            <div key={column[0]?.title}>
              {column.map((finding) => (
                <FindingFigure key={finding.title} finding={finding} words={words} />
              ))}
            </div>
          ))}
        </div>
      )}
      <Newest />
    </div>
  );
}

interface CountsProps {
  facets: Facets | undefined;
  /** Machines with both measured and imported results count once. */
  machines: number | undefined;
}

function Counts({ facets, machines }: CountsProps) {
  const values = (name: string) =>
    facets?.dimensions.find((dimension) => dimension.name === name)?.values ?? [];
  const stated = (name: string) => values(name).filter(({ value }) => value !== null).length;
  const sources = values("source");
  const own = sources.filter(({ value }) => value !== "published");
  const runs = own.reduce((total, value) => total + value.runs, 0);
  const printed = sources.find(({ value }) => value === "published")?.runs ?? 0;
  const counts = [
    [runs, "measured run", "measured runs", "/runs", MEASURED],
    [machines, "Mac", "Macs", "/machines", []],
    [stated("chip"), "chip", "chips", "/chips", []],
    [printed, "published figure", "published figures", "/runs", ["source:published"]],
    [stated("article"), "article", "articles", "/about", []],
  ] as const;
  return (
    <dl className={styles.counts} aria-busy={!facets}>
      {counts.map(([n, one, many, to, where]) => (
        <div key={one}>
          <dt>{n === 1 ? one : many}</dt>
          <dd>
            <Link to={to} search={where.length > 0 ? { where: [...where] } : {}}>
              {facets && n !== undefined ? count(n) : "–"}
              <span className="visually-hidden"> {n === 1 ? one : many}</span>
            </Link>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Newest() {
  const runs = useQuery(runsQuery(MEASURED, undefined));
  // Load the table's code in parallel with its data.
  useEffect(() => void runsTable(), []);
  if (runs.error) return null;
  return (
    <section className={styles.newest}>
      <h2>Newest runs</h2>
      <Arrivals
        followed={FOLLOWED}
        since={runs.data ? (runs.data.items[0]?.received_at ?? "") : undefined}
        known={runs.data?.items.map(({ id }) => id)}
      />
      {!runs.data ? (
        <Skeleton height="14rem" lines={6} />
      ) : runs.data.items.length === 0 ? (
        <Notice title="No Mac has sent a run yet">
          <p>
            So far only published figures. To add your Mac’s, run <code>macmeter disk</code>,{" "}
            <code>macmeter cores</code>, <code>macmeter compress</code>, then{" "}
            <code>macmeter enroll</code> to choose this server.
          </p>
        </Notice>
      ) : (
        <>
          <Suspense fallback={<Skeleton height="14rem" lines={6} />}>
            <RunsTable runs={runs.data.items.slice(0, NEWEST)} />
          </Suspense>
          <p>
            <Link to="/runs" search={{ where: MEASURED }}>
              All {counted(runs.data.total, "measured run")}
            </Link>
          </p>
        </>
      )}
    </section>
  );
}
