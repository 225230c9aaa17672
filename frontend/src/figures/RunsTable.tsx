import { Link } from "@tanstack/react-router";
import type { ListedRun } from "../api/types";
import { day, moment } from "../ui/format";
import { DataTable } from "../ui/DataTable";
import styles from "./RunsTable.module.css";

/** Runs one by one: where, what it gave, and reasons to be careful with it. */
export function RunsTable({ runs }: { runs: ListedRun[] }) {
  return (
    <DataTable name="Runs" className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Machine</th>
          <th scope="col">Case</th>
          <th scope="col">Figures</th>
          <th scope="col">Flags</th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <tr key={run.id}>
            <th scope="row">
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
              <bdi>{run.words.case}</bdi>
              <bdi className="under">{run.words.around}</bdi>
            </td>
            <td>
              {run.words.figures.map(({ text, of }) => (
                <span key={of} className={styles.figure}>
                  <b>{text}</b> {of}
                </span>
              ))}
            </td>
            <td className="flags">
              {run.withdrawn ? <span className="doubt">withdrawn</span> : null}
              {run.flags.map((flag) => (
                <span key={flag.code} className={flag.severity === "doubt" ? "doubt" : undefined}>
                  {flag.sentence}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** When it ran, in the reader's own time zone; a published one when its article appeared. */
function whenText(run: ListedRun): string {
  if (run.source === "published") {
    return run.citation?.published ? day(run.citation.published) : "Undated article";
  }
  return moment(run.started_at ?? run.received_at);
}
