import { Link } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import type { Timeline, TimelineLine } from "../../api/types";
import { counted, moment } from "../../ui/format";
import { save } from "../../figures/charts/picture";
import { useWidth } from "../../ui/useWidth";
import type { Words } from "../../figures/words";
import { TipFrame } from "../../figures/charts/TipFrame";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import type { ToldLine } from "./lines";
import { DataTable } from "../../ui/DataTable";
import { SortHead, type SortedBy, useSorted } from "../../ui/sorting";
import section from "../../ui/Section.module.css";
import styles from "./Machines.module.css";
import { spanOf } from "./timeAxis";
import { TimePlot } from "./TimePlot";
import { timelineCsv } from "./timelineCsv";

interface Props {
  timeline: Timeline;
  /** "Write speed, whole run over time". */
  title: string;
  /** The machine's name. */
  of: string;
  /** Address of the same data as JSON. */
  address: string;
  words: Words;
}

/** Maximum number of lines drawn; the rest are only in the table. */
const DRAWN = 8;

/** A machine's results of one metric over time: a plot for each line, and all their points. */
export function OverTime({ timeline, title, of, address, words }: Props) {
  const { more } = timeline;
  const lines = useMemo(
    () =>
      timeline.lines.flatMap((line, place): ToldLine[] => {
        const told = timeline.words[place];
        return told ? [{ line, told }] : [];
      }),
    [timeline],
  );
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const points = lines.flatMap(({ line }) => line.points);
  const span = spanOf(points.map(({ at }) => Date.parse(at)));
  const doubted = (flags: string[]) => flags.some((code) => words.flag(code).severity === "doubt");
  const drawn = lines.filter(({ line }) => line.points.length > 1).slice(0, DRAWN);
  return (
    <>
      <figure ref={figure} className={section.section} aria-labelledby="time">
        <figcaption>
          <h2 id="time">{title}</h2>
          <p className={section.note}>
            <bdi>{of}</bdi>
          </p>
        </figcaption>
        <div ref={ref} className={styles.lines} data-placed>
          {drawn.map(({ line, told }) => (
            <div key={keyOf(line)} className={section.section}>
              <div>
                <h3>
                  <bdi>{told.name}</bdi>
                </h3>
                <p className={section.note}>
                  {line.method} {line.method_version} · {counted(line.points.length, "run")} ·{" "}
                  {told.changed}
                </p>
              </div>
              {width > 0 ? (
                <TipFrame name={`Chart: ${line.title} over time, ${told.name}`}>
                  <TimePlot line={line} told={told} width={width} span={span} doubted={doubted} />
                </TipFrame>
              ) : (
                <div style={{ height: 208 }} />
              )}
            </div>
          ))}
          {drawn.length === 0 ? (
            <p className={section.note}>
              A chart needs two runs by the same method on the same target.
            </p>
          ) : null}
        </div>
      </figure>
      <div className={styles.ways}>
        <button
          type="button"
          className="button"
          onClick={() =>
            save(new Blob([timelineCsv(timeline)], { type: "text/csv" }), "macmeter-machine.csv")
          }
        >
          Figures as CSV
        </button>
        <a className="button" href={address} download="macmeter-machine.json">
          JSON
        </a>
        {drawn.length > 0 ? <PictureButtons figure={figure} name="macmeter-machine" /> : null}
      </div>
      <p className={section.note}>
        Each chart has the runs by one method on one target. Dashed lines mark macOS updates. Where
        the level changes, a coloured line marks the first run after it, and horizontal lines join
        the first and last run of each level at its median. At most 1 in 100 steady charts shows a
        change by chance; runs on one day count as one.{" "}
        {more > 0 ? `${counted(more, "more chart")} with fewer runs are left out.` : ""}
      </p>
      <PointsTable lines={lines} words={words} />
    </>
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
  { id: "on", of: ({ told }) => told.name },
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
            unit={lines[0]?.told.axis.title}
          />
          <SortHead id="samples" sorted={sorted} className="number" title="Samples" />
          <th scope="col">Change</th>
          <th scope="col">Flags</th>
        </tr>
      </thead>
      <tbody>
        {sorted.rows.map(({ line, told, point, text, changed }) => (
          <tr key={`${keyOf(line)} ${point.run_id}`}>
            <th scope="row" className={styles.when}>
              <Link to="/runs/$id" params={{ id: point.run_id }}>
                {line.source === "published" ? "published" : moment(point.at)}
              </Link>
            </th>
            <td className={styles.measured}>
              <bdi>{told.name}</bdi>
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
function rowsOf({ line, told }: ToldLine): Row[] {
  const rows = line.points.map((point, place): Row => {
    const change = line.changes.findIndex(({ run_id }) => run_id === point.run_id);
    const update = line.os_updates.find(({ run_id }) => run_id === point.run_id);
    const step = line.steps?.findIndex(({ run_id }) => run_id === point.run_id) ?? -1;
    const changed = [
      told.changes[change]?.text ?? "",
      update ? `macOS ${update.before} to ${update.after}` : "",
      change < 0 ? (told.steps?.[step] ?? "") : "",
    ];
    const text = told.points[place] ?? "";
    return { line, told, point, text, changed: changed.filter(Boolean).join("; ") };
  });
  return rows.toReversed();
}
