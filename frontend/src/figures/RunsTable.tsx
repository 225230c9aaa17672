import { Link } from "@tanstack/react-router";
import type { ChiefFigure, RunSummary } from "../api/types";
import { inUnit, printedIn, quantity, scaleFor, withUnit } from "../ui/format";
import { caseLabel, uncapitalised, type Words } from "./words";
import { isMacOS, machineName, whenText } from "./runWords";
import { DataTable } from "../ui/DataTable";
import styles from "./RunsTable.module.css";

interface Props {
  runs: RunSummary[];
  words: Words;
}

/** Runs one by one: where, what it gave, and reasons to be careful with it. */
export function RunsTable({ runs, words }: Props) {
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
              <bdi>{machineName(run.machine)}</bdi>
              {run.machine.chip ? (
                <span className="under">
                  <bdi>{run.machine.chip}</bdi>
                </span>
              ) : null}
            </td>
            <td>
              <bdi>{caseText(run, words)}</bdi>
              <bdi className="under">
                {[run.virtual ? "in a VM" : "", systemText(run.os_version)]
                  .filter(Boolean)
                  .join(", ")}
              </bdi>
            </td>
            <td>
              {run.chief.map((figure) => (
                <span key={figure.metric} className={styles.figure}>
                  <b>{figureText(figure)}</b> {uncapitalised(words.metricTitle(figure.metric))}
                  {figure.ratio ? ", a ratio" : ""}
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

function systemText(version: string | null): string {
  if (!version) return "";
  return isMacOS(version) ? `macOS ${version}` : version;
}

function caseText(run: RunSummary, words: Words): string {
  if (run.storage === null && run.encryption === null) return words.value("suite", run.suite);
  return caseLabel(words, ["storage", "encryption", "image_format"], {
    storage: run.storage,
    encryption: run.encryption,
    image_format: run.image_format,
  });
}

/** From the lowest of its results to the highest; what an article prints, as it does. */
function figureText({ low, high, unit, printed }: ChiefFigure): string {
  if (printed !== null) return `${printedIn(printed, "")}†`;
  if (low === null || high === null) return "–";
  if (low === high) return quantity(high, unit);
  const scale = scaleFor(unit, [high]);
  return withUnit(`${inUnit(low, scale)}–${inUnit(high, scale)}`, scale.symbol);
}
