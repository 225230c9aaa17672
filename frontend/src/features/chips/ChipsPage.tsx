import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useMemo } from "react";
import { catalogQuery, chipsQuery, measuredQuery } from "../../api/queries";
import { thingsQuery } from "../../api/things";
import type { Chips } from "../../api/types";
import { counted } from "../../ui/format";
import { Notice } from "../../ui/Notice";
import { Skeleton } from "../../ui/Skeleton";
import about from "../../figures/About.module.css";
import { countedIn } from "../../figures/counted";
import { Footnotes } from "../../figures/Footnotes";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { type Words, wordsOf } from "../../figures/words";
import page from "../../ui/Page.module.css";
import { ChipsTable } from "./ChipsTable";
import { chipSources, chipsCsv, familiesOf, ofFamily } from "./chipWords";
import styles from "./chips.module.css";
import { FactsTable } from "./FactsTable";

/** Every known configuration of Apple's chips, according to articles. */
export function ChipsPage({ family }: { family: string | undefined }) {
  const chips = useQuery(chipsQuery);
  const catalog = useQuery(catalogQuery);
  const words = useMemo(() => (catalog.data ? wordsOf(catalog.data) : undefined), [catalog.data]);
  const error = chips.error ?? catalog.error;
  const all = familiesOf(chips.data ?? { chips: [], facts: [], sources: [] });
  return (
    <div className={styles.page} aria-busy={!error && (!chips.data || !words)}>
      <div className={page.head}>
        <h1>Chips</h1>
        <nav aria-label="Chip families" className={page.views}>
          <Link
            to="/chips"
            search={{}}
            activeOptions={{ exact: true }}
            aria-current={family === undefined ? "page" : undefined}
          >
            All
          </Link>
          {all.map((one) => (
            <Link
              key={one}
              to="/chips"
              search={{ family: [one] }}
              activeOptions={{ exact: true }}
              aria-current={family === one ? "page" : undefined}
            >
              {one}
            </Link>
          ))}
        </nav>
      </div>
      {error ? (
        <ProblemNotice error={error} onRetry={() => void chips.refetch()} />
      ) : !chips.data || !words ? (
        <Skeleton height="60rem" lines={30} />
      ) : family !== undefined && !all.includes(family) ? (
        <Notice
          title="No chips of this family"
          actions={
            <Link to="/chips" search={{}}>
              Show all chips
            </Link>
          }
        >
          <p>
            The articles collected so far state nothing about <bdi>{family}</bdi>. Runs on it are
            still shown, under its own name.
          </p>
        </Notice>
      ) : (
        <Known chips={chips.data} family={family} words={words} />
      )}
    </div>
  );
}

function Known({
  chips,
  family,
  words,
}: {
  chips: Chips;
  family: string | undefined;
  words: Words;
}) {
  const sources = chipSources(chips, family);
  const things = useQuery(thingsQuery("chips"));
  const measured = useQuery(measuredQuery);
  const pages = useMemo(
    () => new Map(things.data?.items.map((item) => [item.name, item])),
    [things.data],
  );
  const configurations = ofFamily(chips.chips, family);
  const facts = ofFamily(chips.facts, family).toSorted((a, b) =>
    a.family.localeCompare(b.family, "en", { numeric: true }),
  );
  const measuredChips = measured.data ? countedIn(measured.data, "chip") : [];
  const others = measuredChips
    .map(({ value }) => value)
    .filter((name) => !chips.chips.some(({ chip }) => chip === name))
    .toSorted();
  if (things.isPending || measured.isPending) return <Skeleton height="60rem" lines={30} />;
  return (
    <>
      <section className={styles.section}>
        <h2>{family === undefined ? "Cores, memory and links by chip" : `${family} chips`}</h2>
        <p className={styles.subtitle}>
          {counted(configurations.length, "configuration")}, as published; a cell is empty where no
          article states it
        </p>
        <ChipsTable chips={configurations} words={words} sources={sources} measured={pages} />
        {family === undefined && measuredChips.length > 0 ? (
          <p className={styles.others}>
            Macs here have {counted(measuredChips.length, "chip")}
            {others.length > 0 ? ", of which no article states these: " : ""}
            {others.map((name, index) => (
              <Fragment key={name}>
                {index > 0 ? ", " : ""}
                <Link to="/chips/$slug" params={{ slug: pages.get(name)?.slug ?? name }}>
                  <bdi>{name}</bdi>
                </Link>
              </Fragment>
            ))}
            .
          </p>
        ) : null}
      </section>
      <div className={page.actions}>
        <a
          className="button"
          href={`data:text/csv;charset=utf-8,${encodeURIComponent(chipsCsv(configurations))}`}
          download="macmeter-chips.csv"
        >
          Chips as CSV
        </a>
      </div>
      {facts.length > 0 ? (
        <section className={styles.section}>
          <h2>Frequencies stated for a whole family</h2>
          <p className={styles.subtitle}>
            These articles don’t name a variant, so they are listed separately
          </p>
          <FactsTable facts={facts} sources={sources} />
        </section>
      ) : null}
      <details className={about.about}>
        <summary>About these tables</summary>
        <div className={about.text}>
          <ul>
            <li>
              A tier is one kind of core, under Apple’s name for it, fastest first. Cores in a
              cluster share a frequency and a cache; macOS fills one cluster before it starts on the
              next.
            </li>
            <li>
              The sum of core frequencies adds the highest frequency of every core. It is crude: no
              chip runs all its cores at their highest at once, and an Efficiency core does less per
              cycle than a Performance core. It is shown only if the highest frequency of every tier
              was read on that chip.
            </li>
            <li>
              A binned chip is the same design with some cores disabled. It is listed as a
              configuration of its own.
            </li>
            <li>Memory is the maximum offered with that configuration.</li>
          </ul>
        </div>
      </details>
      <Footnotes sources={sources} />
    </>
  );
}
