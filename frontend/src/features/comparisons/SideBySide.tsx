import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { changesQuery } from "../../api/comparisons";
import type { Case, Changes } from "../../api/types";
import { casesHeight } from "../../figures/charts/caseLayout";
import { TipFrame } from "../../figures/charts/TipFrame";
import { FIGURE_HEIGHT } from "../../figures/heights";
import { DataTable, Heads } from "../../ui/DataTable";
import { ProblemNotice } from "../../ui/ProblemNotice";
import { Skeleton } from "../../ui/Skeleton";
import { useWidth } from "../../ui/useWidth";
import styles from "./SideBySide.module.css";

const CasesChart = lazy(() => import("../../figures/charts/CasesChart"));

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
  const [ref, width] = useWidth<HTMLDivElement>();
  const cases = parts.flatMap(({ title, mark, rows }) =>
    rows.map(
      ({ id, label, ratio, text, hollow }, index): Case => ({
        heading: index === 0 ? title : "",
        label,
        lanes: [{ id, mark, text, hollow, value: ratio ?? null }],
      }),
    ),
  );
  return (
    <section className={styles.both} aria-labelledby="both">
      <h2 id="both">Frozen and live, side by side</h2>
      <p className="quiet">0 % is the frozen figure; right of it, the live one is larger.</p>
      <div ref={ref} style={{ minHeight: casesHeight(cases, width) }}>
        {width === 0 ? null : (
          <Suspense>
            <TipFrame name="Chart: live figures relative to frozen ones. They are in the table.">
              <CasesChart cases={cases} axis={axis} width={width} tip={({ label }) => label} />
            </TipFrame>
          </Suspense>
        )}
      </div>
      <DataTable name="Frozen and live figures" className={styles.table}>
        <Heads
          titles={[
            "Case",
            { number: "Frozen" },
            "n frozen",
            { number: "Live" },
            "n live",
            { number: "Change" },
          ]}
        />
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
