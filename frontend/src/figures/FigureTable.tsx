import { memo, type ReactNode, useMemo, useState } from "react";
import type { Case, Chart, Column, Figure, Lane } from "../api/types";
import { Aligned, mostDecimals } from "../ui/Aligned";
import { Breakable } from "../ui/Breakable";
import { Button } from "../ui/Button";
import { DataTable } from "../ui/DataTable";
import { counted } from "../ui/format";
import { numberIn, SortHead, type SortedBy, useSorted } from "../ui/sorting";
import { useGradually } from "../ui/useGradually";
import { colourOf } from "./charts/colours";
import { RunsLink } from "./charts/MarkLink";
import styles from "./FigureTable.module.css";
import { Dagger, FlagLetters } from "./Footnotes";
import { ranksOf, wholeName } from "./ranking";

interface Props {
  chart: Chart;
  /** The figure with the flags and sources that letters and daggers link to. */
  figure: Figure;
  caption: string;
}

const NO_VALUE = "–";
/** Number of rows above which the table scrolls in its own frame and renders the rest later. */
const LONG_TABLE = 60;

/** A row of the table, under its case's heading. */
interface Line {
  row: Case;
  lane: Lane;
  heading: Case;
  /** Its position in the chart's order. */
  position: number;
}

/** A chart's figures as a table, in the chart's order, with what each is based on. */
export default memo(function FigureTable({ chart, figure, caption }: Props) {
  const { cases = [], rows = false } = chart;
  const [open, setOpen] = useState(false);
  const foldedCount = cases.filter(({ undrawn, heading }) => undrawn && heading).length;
  const shownCases = useMemo(
    () => (open ? cases : cases.filter(({ undrawn }) => !undrawn)),
    [open, cases],
  );
  const lines = useMemo(() => linesOf(shownCases), [shownCases]);
  const { columns, shared } = useMemo(() => columnsOf(chart), [chart]);
  const sorted = useSorted(
    lines,
    useMemo(() => sortColumns(columns), [columns]),
  );
  const { rows: rendered, growing } = useGradually(sorted.rows, LONG_TABLE);
  const lanes = lines.map(({ lane }) => lane);
  const ranks = sorted.sort?.id === "value" && !rows ? ranksOf(sorted.rows) : undefined;
  const hasNames = lanes.some(({ name }) => name);
  const width = columns.length + (hasNames ? 2 : 1);
  const decimals = new Map(
    columns.map(({ id, numeric }) => [
      id,
      numeric ? mostDecimals(lanes.map((lane) => textOf(id, lane))) : 0,
    ]),
  );
  const cell = (column: Column, row: Case, lane: Lane): ReactNode => {
    const text = textOf(column.id, lane);
    switch (column.id) {
      case "cited":
        return lane.dagger ? <Dagger lane={lane} sources={figure.sources ?? []} /> : null;
      case "flags":
        return lane.flags ? <FlagLetters lane={lane} notes={figure.flags ?? []} /> : null;
      case "mixes":
        return text ? <strong>{text}</strong> : null;
      case "runs":
        return text ? (
          <RunsLink row={row} lane={lane}>
            {text}
          </RunsLink>
        ) : null;
      default:
        return <CellText column={column} lane={lane} decimals={decimals.get(column.id) ?? 0} />;
    }
  };
  return (
    <>
      {shared.length > 0 ? <p className="quiet">Same for every row: {shared.join(", ")}.</p> : null}
      <DataTable
        name={caption}
        className={styles.table}
        long={lanes.length > LONG_TABLE}
        growing={growing}
      >
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <SortHead id="case" sorted={sorted} title={rows ? "Side" : "Case"} />
            {hasNames ? <SortHead id="metric" sorted={sorted} title="Metric" /> : null}
            {columns.map(({ id, title, unit, numeric }) => (
              <SortHead
                key={id}
                id={id}
                sorted={sorted}
                className={numeric ? "number" : undefined}
                title={id === "cited" ? <span className="visually-hidden">{title}</span> : title}
                unit={unit}
              />
            ))}
          </tr>
        </thead>
        {sections(rendered, rows, sorted.sort !== undefined).map((section) => (
          <tbody key={section[0]?.lane.id}>
            {sorted.sort && !rows ? null : <Heading of={section[0]?.heading} width={width} />}
            {section.map(({ row, lane, heading }, index) => {
              // When sorted, a case's rows may be apart.
              const startsCase = sorted.sort !== undefined || section[index - 1]?.row !== row;
              return (
                <tr
                  key={lane.id}
                  data-lane={lane.id}
                  data-metric={lane.metric}
                  data-method={lane.method}
                  data-published={lane.hollow ?? false}
                  data-key={JSON.stringify(row.key ?? {})}
                  className={startsCase ? styles.first : undefined}
                >
                  {startsCase ? (
                    <th
                      scope="row"
                      rowSpan={sorted.sort ? 1 : row.lanes.length}
                      className={styles.case}
                    >
                      {ranks ? <span className={styles.rank}>{ranks.get(lane)}</span> : null}
                      <bdi>
                        <Breakable
                          text={sorted.sort && !rows ? wholeName(heading, row) : row.label}
                        />
                      </bdi>
                    </th>
                  ) : null}
                  {hasNames ? <td className={styles.metric}>{lane.name}</td> : null}
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      data-column={column.id}
                      className={column.numeric ? "number" : undefined}
                    >
                      {cell(column, row, lane)}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        ))}
        {foldedCount > 0 ? (
          <tbody>
            <tr>
              <td colSpan={width}>
                <Button asText aria-expanded={open} onClick={() => setOpen(!open)}>
                  {open ? "Fold" : "Show"} {counted(foldedCount, "figure")} without a result to
                  compare with
                </Button>
              </td>
            </tr>
          </tbody>
        ) : null}
      </DataTable>
    </>
  );
});

/** Columns that the table leaves out: the chart's tips and every export have them. */
const SHOWN_ELSEWHERE = new Set(["samples", "spread"]);

/** The columns in which rows differ, and the texts that are the same in all rows. */
function columnsOf({ cases = [], columns = [] }: Chart): { columns: Column[]; shared: string[] } {
  const measured = cases.flatMap(({ lanes }) => lanes).filter(({ hollow }) => !hollow);
  const textById = new Map<string, string>();
  for (const { id, title, numeric } of columns) {
    const texts = new Set(measured.map((lane) => textOf(id, lane)));
    const [only] = texts;
    if (!numeric && only && texts.size === 1 && measured.length > 1) {
      textById.set(id, `${title.toLowerCase()} ${only}`);
    }
  }
  return {
    columns: columns.filter(({ id }) => !SHOWN_ELSEWHERE.has(id) && !textById.has(id)),
    shared: [...textById.values()],
  };
}

function textOf(id: string, lane: Lane): string {
  return id === "value" ? lane.text : (lane.cells?.[id] ?? "");
}

function linesOf(cases: readonly Case[]): Line[] {
  const lines: Line[] = [];
  let heading: Case | undefined;
  for (const row of cases) {
    if (row.heading || !heading) heading = row;
    for (const lane of row.lanes) lines.push({ row, lane, heading, position: lines.length });
  }
  return lines;
}

function sortColumns(columns: readonly Column[]): SortedBy<Line>[] {
  return [
    { id: "case", of: ({ position }) => position },
    { id: "metric", of: ({ lane }) => lane.name },
    ...columns.map(({ id, numeric }) => ({
      id,
      of: ({ lane }: Line) => {
        if (id === "value" && lane.value !== undefined) return lane.value;
        if (id === "cited") return lane.dagger;
        if (id === "flags") return lane.flags?.join("");
        const text = textOf(id, lane);
        return numeric ? numberIn(text) : text || undefined;
      },
    })),
  ];
}

/**
 * Rows under their headings. When sorted, sides keep theirs, because each heading is a separate
 * metric; everything else becomes one list.
 */
function sections(lines: readonly Line[], rows: boolean, sorted: boolean): Line[][] {
  if (sorted && !rows) return [[...lines]];
  const linesByHeading = new Map<Case, Line[]>();
  for (const line of lines) {
    const section = linesByHeading.get(line.heading);
    if (section) section.push(line);
    else linesByHeading.set(line.heading, [line]);
  }
  return [...linesByHeading.values()].toSorted((a, b) => firstPosition(a) - firstPosition(b));
}

const firstPosition = (lines: Line[]) => Math.min(...lines.map(({ position }) => position));

function Heading({ of, width }: { of: Case | undefined; width: number }) {
  if (!of?.heading) return null;
  return (
    <tr className={styles.section}>
      <th colSpan={width} scope="rowgroup">
        {of.swatch ? <span className={styles.swatch} style={{ background: colourOf(of) }} /> : null}
        <bdi>{of.heading}</bdi>
      </th>
    </tr>
  );
}

function CellText({ column, lane, decimals }: { column: Column; lane: Lane; decimals: number }) {
  const text = textOf(column.id, lane);
  if (text === "") return <span className="quiet">{NO_VALUE}</span>;
  return (
    <>
      {column.numeric ? <Aligned text={text} decimals={decimals} /> : <bdi>{text}</bdi>}
      {column.id === "value" && lane.of ? <span className="under">{lane.of}</span> : null}
    </>
  );
}
