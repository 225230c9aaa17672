import { useQuery } from "@tanstack/react-query";
import { changesQuery } from "../../api/comparisons";
import type { Changes } from "../../api/types";
import { RatioChart, type RatioPart } from "../../figures/sides/RatioChart";
import { FIGURE_HEIGHT } from "../../figures/heights";
import { DataTable } from "../../ui/DataTable";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Skeleton } from "../../ui/Skeleton";
import styles from "./SideBySide.module.css";

interface Props {
  slug: string;
  /** The owner's secret, which also opens a paused comparison. */
  secret: string | undefined;
}

/** Each figure as frozen and as it is today. */
export function SideBySide({ slug, secret }: Props) {
  const changes = useQuery(changesQuery(slug, secret));
  if (changes.error) return <ProblemNotice error={changes.error} />;
  if (!changes.data) return <Skeleton height={FIGURE_HEIGHT} lines={18} />;
  return <Both changes={changes.data} />;
}

function Both({ changes: { axis, parts } }: { changes: Changes }) {
  const drawn = parts.map(
    ({ title, mark, rows }): RatioPart => ({
      title,
      rows: rows.map(({ id, label, ratio, text, hollow }) => ({
        id,
        label,
        ratio: ratio ?? undefined,
        text,
        mark,
        hollow,
      })),
    }),
  );
  return (
    <section className={styles.both} aria-labelledby="both">
      <h2 id="both">Frozen and live, side by side</h2>
      <RatioChart
        axis={axis}
        parts={drawn}
        name="live figures relative to frozen ones"
        reference="the frozen figure; right of it, the live one is larger"
      />
      <DataTable name="Frozen and live figures" className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col" className="number">
              Frozen
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Live
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Change
            </th>
          </tr>
        </thead>
        {parts.map((part) => (
          <Part key={part.title} part={part} />
        ))}
      </DataTable>
    </section>
  );
}

function Part({ part: { title, rows } }: { part: Changes["parts"][number] }) {
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={6} className={styles.metric}>
          <bdi>{title}</bdi>
        </th>
      </tr>
      {rows.map((row) => (
        <tr key={row.id}>
          <th scope="row">
            <bdi>{row.label}</bdi>
          </th>
          <td className="number">{row.frozen?.text ?? "–"}</td>
          <td>{row.frozen?.based_on ?? "–"}</td>
          <td className="number">{row.live?.text ?? "–"}</td>
          <td>{row.live?.based_on ?? "–"}</td>
          <td className="number">{row.text}</td>
        </tr>
      ))}
    </tbody>
  );
}
