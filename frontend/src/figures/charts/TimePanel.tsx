import type { CSSProperties, ReactElement, ReactNode } from "react";
import { plain } from "../../ui/format";
import styles from "./charts.module.css";
import { roundTicks } from "./ticks";

/** Margins of a panel's plot in pixels. */
export const LEFT = 44;
export const RIGHT = 12;
const TOP = 30;
const BOTTOM = 22;

/** The area of a panel's plot, in pixels. */
export interface TimePlot {
  left: number;
  top: number;
  width: number;
  height: number;
  x: (time: number) => number;
  y: (value: number) => number;
}

/** A line's name and style. */
export interface LineName {
  name: string;
  style: CSSProperties;
}

/** A panel's vertical range and its ticks. */
export interface Heights {
  domain: readonly [number, number];
  ticks: readonly number[];
}

/**
 * Axis from zero to the highest sample. The browser reads traces from the document, so no response
 * includes their axes, as it does for figures.
 */
export function fromZero(highest: number): Heights {
  return { domain: [0, highest], ticks: roundTicks(0, highest, MOST_TICKS) };
}

const MOST_TICKS = 5;

interface Props {
  title: string;
  width: number;
  height: number;
  times: readonly number[];
  y: Heights;
  /** Names of the lines, at the upper right. */
  names?: readonly LineName[];
  /** A highlighted time span, in seconds of this axis. */
  span?: readonly [number, number];
  children: (plot: TimePlot) => ReactNode;
}

/** Number of pixel columns in a panel of this width: more steps would look the same. */
export function columnsIn(width: number): number {
  return Math.max(1, width - LEFT - RIGHT);
}

/** One quantity over time, in a stack of panels that share its axis. */
export function TimePanel(props: Props): ReactElement {
  const { title, names, width, height, times, y, span, children } = props;
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const inner = { width: columnsIn(width), height: height - TOP - BOTTOM };
  const [low, high] = y.domain;
  const plot: TimePlot = {
    left: LEFT,
    top: TOP,
    ...inner,
    x: (time) => LEFT + ((time - first) / (last - first)) * inner.width,
    y: (value) => TOP + inner.height * (1 - (value - low) / (high - low)),
  };
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={styles.chart}
      aria-hidden="true"
    >
      <text className={styles.axisTitle} x={0} y={12}>
        {title}
      </text>
      <Names names={names ?? []} end={width - RIGHT} beside={title.length * LETTER} />
      {y.ticks.map((tick) => (
        <g key={tick}>
          <path d={`M${LEFT} ${plot.y(tick)}h${inner.width}`} className={styles.rowRule} />
          <text className={styles.tick} x={LEFT - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end">
            {plain(tick)}
          </text>
        </g>
      ))}
      {roundTicks(first, last, Math.max(inner.width, 60) / 60).map((tick) => (
        <text
          key={tick}
          className={styles.tick}
          x={plot.x(tick)}
          y={TOP + inner.height + 16}
          textAnchor="middle"
        >
          {plain(tick)}
        </text>
      ))}
      {span ? (
        <Span plot={plot} span={[Math.max(first, span[0]), Math.min(last, span[1])]} />
      ) : null}
      {children(plot)}
      <path d={`M${LEFT} ${TOP + inner.height}h${inner.width}`} className={styles.base} />
    </svg>
  );
}

const SIGN = 20;
/** Approximate width of a letter in the axis labels. */
const LETTER = 7.2;

const widthOf = (name: string) => SIGN + 6 + name.length * LETTER + 12;

/** To the right of the title, or below it if there is no room. */
function Names(props: { names: readonly LineName[]; end: number; beside: number }) {
  const { names, end, beside } = props;
  const all = names.reduce((sum, { name }) => sum + widthOf(name), 0);
  const y = all + beside > end ? 26 : 12;
  let x = end + 12;
  return names.toReversed().map(({ name, style }) => {
    x -= widthOf(name);
    return (
      <g key={name}>
        <path d={`M${x} ${y - 4}h${SIGN}`} style={style} />
        <text className={styles.words} x={x + SIGN + 5} y={y}>
          {name}
        </text>
      </g>
    );
  });
}

function Span({ plot, span: [from, to] }: { plot: TimePlot; span: [number, number] }) {
  if (to <= from) return null;
  return (
    <g>
      <rect
        x={plot.x(from)}
        y={plot.top}
        width={plot.x(to) - plot.x(from)}
        height={plot.height}
        style={{ fill: "var(--accent-wash)" }}
      />
      <path
        d={`M${plot.x(from)} ${plot.top}v${plot.height}M${plot.x(to)} ${plot.top}v${plot.height}`}
        style={{ stroke: "var(--accent)", strokeDasharray: "3 3" }}
      />
    </g>
  );
}
