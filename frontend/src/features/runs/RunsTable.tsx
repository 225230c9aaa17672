import { Link } from "@tanstack/react-router";
import type { RunSummary } from "../../api/types";
import { inUnit, printedIn, quantity, type Scale, scaleFor } from "../../format";
import { caseLabel, type Words } from "../answer/words";
import { isMacOS, machineName, whenText } from "./runWords";
import { DataTable } from "../../ui/DataTable";
import styles from "./RunsTable.module.css";

interface Props {
  runs: RunSummary[];
  words: Words;
}

const WRITE = "disk.write_average";
const READ = "disk.read_average";

/** Runs one by one: where, what it gave, and reasons to be careful with it. */
export function RunsTable({ runs, words }: Props) {
  const averages = runs.flatMap((run) => run.averages);
  const speeds = averages.filter(({ metric }) => metric === WRITE || metric === READ);
  const scale = scaleFor(
    "B/s",
    speeds.map(({ median }) => median),
  );
  const others = averages.length > speeds.length;
  return (
    <DataTable name="Runs" className={styles.table}>
      <thead>
        <tr>
          <th scope="col">Run</th>
          <th scope="col">Machine</th>
          <th scope="col">Case</th>
          {speeds.length > 0 ? (
            <>
              <th scope="col" className="number">
                Write <span className="quiet">{scale.symbol}</span>
              </th>
              <th scope="col" className="number">
                Read <span className="quiet">{scale.symbol}</span>
              </th>
            </>
          ) : null}
          {others ? <th scope="col">Other figures</th> : null}
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
            {speeds.length > 0 ? (
              <>
                <td className="number chief">{average(run, WRITE, scale)}</td>
                <td className="number chief">{average(run, READ, scale)}</td>
              </>
            ) : null}
            {others ? <td>{otherFigures(run, words)}</td> : null}
            <td className="flags">
              {run.withdrawn ? <span className="doubt">was withdrawn</span> : null}
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

function average(run: RunSummary, metric: string, scale: Scale) {
  const found = run.averages.find((one) => one.metric === metric);
  if (!found) return <span className="quiet">–</span>;
  return found.printed ? `${printedIn(found.printed, scale.symbol)}†` : inUnit(found.median, scale);
}

function otherFigures(run: RunSummary, words: Words) {
  return run.averages
    .filter(({ metric }) => metric !== WRITE && metric !== READ)
    .map(({ metric, unit, median, printed }) => (
      <span key={metric} className={styles.other}>
        {words.metricTitle(metric)} {printed ? `${printed}†` : quantity(median, unit)}
      </span>
    ));
}
