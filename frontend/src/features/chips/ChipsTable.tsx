import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { Chip, CitedArticle } from "../../api/types";
import { count, fixed } from "../../ui/format";
import { Dagger } from "../../figures/Footnotes";
import type { Words } from "../../figures/words";
import { DataTable } from "../../ui/DataTable";
import { SortHead, type SortedBy, useSorted } from "../../ui/sorting";
import styles from "./chips.module.css";
import { clustersText, linksText, megahertz } from "./chipWords";

interface Props {
  chips: Chip[];
  words: Words;
  sources: CitedArticle[];
  /** The addresses of chips that have a page, by name. */
  measured?: ReadonlyMap<string, string>;
}

/** A chip by its generation, its cores all together, and its fastest tier's frequencies. */
const SORTED: SortedBy<Chip>[] = [
  { id: "chip", of: ({ chip }) => chip },
  { id: "cores", of: ({ cores }) => cores },
  { id: "lowest", of: ({ tiers }) => tiers[0]?.min_frequency },
  { id: "highest", of: ({ tiers }) => tiers[0]?.max_frequency },
  { id: "sum", of: ({ cycles }) => cycles },
  { id: "gpu", of: ({ gpu_cores }) => gpu_cores },
  { id: "memory", of: ({ memory_max_bytes }) => memory_max_bytes },
];

/** A body for each chip, a line for each of its tiers, fastest first. */
export function ChipsTable({ chips, words, sources, measured }: Props) {
  const sorted = useSorted(chips, SORTED);
  return (
    <DataTable name="Chips" className={`${styles.table} ${styles.tiers}`}>
      <thead>
        <tr>
          <SortHead id="chip" sorted={sorted} title="Chip" />
          <th scope="col">Tier</th>
          <SortHead id="cores" sorted={sorted} className="number" title="Cores" />
          <th scope="col" className="number">
            Clusters
          </th>
          <SortHead id="lowest" sorted={sorted} className="number" title="Lowest" unit="MHz" />
          <SortHead id="highest" sorted={sorted} className="number" title="Highest" unit="MHz" />
          <SortHead id="sum" sorted={sorted} className="number" title="Sum, crude" unit="GHz" />
          <SortHead id="gpu" sorted={sorted} className="number" title="GPU cores" />
          <SortHead id="memory" sorted={sorted} className="number" title="Max memory" unit="GiB" />
          <th scope="col">Links</th>
          <th scope="col">
            <span className="visually-hidden">Source</span>
          </th>
        </tr>
      </thead>
      {sorted.rows.map((chip) => (
        <tbody key={`${chip.chip} ${chip.cores} ${chip.binned}`}>
          {chip.tiers.map((tier, place) => (
            <tr key={tier.name} data-chip={chip.chip}>
              {place === 0 ? <Name chip={chip} slug={measured?.get(chip.chip)} /> : null}
              <td>{tier.name}</td>
              <Figure>{count(tier.cores)}</Figure>
              <Figure>{clustersText(tier.clusters)}</Figure>
              <Figure>{megahertz(tier.min_frequency)}</Figure>
              <Figure>{megahertz(tier.max_frequency)}</Figure>
              {place === 0 ? (
                <Fragment>
                  <Figure rows={chip.tiers.length}>
                    {chip.cycles === null ? "" : fixed(chip.cycles / 1e9, 1)}
                  </Figure>
                  <Figure rows={chip.tiers.length}>{chip.gpu_cores}</Figure>
                  <Figure rows={chip.tiers.length}>
                    {chip.memory_max_bytes === null ? "" : count(chip.memory_max_bytes / 2 ** 30)}
                  </Figure>
                  <td rowSpan={chip.tiers.length} className={styles.links}>
                    {linksText(chip, words) || <Absent />}
                  </td>
                  <td rowSpan={chip.tiers.length} className={styles.cited}>
                    <Cited chip={chip} sources={sources} />
                  </td>
                </Fragment>
              ) : null}
            </tr>
          ))}
        </tbody>
      ))}
    </DataTable>
  );
}

/** A chip that somebody measured leads to its page. */
function Name({ chip, slug }: { chip: Chip; slug: string | undefined }) {
  return (
    <th scope="rowgroup" rowSpan={chip.tiers.length}>
      {slug ? (
        <Link to="/chips/$slug" params={{ slug }}>
          {chip.chip}
        </Link>
      ) : (
        chip.chip
      )}
      <span className="under">
        {[`${count(chip.cores)} cores`, chip.binned ? "binned" : ""].filter(Boolean).join(", ")}
      </span>
      {chip.note ? <span className="under">{chip.note}</span> : null}
    </th>
  );
}

function Figure({ rows, children }: { rows?: number; children: ReactNode }) {
  return (
    <td rowSpan={rows} className="number">
      {children || <Absent />}
    </td>
  );
}

function Absent() {
  return <span className="quiet">–</span>;
}

/** One dagger for each article, so that each leads to its own. */
function Cited({ chip, sources }: { chip: Chip; sources: CitedArticle[] }) {
  return sources
    .filter(({ article }) => chip.sources.includes(article))
    .map(({ article, dagger }) => (
      <Dagger key={article} lane={{ dagger, articles: [article] }} sources={sources} />
    ));
}
