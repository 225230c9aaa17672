import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react";
import type { Timeline, TimelineLine } from "../../api/types";
import { TipFrame } from "../../figures/charts/TipFrame";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import { save } from "../../figures/charts/picture";
import type { Clause } from "../../links/clause";
import type { Words } from "../../figures/words";
import { Button } from "../../ui/Button";
import { DataTable } from "../../ui/DataTable";
import { counted, moment } from "../../ui/format";
import section from "../../ui/Section.module.css";
import { SortHead, type SortedBy, useSorted } from "../../ui/sorting";
import { useWidth } from "../../ui/useWidth";
import { lineOn, type ToldLine } from "./lines";
import styles from "./Machines.module.css";
import { PLOT_HEIGHT } from "./timeAxis";
import { timelineCsv } from "./timelineCsv";

const TimePlot = lazy(() => import("./TimePlot"));

interface Props {
  timeline: Timeline;
  /** "Write speed". */
  title: string;
  /** The machine's name. */
  name: string;
  /** Address of the same data as JSON. */
  address: string;
  /** Filters of the line to begin with. */
  where: Clause[];
  /** What the verdict rests on. */
  note?: string | undefined;
  words: Words;
  /** The choice of the metric. */
  children?: ReactNode;
}

/** A machine's results of one metric over time: one line, the choice of others, and its points. */
export function OverTime({ timeline, title, name, address, where, note, words, children }: Props) {
  const lines = useMemo(
    () =>
      timeline.lines.flatMap((line, index): ToldLine[] => {
        const lineWords = timeline.words[index];
        return lineWords ? [{ line, lineWords }] : [];
      }),
    [timeline],
  );
  const figure = useRef<HTMLElement>(null);
  const [key, setKey] = useState<string>();
  const shown = lines.find(({ line }) => keyOf(line) === key) ?? lineOn(lines, where);
  if (!shown) return children;
  const { line } = shown;
  const isDrawn = line.points.length > 1;
  return (
    <figure ref={figure} className={section.section} aria-labelledby="time">
      <div className={styles.toolbar}>
        <figcaption>
          <h2 id="time">
            {title}, <span className={styles.unit}>{shown.lineWords.axis.title}</span>
          </h2>
          <p className={section.note}>
            <bdi>{[name, ...targetOf(line, words)].join(" · ")}</bdi>
          </p>
        </figcaption>
        {children}
        {lines.length > 1 ? (
          <label className={`${section.choose} ${styles.chooser}`}>
            Measured on
            <select
              className="field"
              value={keyOf(line)}
              onChange={(event) => setKey(event.target.value)}
            >
              {lines.map((one) => (
                <option key={keyOf(one.line)} value={keyOf(one.line)}>
                  {one.lineWords.name}, {one.line.method} {one.line.method_version},{" "}
                  {counted(one.line.points.length, "run")}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      {isDrawn ? (
        <>
          <LinePlot shown={shown} words={words} />
          <ul className={styles.key}>
            <li>
              <svg aria-hidden="true">
                <circle cx="8" cy="6" r="3.5" fill="var(--accent)" />
              </svg>
              one run
            </li>
            {line.peers?.length ? (
              <li>
                <svg aria-hidden="true">
                  <rect className={styles.band} y="1" width="16" height="10" />
                </svg>
                p10 to p90 of others with this chip on the same macOS
              </li>
            ) : null}
          </ul>
        </>
      ) : null}
      {note ? <p className={section.note}>{note}</p> : null}
      <details className={styles.behind} open={!isDrawn}>
        <summary>
          <span className="act">
            {counted(line.points.length, "run")} as a table, and downloads
          </span>
        </summary>
        <div className={section.section}>
          <div className={styles.ways}>
            <Button
              asText
              onClick={() =>
                save(
                  new Blob([timelineCsv(timeline)], { type: "text/csv" }),
                  "macmeter-machine.csv",
                )
              }
            >
              Figures as CSV
            </Button>
            <a href={address} download="macmeter-machine.json">
              JSON
            </a>
            {isDrawn ? <PictureButtons figure={figure} name="macmeter-machine" /> : null}
          </div>
          <PointsTable lines={[shown]} words={words} />
        </div>
      </details>
    </figure>
  );
}

/** The storage that a line was measured on, if any. */
const targetOf = ({ configuration }: TimelineLine, words: Words) =>
  ["storage", "encryption"].flatMap((name) => {
    const value = configuration[name];
    return typeof value === "string" ? [words.value(name, value)] : [];
  });

interface PlotProps {
  shown: ToldLine;
  words: Words;
}

/** One line as a chart in the available width. */
function LinePlot({ shown: { line, lineWords }, words }: PlotProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const doubted = (flags: string[]) => flags.some((code) => words.flag(code).severity === "doubt");
  const room = <div style={{ height: PLOT_HEIGHT }} />;
  return (
    <div ref={ref} data-placed>
      {width > 0 ? (
        <TipFrame name={`Chart: ${line.title} over time, ${lineWords.name}, ${lineWords.changed}`}>
          <Suspense fallback={room}>
            <TimePlot line={line} lineWords={lineWords} width={width} doubted={doubted} />
          </Suspense>
        </TipFrame>
      ) : (
        room
      )}
    </div>
  );
}

function keyOf({ method, method_version, source, configuration }: TimelineLine): string {
  return JSON.stringify([source, method, method_version, configuration]);
}

interface TableProps {
  lines: ToldLine[];
  words: Words;
}

interface Row extends ToldLine {
  point: TimelineLine["points"][number];
  text: string;
  changed: string;
}

const COLUMNS: SortedBy<Row>[] = [
  { id: "run", of: ({ point }) => Date.parse(point.at) },
  { id: "on", of: ({ lineWords }) => lineWords.name },
  { id: "macos", of: ({ point }) => point.os_version },
  { id: "median", of: ({ point }) => point.value },
  { id: "samples", of: ({ point }) => point.samples },
];

/** Every point of every line, newest first within a line until the reader sorts them. */
function PointsTable({ lines, words }: TableProps) {
  const rows = useMemo(() => lines.flatMap(rowsOf), [lines]);
  const sorted = useSorted(rows, COLUMNS);
  return (
    <DataTable name="Results over time" long>
      <thead>
        <tr>
          <SortHead id="run" sorted={sorted} title="Run" />
          <SortHead id="on" sorted={sorted} title="Measured on" />
          <SortHead id="macos" sorted={sorted} title="macOS" />
          <SortHead
            id="median"
            sorted={sorted}
            className="number"
            title="Median"
            unit={lines[0]?.lineWords.axis.title}
          />
          <SortHead id="samples" sorted={sorted} className="number" title="Samples" />
          <th scope="col">Change</th>
          <th scope="col">Flags</th>
        </tr>
      </thead>
      <tbody>
        {sorted.rows.map(({ line, lineWords, point, text, changed }) => (
          <tr key={`${keyOf(line)} ${point.run_id}`}>
            <th scope="row" className={styles.when}>
              <Link to="/runs/$id" params={{ id: point.run_id }}>
                {line.source === "published" ? "published" : moment(point.at)}
              </Link>
            </th>
            <td className={styles.measured}>
              <bdi>{lineWords.name}</bdi>
            </td>
            <td>{point.os_version ?? "–"}</td>
            <td className="number chief">{text} </td>
            <td className="number">{point.samples}</td>
            <td>{changed}</td>
            <td className="flags">
              {point.flags.map((code) => (
                <span
                  key={code}
                  className={words.flag(code).severity === "doubt" ? "doubt" : undefined}
                >
                  {words.flag(code).sentence}
                </span>
              ))}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** A line's points, newest first, each with what changed there. */
function rowsOf({ line, lineWords }: ToldLine): Row[] {
  const rows = line.points.map((point, index): Row => {
    const change = line.changes.findIndex(({ run_id }) => run_id === point.run_id);
    const update = line.os_updates.find(({ run_id }) => run_id === point.run_id);
    const step = line.steps?.findIndex(({ run_id }) => run_id === point.run_id) ?? -1;
    const changed = [
      lineWords.changes[change]?.text ?? "",
      update ? `macOS ${update.before} to ${update.after}` : "",
      change < 0 ? (lineWords.steps?.[step]?.text ?? "") : "",
    ];
    const text = lineWords.points[index] ?? "";
    return { line, lineWords, point, text, changed: changed.filter(Boolean).join("; ") };
  });
  return rows.toReversed();
}
