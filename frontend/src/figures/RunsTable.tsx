import { Link } from "@tanstack/react-router";
import { memo } from "react";
import type { ListedRun } from "../api/types";
import { Breakable } from "../ui/Breakable";
import { day, moment } from "../ui/format";
import { DataTable } from "../ui/DataTable";
import { SortHead, type SortedBy, useSorted } from "../ui/sorting";
import styles from "./RunsTable.module.css";

/** Figures of different metrics can't be sorted. */
const COLUMNS: (SortedBy<ListedRun> & { title: string })[] = [
  { id: "run", title: "Run", of: timeOf },
  {
    id: "machine",
    title: "Mac",
    of: ({ words, machine }) => `${words.machine} ${machine.chip}`,
  },
  { id: "case", title: "Case", of: ({ words }) => `${words.case} ${words.around}` },
  { id: "figures", title: "Figures", of: () => undefined },
  { id: "flags", title: "Flags", of: ({ flags, withdrawn }) => flags.length + Number(withdrawn) },
  { id: "received", title: "Received", of: ({ received_at: at }) => Date.parse(at) },
];

/** Runs one by one: where, results, and reasons for caution. */
export const RunsTable = memo(function RunsTable({ runs }: { runs: ListedRun[] }) {
  const sorted = useSorted(runs, COLUMNS);
  return (
    <DataTable name="Runs" className={styles.table}>
      <thead>
        <tr>
          {COLUMNS.map(({ id, title }) =>
            id === "figures" ? (
              <th key={id} scope="col">
                {title}
              </th>
            ) : (
              <SortHead key={id} id={id} sorted={sorted} title={title} />
            ),
          )}
        </tr>
      </thead>
      <tbody>
        {sorted.rows.map((run) => (
          <tr key={run.id}>
            <th scope="row" className={styles.when}>
              <Link to="/runs/$id" params={{ id: run.id }}>
                {whenText(run)}
              </Link>
              <span className="under">
                {run.source === "published" ? (
                  <bdi>published, {run.citation?.row}</bdi>
                ) : (
                  <bdi>
                    {run.method} {run.method_version}
                  </bdi>
                )}
              </span>
            </th>
            <td>
              <bdi>{run.words.machine}</bdi>
              {run.machine.chip ? (
                <span className="under">
                  <bdi>{run.machine.chip}</bdi>
                </span>
              ) : null}
            </td>
            <td>
              <bdi>
                <Breakable text={run.words.case} />
              </bdi>
              <bdi className="under">{run.words.around}</bdi>
            </td>
            <td>
              {run.words.figures.map(({ text, of }) => (
                <span key={of} className={styles.figure}>
                  <b>{text}</b> {of}
                </span>
              ))}
            </td>
            <td className={`flags ${styles.flags}`}>
              {run.withdrawn ? <span className="doubt">withdrawn</span> : null}
              {run.flags.map((flag) => (
                <span key={flag.code} className={flag.severity === "doubt" ? "doubt" : undefined}>
                  {flag.sentence}
                </span>
              ))}
            </td>
            <td className={styles.when}>{moment(run.received_at)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
});

function timeOf({ source, citation, started_at, received_at }: ListedRun): number | undefined {
  const time = source === "published" ? citation?.published : (started_at ?? received_at);
  return time ? Date.parse(time) : undefined;
}

/** When it ran, in the reader's time zone; for a published one, when its article appeared. */
function whenText(run: ListedRun): string {
  if (run.source === "published") {
    return run.citation?.published ? day(run.citation.published) : "Undated article";
  }
  return moment(run.started_at ?? run.received_at);
}
