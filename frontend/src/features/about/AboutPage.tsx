import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { corpusQuery, runsQuery, sourcesQuery } from "../../api/queries";
import type { PublishedSources } from "../../api/types";
import { count, counted } from "../../ui/format";
import { Skeleton } from "../../ui/Skeleton";
import { useTitle } from "../../ui/useTitle";
import { ProblemNotice } from "../../ui/ProblemNotice";
import prose from "../../ui/Prose.module.css";
import styles from "./about.module.css";
import { Article } from "./Article";

/** The data, its licence, and every article with published figures. */
export function AboutPage() {
  useTitle("About the data");
  const sources = useQuery(sourcesQuery);
  return (
    <div className={styles.page}>
      <header className={prose.head}>
        <h1>About the data</h1>
        <p className={prose.lead}>
          Two kinds of figures, never mixed: measured by the agent on Macs, and published in
          articles. How figures are measured is explained under <Link to="/methods">Methods</Link>;
          every published figure is listed here with its source.
        </p>
      </header>
      <Holdings />
      {sources.error ? (
        <ProblemNotice error={sources.error} onRetry={() => void sources.refetch()} />
      ) : sources.data ? (
        <Published sources={sources.data} />
      ) : (
        <Skeleton height="80rem" lines={40} />
      )}
    </div>
  );
}

/** The amount of data, downloads, and the licence. */
function Holdings() {
  const corpus = useQuery(corpusQuery);
  return (
    <section className={prose.section} aria-labelledby="holdings">
      <h2 id="holdings">Data and licence</h2>
      <dl className={styles.holdings}>
        {["measured", "imported", "published"].map((source) => (
          <div key={source}>
            <dt>{source}</dt>
            <dd>
              <RunsOf source={source} />
            </dd>
          </div>
        ))}
        <div>
          <dt>results, public</dt>
          <dd>{corpus.data ? count(corpus.data.results) : "\u00a0"}</dd>
        </div>
      </dl>
      <p className={styles.licence}>
        {corpus.data ? (
          <>
            <strong>{corpus.data.licence.name}</strong>. {corpus.data.licence.text}
          </>
        ) : (
          "\u00a0"
        )}
      </p>
      <div className={styles.actions}>
        <a className="button" href="/api/v1/corpus.csv" download="macmeter-corpus.csv">
          Everything as CSV
        </a>
        <a className="button" href="/api/v1/corpus.parquet" download="macmeter-corpus.parquet">
          Everything as Parquet
        </a>
        <a className="button" href="/api/v1/corpus">
          Columns
        </a>
      </div>
    </section>
  );
}

function RunsOf({ source }: { source: string }) {
  const where = [`source:${source}`];
  const runs = useQuery(runsQuery(where, undefined, 1));
  if (!runs.data) return "\u00a0";
  return (
    <Link to="/runs" search={{ where }}>
      {counted(runs.data.total, "run")}
    </Link>
  );
}

function Published({ sources }: { sources: PublishedSources }) {
  const total = sources.dispositions.reduce((sum, { rows }) => sum + rows, 0);
  const storedItems = sources.dispositions.filter(({ stored }) => stored);
  const used = storedItems.reduce((sum, { rows }) => sum + rows, 0);
  const cited = sources.articles.filter(({ figures }) => figures.some(({ run }) => run !== null));
  const left = sources.dispositions.filter(({ stored, rows }) => !stored && rows > 0);
  return (
    <>
      <section className={prose.section} aria-labelledby="became">
        <h2 id="became">How published figures are used</h2>
        <p>
          {counted(sources.articles.length, "article")} print {counted(total, "figure")}; answers
          use {count(used)} of these, from {counted(cited.length, "article")}. Each is listed below,
          with how it is used.
        </p>
        <h3>In answers, with a dagger</h3>
        <Dispositions all={storedItems} />
        <h3>Left out, and why</h3>
        <Dispositions all={left} />
      </section>
      <section className={prose.section} aria-labelledby="articles">
        <h2 id="articles">Articles</h2>
        <p className={styles.order}>Newest first</p>
        <ul className={styles.articles}>
          {sources.articles
            .toSorted((a, b) => (b.published ?? "").localeCompare(a.published ?? ""))
            .map((article) => (
              <Article key={article.article} article={article} />
            ))}
        </ul>
      </section>
    </>
  );
}

function Dispositions({ all }: { all: PublishedSources["dispositions"] }) {
  return (
    <dl className={styles.dispositions}>
      {all.map(({ name, rows, meaning }) => (
        <div key={name}>
          <dt>
            <span className={styles.rows}>{count(rows)}</span> {name.replaceAll("_", " ")}
            {rows === 1 ? "" : "s"}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
