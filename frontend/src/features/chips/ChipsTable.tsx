import { Link } from "@tanstack/react-router";
import { Fragment, useMemo } from "react";
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
  /** Chips that have a page, by name. */
  measured?: ReadonlyMap<string, { slug: string; machines: number }>;
}

/** Sort keys: a chip's generation, its total cores, its fastest tier's frequencies. */
const sortedBy = (measured: Props["measured"]): SortedBy<Chip>[] => [
  { id: "macs", of: ({ chip }) => measured?.get(chip)?.machines ?? 0 },
  { id: "chip", of: ({ chip }) => chip },
  { id: "cores", of: ({ cores }) => cores },
  { id: "lowest", of: ({ tiers }) => tiers[0]?.min_frequency },
  { id: "highest", of: ({ tiers }) => tiers[0]?.max_frequency },
  { id: "sum", of: ({ cycles }) => cycles },
  { id: "gpu", of: ({ gpu_cores }) => gpu_cores },
  { id: "memory", of: ({ memory_max_bytes }) => memory_max_bytes },
];

/** Columns about the whole chip, where any article states them. */
const OF_CHIP: {
  id: string;
  title: string;
  unit?: string;
  text: (chip: Chip) => string;
}[] = [
  {
    id: "sum",
    title: "Cores × max GHz",
    unit: "GHz",
    text: ({ cycles }) => (cycles === null ? "" : fixed(cycles / 1e9, 1)),
  },
  {
    id: "gpu",
    title: "GPU cores",
    text: ({ gpu_cores: cores }) => (cores === null ? "" : count(cores)),
  },
  {
    id: "memory",
    title: "Max memory",
    unit: "GiB",
    text: ({ memory_max_bytes: bytes }) => (bytes === null ? "" : count(bytes / 2 ** 30)),
  },
];

type Tier = Chip["tiers"][number];

const OF_TIER: { id: string; title: string; unit?: string; text: (tier: Tier) => string }[] = [
  { id: "clusters", title: "Clusters", text: ({ clusters }) => clustersText(clusters) },
  {
    id: "lowest",
    title: "Lowest",
    unit: "MHz",
    text: ({ min_frequency: lowest }) => megahertz(lowest),
  },
  {
    id: "highest",
    title: "Highest",
    unit: "MHz",
    text: ({ max_frequency: highest }) => megahertz(highest),
  },
];

/** One body per chip, one row per tier, fastest first; empty columns are omitted. */
export function ChipsTable({ chips, words, sources, measured }: Props) {
  const columns = useMemo(() => sortedBy(measured), [measured]);
  const sorted = useSorted(chips, columns);
  const tiers = chips.flatMap((chip) => chip.tiers);
  const tierColumns = OF_TIER.filter(({ text }) => tiers.some(text));
  const chipColumns = OF_CHIP.filter(({ text }) => chips.some(text));
  const linked = chips.some((chip) => linksText(chip, words));
  return (
    <DataTable name="Chips" className={`${styles.table} ${styles.tiers}`}>
      <thead>
        <tr>
          <SortHead id="chip" sorted={sorted} title="Chip" />
          {measured ? <SortHead id="macs" sorted={sorted} className="number" title="Macs" /> : null}
          <th scope="col">Tier</th>
          <SortHead id="cores" sorted={sorted} className="number" title="Cores" />
          {[...tierColumns, ...chipColumns].map(({ id, title, unit }) =>
            id === "clusters" ? (
              <th key={id} scope="col" className="number">
                {title}
              </th>
            ) : (
              <SortHead
                key={id}
                id={id}
                sorted={sorted}
                className="number"
                title={title}
                unit={unit}
              />
            ),
          )}
          {linked ? <th scope="col">Links</th> : null}
          <th scope="col">
            <span className="visually-hidden">Source</span>
          </th>
        </tr>
      </thead>
      {sorted.rows.map((chip) => (
        <tbody key={`${chip.chip} ${chip.cores} ${chip.binned}`}>
          {chip.tiers.map((tier, index) => (
            <tr key={tier.name} data-chip={chip.chip}>
              {index === 0 ? (
                <Fragment>
                  <Name chip={chip} slug={measured?.get(chip.chip)?.slug} />
                  {measured ? (
                    <td rowSpan={chip.tiers.length} className="number">
                      <Macs chip={chip.chip} machines={measured.get(chip.chip)?.machines ?? 0} />
                      {chips.filter((other) => other.chip === chip.chip).length > 1 ? (
                        <span className="under">together</span>
                      ) : null}
                    </td>
                  ) : null}
                </Fragment>
              ) : null}
              <td>{tier.name}</td>
              <td className="number">{count(tier.cores)}</td>
              {tierColumns.map(({ id, text }) => (
                <td key={id} className="number">
                  {text(tier)}
                </td>
              ))}
              {index === 0 ? (
                <Fragment>
                  {chipColumns.map(({ id, text }) => (
                    <td key={id} rowSpan={chip.tiers.length} className="number">
                      {text(chip)}
                    </td>
                  ))}
                  {linked ? (
                    <td rowSpan={chip.tiers.length} className={styles.links}>
                      {linksText(chip, words)}
                    </td>
                  ) : null}
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

/** The chip's name, linked to its page if it has results. */
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

function Macs({ chip, machines }: { chip: string; machines: number }) {
  if (machines === 0) return "0";
  return (
    <Link to="/machines" search={{ where: [`chip:${chip}`] }}>
      {count(machines)}
    </Link>
  );
}

/** One dagger per article, each linked to its own. */
function Cited({ chip, sources }: { chip: Chip; sources: CitedArticle[] }) {
  return sources
    .filter(({ article }) => chip.sources.includes(article))
    .map(({ article, dagger }) => (
      <Dagger key={article} lane={{ dagger, articles: [article] }} sources={sources} />
    ));
}
