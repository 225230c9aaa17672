import { MarkShape, type Mark } from "../charts/marks";
import type { Axis } from "../../api/types";
import { placeOn } from "../charts/axis";
import { withUnit } from "../../ui/format";
import styles from "./RatioChart.module.css";

/** One change, or the reason why there is none. */
export interface RatioRow {
  id: string;
  label: string;
  ratio: number | undefined;
  /** Text next to the mark: the ratio in digits, or why it is missing. */
  text: string;
  mark: Mark;
  hollow?: boolean;
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
  /** Meaning of 0 %. */
  reference: string;
}

const HEIGHT = 22;
/** Maximum number of ticks that fit on a phone. */
const MOST_TICKS = 6;

/** Position of a ratio on its axis, in percent of the width. */
function placeOf(axis: Axis, ratio: number): number {
  return Number(Math.min(100, Math.max(0, placeOn(axis, 100)(ratio))).toFixed(2));
}

/** Changes on one axis around 0. */
export function RatioChart({ axis, parts, name, reference }: Props) {
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
      <p className={styles.reference}>0 % is {reference}</p>
      {parts.map(({ title, rows }) => (
        <div key={title} className={styles.part}>
          {title ? <p className={styles.title}>{title}</p> : null}
          {rows.map((row) => (
            <div key={row.id} className={styles.row}>
              <span className={styles.label}>
                <bdi>{row.label}</bdi>
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
    </div>
  );
}

function Ratio({ row, ratio, axis }: { row: RatioRow; ratio: number; axis: Axis }) {
  return (
    <svg x={`${placeOf(axis, ratio)}%`} className={styles.strip}>
      <MarkShape
        mark={row.mark}
        x={0}
        y={HEIGHT / 2}
        r={4}
        colour="var(--ink)"
        hollow={row.hollow ?? false}
      />
    </svg>
  );
}
