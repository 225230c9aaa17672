import { MarkShape, type Mark } from "../charts/marks";
import type { Axis } from "../../api/types";
import { placeOn } from "../charts/axis";
import { withUnit } from "../../ui/format";
import styles from "./RatioChart.module.css";

/** One ratio with its interval, or the reason why there is none. */
export interface RatioRow {
  id: string;
  label: string;
  /** Small text after the label: usually n. */
  note?: string;
  ratio: number | undefined;
  low?: number | null;
  high?: number | null;
  /** Text next to the mark: the ratio in digits, or why it is missing. */
  text: string;
  mark: Mark;
  hollow?: boolean;
  /** Whether this is the baseline, which is at 100 % by definition. */
  baseline?: boolean;
}

export interface RatioPart {
  title: string;
  rows: RatioRow[];
}

interface Props {
  axis: Axis;
  /** Parts of one chart, which share its axis. */
  parts: RatioPart[];
  name: string;
  /** Meaning of 100 %. */
  reference: string;
  /** Note on what is not drawn. */
  left?: string;
}

const HEIGHT = 22;
/** Maximum number of ticks that fit on a phone. */
const MOST_TICKS = 6;

/** Position of a ratio on its axis, in percent of the width. */
function placeOf(axis: Axis, ratio: number): number {
  return Number(Math.min(100, Math.max(0, placeOn(axis, 100)(ratio))).toFixed(2));
}

/** Ratios around 100 % on a logarithmic axis, each with its interval if it has one. */
export function RatioChart({ axis, parts, name, reference, left }: Props) {
  const ticks = axis.ticks
    .slice(0, MOST_TICKS)
    .map(({ at: tick, text }) => ({ tick, text, at: placeOf(axis, tick) }));
  return (
    <div
      className={styles.chart}
      data-placed
      role="img"
      aria-label={`Chart: ${name}. Its figures are in the table.`}
    >
      <p className={styles.reference}>100 % is {reference}</p>
      {parts.map(({ title, rows }) => (
        <div key={title} className={styles.part}>
          {title ? <p className={styles.title}>{title}</p> : null}
          {rows.map((row) => (
            <div key={row.id} className={styles.row} data-baseline={row.baseline || undefined}>
              <span className={styles.label}>
                <bdi>{row.label}</bdi>
                {row.note ? <span className={styles.note}>{row.note}</span> : null}
              </span>
              <svg className={styles.strip} height={HEIGHT} aria-hidden="true">
                {ticks.map(({ tick, at }) => (
                  <line
                    key={tick}
                    x1={`${at}%`}
                    x2={`${at}%`}
                    y1={0}
                    y2={HEIGHT}
                    className={tick === 1 ? styles.one : styles.grid}
                  />
                ))}
                {row.ratio === undefined ? null : <Ratio row={row} ratio={row.ratio} axis={axis} />}
              </svg>
              <span className={row.ratio === undefined ? styles.missing : styles.value}>
                {row.text}
              </span>
            </div>
          ))}
        </div>
      ))}
      <div className={`${styles.row} ${styles.axis}`}>
        <span className={styles.label} />
        <svg className={styles.strip} height={18} aria-hidden="true">
          {ticks.map(({ tick, text, at }) => (
            <text key={tick} x={`${at}%`} y={13} textAnchor="middle">
              {withUnit(text, "%")}
            </text>
          ))}
        </svg>
        <span className={styles.value} />
      </div>
      {left ? <p className={styles.reference}>{left}</p> : null}
    </div>
  );
}

function Ratio({ row, ratio, axis }: { row: RatioRow; ratio: number; axis: Axis }) {
  const middle = HEIGHT / 2;
  const interval = typeof row.low === "number" && typeof row.high === "number";
  return (
    <>
      {interval ? (
        <line
          x1={`${placeOf(axis, row.low ?? ratio)}%`}
          x2={`${placeOf(axis, row.high ?? ratio)}%`}
          y1={middle}
          y2={middle}
          className={styles.interval}
        />
      ) : null}
      <svg x={`${placeOf(axis, ratio)}%`} className={styles.strip}>
        <MarkShape
          mark={row.mark}
          x={0}
          y={middle}
          r={4}
          colour={row.baseline ? "var(--ink-3)" : "var(--ink)"}
          hollow={row.hollow ?? false}
        />
      </svg>
    </>
  );
}
