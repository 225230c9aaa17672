import type { Compared, ComparedCell, ComparedRow } from "../../api/types";
import { type Mark, marksOf } from "../charts/marks";
import { counted, inUnit, percent, type Scale, scaleFor, withUnit } from "../../ui/format";
import { medianText } from "../figures";
import type { Words } from "../words";
import type { RatioPart, RatioRow } from "./RatioChart";
import { methodName, rowName } from "./sideWords";

/** The chart's parts: one for each metric and method, and the geometric mean over them. */
export function ratioParts(compared: Compared, names: string[], words: Words): RatioPart[] {
  const { baseline } = compared.comparison;
  const marks = marksOf(
    compared.rows.map(({ metric }) => metric),
    words.roles,
  );
  const parts = compared.rows.map((row): RatioPart => {
    const scale = rowScale(row);
    const mark = marks.get(row.metric) ?? "circle";
    return {
      title: [rowName(words, row), methodName(row)].filter(Boolean).join(" · "),
      rows: row.cells.map((cell) => ({
        ...ratioRow(cell, cell.side === baseline, row, scale),
        label: names[cell.side - 1] ?? String(cell.side),
        mark,
        hollow: row.published ?? false,
      })),
    };
  });
  const mean = meanPart(compared, names);
  return mean ? [...parts, mean] : parts;
}

/**
 * Rows of which no more than one side has a figure: there is nothing to compare in them. None where
 * there are no others: then they are all there is to see.
 */
export function loneRows({ rows }: Compared): ReadonlySet<ComparedRow> {
  const lone = rows.filter(({ cells }) => cells.filter(({ missing }) => !missing).length < 2);
  return new Set(lone.length < rows.length ? lone : []);
}

export function rowScale(row: ComparedRow): Scale {
  return scaleFor(
    row.unit,
    row.cells.flatMap(({ median }) => median ?? []),
  );
}

/** A side's own figure with its unit: "7.66 GB/s". */
export function figureText(cell: ComparedCell, row: ComparedRow, scale: Scale): string {
  if (cell.median === null || cell.median === undefined) return "";
  const { median, printed, qualifier } = cell;
  const digits = printed
    ? medianText({ median, printed, qualifier }, row.unit, scale)
    : inUnit(median, scale);
  // A printed figure in another unit than its column's brings its own.
  return /[a-z]/i.test(digits) ? digits : withUnit(digits, scale.symbol);
}

function ratioRow(
  cell: ComparedCell,
  baseline: boolean,
  row: ComparedRow,
  scale: Scale,
): Omit<RatioRow, "label" | "mark"> {
  const id = String(cell.side);
  if (cell.missing) return { id, ratio: undefined, text: "nothing here" };
  const note = `${figureText(cell, row, scale)} · ${counted(cell.machines ?? 0, "machine")}`;
  if (baseline) return { id, note, ratio: 1, text: percent(1), baseline };
  if (!cell.ratio) return { id, note, ratio: undefined, text: "no ratio" };
  const { value, ci_low, ci_high, unlike } = cell.ratio;
  return {
    id,
    note: unlike.length > 0 ? `${note} · unlike` : note,
    ratio: value,
    low: ci_low,
    high: ci_high,
    text: percent(value),
  };
}

const DIAMOND: Mark = "diamond";

function meanPart(
  { geometric_mean, comparison }: Compared,
  names: string[],
): RatioPart | undefined {
  const { covers, sides } = geometric_mean;
  if (sides.length === 0 || covers.length < 2) return undefined;
  return {
    title: `Geometric mean of ${covers.length} ratios, turned so that more is better`,
    rows: sides.map(({ side, value }) => ({
      id: String(side),
      label: names[side - 1] ?? String(side),
      ratio: value,
      text: percent(value),
      mark: DIAMOND,
      baseline: side === comparison.baseline,
    })),
  };
}
