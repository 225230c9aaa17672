import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode } from "react";
import type { Answer, Group } from "../api/types";
import type { CaseRow, Lane } from "./charts/rows";
import { count, type Scale } from "../ui/format";
import { Aligned, mostDecimals } from "../ui/Aligned";
import { bandOf, type Cases, type Measure } from "./cases";
import { Dagger, FlagLetters } from "./Footnotes";
import { type FlagNotes, flagsOf } from "./flags";
import { mixesText } from "./mixes";
import { medianText, rangeText, ratioRangeText, verdictText } from "./figures";
import { DataTable } from "../ui/DataTable";
import styles from "./AnswerTable.module.css";
import type { Sources } from "./sources";
import { runsLink } from "./runsLink";
import type { Words } from "./words";

interface Props {
  answer: Answer;
  cases: Cases;
  measure: Measure;
  words: Words;
  sources: Sources;
  flags: FlagNotes;
  caption: string;
}

interface Column {
  id: string;
  title: string;
  unit?: string;
  numeric: boolean;
  /** Its title is for screen readers only. */
  quiet?: boolean;
  /** Text that is aligned at its decimal point. */
  text?: (lane: Lane) => string;
  node?: (lane: Lane) => ReactNode;
}

const NONE = "–";
/** A table of more lines than this scrolls in a frame of its own. */
const LONG = 60;

