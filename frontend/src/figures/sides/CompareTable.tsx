import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Compared, ComparedCell, ComparedRow } from "../../api/types";
import { count, counted, inUnit, percent } from "../../ui/format";
import { printClause } from "../../links/clause";
import { Aligned, mostDecimals } from "../../ui/Aligned";
import { Dagger, FlagLetters } from "../Footnotes";
import type { FlagNotes } from "../flags";
import { rangeText, ratioRangeText, medianText, verdictText } from "../figures";
import { clauseOf } from "../runsLink";
import { daggerText, type Sources } from "../sources";
import type { Words } from "../words";
import { DataTable } from "../../ui/DataTable";
import styles from "./Compared.module.css";
import { rowScale } from "./ratioParts";
import { methodName, rowName, unlikeText } from "./sideWords";

interface Props {
  compared: Compared;
  /** What each side is called. */
  names: string[];
  words: Words;
  flags: FlagNotes;
  sources: Sources;
  /** Rows that are not shown. */
  folded: ReadonlySet<ComparedRow>;
  /** What folds rows and shows them again. */
  fold: ReactNode;
}

const COLUMNS = 10;

/** The chart's figures and what stands behind each: a line for every side of every row. */
export function CompareTable(props: Props) {
  const { compared, folded, fold } = props;
  return (
    <DataTable name="Figures compared" className={styles.table}>
      <caption className="visually-hidden">The figures of the chart</caption>
      <thead>
        <tr>
          <th scope="col">Side</th>
          <th scope="col" className="number">
            Median
          </th>
          <th scope="col">
            <span className="visually-hidden">Source</span>
          </th>
          <th scope="col" className="number">
            p10–p90
          </th>
          <th scope="col" className="number">
            Machines
          </th>
          <th scope="col" className="number">
            Runs
          </th>
          <th scope="col" className="number">
            Ratio, %
          </th>
          <th scope="col" className="number">
            95 % interval
          </th>
          <th scope="col">Verdict, and what else differs</th>
          <th scope="col">Flags</th>
        </tr>
      </thead>
      {compared.rows.map((row) =>
        folded.has(row) ? null : (
          <Row key={`${rowName(props.words, row)} ${methodName(row)}`} row={row} {...props} />
        ),
      )}
      {fold ? (
        <tbody>
          <tr>
            <td colSpan={COLUMNS}>{fold}</td>
          </tr>
        </tbody>
      ) : null}
      <Mean {...props} />
    </DataTable>
  );
}

function Row({ row, ...props }: Props & { row: ComparedRow }) {
  const { compared, names, words, flags, sources } = props;
  const scale = rowScale(row);
  const medians = row.cells.map((cell) => {
    const { median, printed } = cell;
    if (median === null || median === undefined) return "";
    return printed ? medianText({ median, printed }, row.unit, scale) : inUnit(median, scale);
  });
  const most = mostDecimals(medians);
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={COLUMNS} className={styles.section}>
          <bdi>{rowName(words, row)}</bdi>{" "}
          <span className="quiet">
            {[scale.symbol, methodName(row)].filter(Boolean).join(", ")}
          </span>
        </th>
      </tr>
      {row.cells.map((cell, place) => (
        <tr key={cell.side} data-side={cell.side} data-row={row.metric}>
          <th scope="row">
            <bdi>{names[cell.side - 1]}</bdi>
          </th>
          {cell.missing ? (
            <td colSpan={COLUMNS - 1} className="quiet">
              {cell.missing.text}
            </td>
          ) : (
            <>
              <td className="number chief">
                <Aligned text={medians[place] ?? ""} decimals={most} />
              </td>
              <td>
                {cell.citations ? (
                  <Dagger
                    text={daggerText(sources, cell.citations)}
                    articles={cell.citations.map(({ article }) => article)}
                    sources={sources}
                  />
                ) : null}
              </td>
              <td className="number">
                {rangeText(cell.spread?.p10, cell.spread?.p90, scale) || "–"}
              </td>
              <td className="number">{cell.machines ? count(cell.machines) : "–"}</td>
              <td className="number">
                <Runs cell={cell} row={row} compared={compared} words={words} />
              </td>
              <td className="number chief">
                {cell.side === compared.comparison.baseline
                  ? "100"
                  : cell.ratio
                    ? percent(cell.ratio.value).replace(/\D+$/u, "")
                    : "–"}
              </td>
              <td className="number">
                {ratioRangeText(cell.ratio?.ci_low, cell.ratio?.ci_high) || "–"}
              </td>
              <td className={styles.words}>
                <Judged cell={cell} compared={compared} words={words} />
              </td>
              <td>
                <FlagLetters counts={cell.flags ?? []} notes={flags} />
              </td>
            </>
          )}
        </tr>
      ))}
    </tbody>
  );
}

/** The verdict in words, or why there is none, and what the sides differ in unasked. */
function Judged({
  cell,
  compared,
  words,
}: Pick<Props, "compared" | "words"> & { cell: ComparedCell }) {
  if (cell.side === compared.comparison.baseline) return "baseline";
  if (cell.no_ratio) return <span className="quiet">No ratio. {cell.no_ratio.text}</span>;
  if (!cell.ratio) return null;
  const { pairing, pairs, unlike, shared_runs } = cell.ratio;
  return (
    <>
      {verdictText(cell.ratio)}
      {pairing === "paired" ? ` (${counted(pairs ?? 0, "pair")})` : ""}
      {unlike.length > 0 ? (
        <span className="under">
          Unlike in {unlike.map((one) => unlikeText(words, one)).join("; ")}
        </span>
      ) : null}
      {shared_runs > 0 ? (
        <span className="under">On both sides: {counted(shared_runs, "run")}</span>
      ) : null}
    </>
  );
}

/** The runs behind a cell: its side's filters and those of all, as far as they speak of runs. */
function Runs({
  cell,
  row,
  compared,
  words,
}: Pick<Props, "compared" | "words"> & { cell: ComparedCell; row: ComparedRow }) {
  const [only] = cell.run_ids ?? [];
  if (cell.runs === 1 && only) {
    return (
      <Link to="/runs/$id" params={{ id: only }}>
        1
      </Link>
    );
  }
  const { sides, where } = compared.comparison;
  const terms = [...where, ...(sides[cell.side - 1]?.where ?? [])];
  const clauses = terms
    .filter(({ dimension }) => words.dimension(dimension)?.of !== "sample")
    .map((term) => printClause(clauseOf(term)));
  return (
    <Link to="/runs" search={{ where: [...clauses, `method:${row.method}`] }}>
      {count(cell.runs ?? 0)}
    </Link>
  );
}

function Mean({ compared, names }: Props) {
  const { sides, covers } = compared.geometric_mean;
  if (covers.length < 2 || sides.length === 0) return null;
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={COLUMNS} className={styles.section}>
          Geometric mean of {covers.length} ratios
        </th>
      </tr>
      {sides.map(({ side, value }) => (
        <tr key={side} data-side={side} data-row="mean">
          <th scope="row">
            <bdi>{names[side - 1]}</bdi>
          </th>
          <td colSpan={5}>–</td>
          <td className="number chief">{percent(value).replace(/\D+$/u, "")}</td>
          <td colSpan={3}>–</td>
        </tr>
      ))}
    </tbody>
  );
}
