import { Fragment, type ReactNode, useState } from "react";
import type { Case, Chart, Column, Figure, Lane } from "../api/types";
import { Aligned, mostDecimals } from "../ui/Aligned";
import { DataTable } from "../ui/DataTable";
import { counted } from "../ui/format";
import { colourOf } from "./charts/colours";
import { RunsLink } from "./charts/MarkLink";
import styles from "./FigureTable.module.css";
import { Dagger, FlagLetters } from "./Footnotes";

interface Props {
  chart: Chart;
  /** Whose flags and sources its letters and daggers lead to. */
  figure: Figure;
  caption: string;
}

const NONE = "–";
/** A table of more lines than this scrolls in a frame of its own. */
const LONG = 60;

/** Exactly the chart's figures, in the chart's order, and what each of them is based on. */
export function FigureTable({ chart, figure, caption }: Props) {
  const { cases = [], columns = [], rows = false } = chart;
  const [open, setOpen] = useState(false);
  const folded = cases.filter(({ undrawn, heading }) => undrawn && heading).length;
  const shown = open ? cases : cases.filter(({ undrawn }) => !undrawn);
  const all = shown.flatMap(({ lanes }) => lanes);
  const named = all.some(({ name }) => name);
  const width = columns.length + (named ? 2 : 1);
  const pads = new Map(
    columns.map(({ id, numeric }) => [
      id,
      numeric ? mostDecimals(all.map((lane) => textOf(id, lane))) : 0,
    ]),
  );
  const cell = (column: Column, of: Case, lane: Lane): ReactNode => {
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
          <RunsLink of={of} lane={lane}>
            {text}
          </RunsLink>
        ) : null;
      default:
        return <Told column={column} lane={lane} decimals={pads.get(column.id) ?? 0} />;
    }
  };
  return (
    <DataTable name={caption} className={styles.table} long={all.length > LONG}>
      <caption className="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{rows ? "Side" : "Case"}</th>
          {named ? <th scope="col">Metric</th> : null}
          {columns.map((column) => (
            <th key={column.id} scope="col" className={column.numeric ? "number" : undefined}>
              {column.id === "cited" ? (
                <span className="visually-hidden">{column.title}</span>
              ) : (
                column.title
              )}
              {column.unit ? <span className="under">{column.unit}</span> : null}
            </th>
          ))}
        </tr>
      </thead>
      {sections(shown).map((section) => (
        <tbody key={section[0]?.lanes[0]?.id}>
          <Heading of={section[0]} width={width} />
          {section.map((of) => (
            <Fragment key={of.lanes[0]?.id}>
              {of.lanes.map((lane, place) => (
                <tr
                  key={lane.id}
                  data-lane={lane.id}
                  data-metric={lane.metric}
                  data-method={lane.method}
                  data-published={lane.hollow ?? false}
                  data-key={JSON.stringify(of.key ?? {})}
                  className={place === 0 ? styles.first : undefined}
                >
                  {place === 0 ? (
                    <th scope="row" rowSpan={of.lanes.length} className={styles.case}>
                      <bdi>{of.label}</bdi>
                    </th>
                  ) : null}
                  {named ? <td className={styles.metric}>{lane.name}</td> : null}
                  {columns.map((column) => (
                    <td
                      key={column.id}
                      data-column={column.id}
                      className={column.numeric ? "number" : undefined}
                    >
                      {cell(column, of, lane)}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      ))}
      {folded > 0 ? (
        <tbody>
          <tr>
            <td colSpan={width}>
              <button
                type="button"
                className="act"
                aria-expanded={open}
                onClick={() => setOpen(!open)}
              >
                {open ? "Fold" : "Show"}{" "}
                {counted(folded, "figure that only one side has", "figures that only one side has")}
              </button>
            </td>
          </tr>
        </tbody>
      ) : null}
    </DataTable>
  );
}

function textOf(id: string, lane: Lane): string {
  return id === "value" ? lane.text : (lane.cells?.[id] ?? "");
}

/** Cases under their headings. */
function sections(cases: readonly Case[]): Case[][] {
  const result: Case[][] = [];
  for (const of of cases) {
    const last = result.at(-1);
    if (of.heading || !last) result.push([of]);
    else last.push(of);
  }
  return result;
}

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

function Told({ column, lane, decimals }: { column: Column; lane: Lane; decimals: number }) {
  const text = textOf(column.id, lane);
  if (text === "") return <span className="quiet">{NONE}</span>;
  return (
    <>
      {column.numeric ? <Aligned text={text} decimals={decimals} /> : <bdi>{text}</bdi>}
      {column.id === "value" && lane.of ? <span className="under">{lane.of}</span> : null}
    </>
  );
}