/** Exactly the chart's figures, in the chart's order, and the counts behind each of them. */
export function AnswerTable({ answer, cases, measure, words, sources, flags, caption }: Props) {
  const all = cases.rows.flatMap((row) => row.lanes);
  const columns = columnsOf(measure, cases.scale, words, sources, flags, answer).filter(
    (column) => column.id === "value" || all.some((lane) => shown(column, lane)),
  );
  const named = all.some((lane) => lane.name !== "");
  const width = columns.length + (named ? 2 : 1);
  const pads = new Map(
    columns.map(({ id, text }) => [id, text ? mostDecimals(all.map((lane) => text(lane))) : 0]),
  );
  return (
    <DataTable name={caption} className={styles.table} long={all.length > LONG}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Case</th>
          {named ? <th scope="col">Metric</th> : null}
          {columns.map((column) => (
            <th key={column.id} scope="col" className={column.numeric ? "number" : undefined}>
              {column.quiet ? (
                <span className="visually-hidden">{column.title}</span>
              ) : (
                column.title
              )}
              {column.unit ? <span className="under">{column.unit}</span> : null}
            </th>
          ))}
        </tr>
      </thead>
      {sections(cases.rows).map(({ heading, rows }) => (
        <tbody key={rows[0]?.id}>
          {heading ? (
            <tr className={styles.section}>
              <th colSpan={width} scope="rowgroup">
                {rows[0]?.swatch ? (
                  <span className={styles.swatch} style={{ background: rows[0]?.colour }} />
                ) : null}
                <bdi>{heading}</bdi>
              </th>
            </tr>
          ) : null}
          {rows.map((row) => (
            <Fragment key={row.id}>
              {row.lanes.map((lane, place) => (
                <tr
                  key={lane.id}
                  data-lane={lane.id}
                  className={place === 0 ? styles.first : undefined}
                >
                  {place === 0 ? (
                    <th scope="row" rowSpan={row.lanes.length} className={styles.case}>
                      <bdi>{row.label}</bdi>
                    </th>
                  ) : null}
                  {named ? <td className={styles.metric}>{lane.name}</td> : null}
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      data-column={column.id}
                      className={column.numeric ? "number" : undefined}
                    >
                      {cell(column, lane, pads.get(column.id) ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      ))}
    </DataTable>
  );
}

/** Rows under their headings. */
function sections(rows: CaseRow[]): { heading: string; rows: CaseRow[] }[] {
  const result: { heading: string; rows: CaseRow[] }[] = [];
  for (const row of rows) {
    const last = result.at(-1);
    if (row.heading !== "" || !last) result.push({ heading: row.heading, rows: [row] });
    else last.rows.push(row);
  }
  return result;
}

function shown(column: Column, lane: Lane): boolean {
  if (column.text) return column.text(lane) !== "";
  return Boolean(column.node?.(lane));
}

function cell(column: Column, lane: Lane, most: number): ReactNode {
  if (column.node) return column.node(lane) ?? null;
  const text = column.text?.(lane) ?? "";
  if (text === "") return <span className="quiet">{NONE}</span>;
  return (
    <>
      <Aligned text={text} decimals={most} />
      {column.id === "value" && lane.of ? <span className="under">{lane.of}</span> : null}
    </>
  );
}

/** Reads from a lane's group; printed ratios and ranges have none. */
const ofGroup = (read: (group: Group) => string) => (lane: Lane) =>
  lane.group ? read(lane.group) : "";

function columnsOf(
  measure: Measure,
  scale: Scale,
  words: Words,
  sources: Sources,
  flags: FlagNotes,
  answer: Answer,
): Column[] {
  const value: Column = {
    id: "value",
    title: measure === "ratio" ? "Ratio" : "Median",
    unit: measure === "ratio" ? "%" : scale.symbol,
    numeric: true,
    text: (lane) => lane.text,
  };
  const cited: Column = {
    id: "cited",
    title: "Source",
    quiet: true,
    numeric: false,
    node: (lane) =>
      lane.dagger ? (
        <Dagger
          text={lane.dagger}
          articles={(lane.group?.citations ?? (lane.figure ? [lane.figure.citation] : [])).map(
            (citation) => citation.article,
          )}
          sources={sources}
        />
      ) : null,
  };
  const mixes: Column = {
    id: "mixes",
    title: "Mixes",
    numeric: false,
    node: ({ group }) => {
      const mixed = group ? mixesText(words, [group]).replace(/^Mixes /, "") : "";
      return mixed ? <strong>{mixed}</strong> : null;
    },
  };
  const counts: Column[] = [
    {
      id: "machines",
      title: "Machines",
      numeric: true,
      text: ofGroup((group) => (group.machines > 0 ? count(group.machines) : "")),
    },
    {
      id: "runs",
      title: "Runs",
      numeric: true,
      node: (lane) => {
        if (lane.figure) {
          return (
            <Link to="/runs/$id" params={{ id: lane.figure.run_id }}>
              1
            </Link>
          );
        }
        if (!lane.group) return null;
        const only = lane.group.runs === 1 ? lane.group.run_ids?.[0] : undefined;
        return only ? (
          <Link to="/runs/$id" params={{ id: only }}>
            1
          </Link>
        ) : (
          <Link to="/runs" search={runsLink(answer, lane.group, words)}>
            {count(lane.group.runs)}
          </Link>
        );
      },
    },
    {
      id: "samples",
      title: "Samples",
      numeric: true,
      text: ofGroup((group) => count(group.samples)),
    },
    {
      id: "flags",
      title: "Flags",
      numeric: false,
      node: (lane) => (
        <FlagLetters
          counts={lane.group?.flags ?? (lane.figure ? flagsOf(lane.figure, words) : [])}
          notes={flags}
        />
      ),
    },
    {
      id: "method",
      title: "Method",
      numeric: false,
      node: ({ group, figure }) => {
        if (!group) return figure ? <span className="quiet">as printed</span> : null;
        return (
          <bdi className={group.published ? "quiet" : undefined}>
            {`${group.method}\u00a0${group.method_version}`}
          </bdi>
        );
      },
    },
  ];
  if (measure === "ratio") {
    return [
      value,
      cited,
      mixes,
      {
        id: "interval",
        title: "95 % interval",
        unit: "%",
        numeric: true,
        text: (lane) => ratioRangeText(lane.interval?.[0], lane.interval?.[1]),
      },
      { id: "pairing", title: "Pairing", numeric: false, text: (lane) => lane.weight },
      {
        id: "verdict",
        title: "Verdict",
        numeric: false,
        text: ({ group }) => (group?.ratio ? verdictText(group.ratio) : ""),
      },
      {
        id: "median",
        title: "Median",
        unit: scale.symbol,
        numeric: true,
        text: ofGroup((group) => medianText(group, answer.results[0]?.unit ?? "", scale)),
      },
      ...counts,
    ];
  }
  return [
    value,
    cited,
    mixes,
    {
      id: "spread",
      title: "Spread of samples",
      unit: "p10–p90",
      numeric: true,
      // Not the lane's: where the chart draws a standard deviation it has no band.
      text: (lane) => {
        const band = lane.group ? bandOf(lane.group) : lane.band;
        return rangeText(band?.[0], band?.[1], scale);
      },
    },
    {
      id: "between",
      title: "Spread of machines",
      unit: "p10–p90",
      numeric: true,
      text: ofGroup((group) => (group.machines > 1 ? rangeText(group.p10, group.p90, scale) : "")),
    },
    {
      id: "interval",
      title: "95 % interval",
      unit: scale.symbol,
      numeric: true,
      node: ({ interval, within }) =>
        interval ? (
          <>
            {rangeText(...interval, scale)}
            {within ? <small className="quiet"> within this machine</small> : null}
          </>
        ) : null,
    },
    ...counts,
  ];
}
