import { type ReactElement, type ReactNode, useMemo } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  Tooltip,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { Axis, LinePoint, Series } from "../../api/types";
import { isolated } from "../../ui/format";
import { rechartsAxis, roomyTicks } from "./axis";
import styles from "./charts.module.css";
import { colourOf } from "./colours";
import { shortened } from "./labels";
import { MarkShape } from "./marks";
import { linePath } from "./path";
import { spread } from "./scale";
import { type Row, rowsOf, stretchesOf } from "./series";

/** Room for the names of lines at their ends, to the right of the plot. */
export const LABELS = 232;
const NAME = 15;
/** Ticks and titles above and below the plot. */
const AROUND = 72;
/** Left of the plot. */
const TICKS = 40;
const MARGIN = 34;

/** How many names fit under each other in a chart of this height. */
export const mostNames = (height: number) => Math.floor((height - AROUND) / NAME);

export const pointsOf = ({ stretches }: Series): LinePoint[] => stretches.flat();

/** A point of a line, and the line. */
export interface OnLine {
  series: Series;
  point: LinePoint;
}

interface Props {
  series: Series[];
  across: Axis;
  up: Axis;
  width: number;
  height: number;
  /** Names at the ends of the lines; without them the caller shows a key. */
  labelled: boolean;
  tip: (at: string, points: OnLine[]) => ReactNode;
}

export default function LinesChart(props: Props): ReactElement {
  const { series, across, up, width, height, labelled, tip } = props;
  const stretches = useMemo(() => stretchesOf(series), [series]);
  const rows = useMemo(() => rowsOf(stretches), [stretches]);
  const right = labelled ? LABELS : MARGIN;
  const texts = new Map(across.ticks.map((tick) => [tick.at, tick.text]));
  return (
    <ComposedChart
      data={rows}
      width={width}
      height={height}
      margin={{ top: 26, right, bottom: 16, left: 0 }}
      accessibilityLayer={false}
      className={styles.chart}
    >
      <CartesianGrid vertical={false} stroke="var(--rule)" />
      <XAxis
        {...rechartsAxis(across, roomyTicks(across, width - TICKS - right))}
        dataKey="x"
        tickLine={{ stroke: "var(--ink-3)" }}
        axisLine={{ stroke: "var(--ink-3)" }}
        label={{
          value: isolated(across.title),
          position: "insideBottom",
          offset: -10,
          className: styles.axisName,
        }}
      />
      <YAxis {...rechartsAxis(up, up.ticks)} width={TICKS} tickLine={false} axisLine={false} />
      <Curves series={series} />
      <Names series={series} title={up.title} labelled={labelled} />
      {stretches.map(({ id, series: one }) => (
        <Area
          key={`b${id}`}
          dataKey={(row: Row) => row[`b${id}`]}
          stroke="none"
          fill={colourOf(one)}
          fillOpacity={0.16}
          isAnimationActive={false}
          activeDot={false}
          legendType="none"
        />
      ))}
      {stretches.map(({ id, series: one }) => (
        <Line
          key={`v${id}`}
          dataKey={(row: Row) => row[`v${id}`]}
          // A curve is drawn in the place of the line from point to point, and not beside it.
          stroke={one.hollow || one.curve ? "none" : colourOf(one)}
          strokeWidth={1.75}
          strokeDasharray={one.dash ?? ""}
          isAnimationActive={false}
          activeDot={false}
          dot={(dot: { cx?: number; cy?: number; index?: number }) =>
            dot.cx === undefined || typeof dot.cy !== "number" || Number.isNaN(dot.cy) ? (
              <g key={dot.index} />
            ) : (
              <Dot
                key={dot.index}
                x={dot.cx}
                y={dot.cy}
                series={one}
                point={pointsOf(one).find(({ x }) => x === rows[dot.index ?? -1]?.x)}
              />
            )
          }
        />
      ))}
      <Tooltip
        isAnimationActive={false}
        cursor={{ stroke: "var(--rule-strong)" }}
        wrapperClassName={styles.tipWrapper}
        content={({ active, label }) => {
          const at = Number(label);
          const points = series.flatMap((one) => {
            const point = pointsOf(one).find((candidate) => candidate.x === at);
            return point ? [{ series: one, point }] : [];
          });
          return active && points.length > 0 ? (
            <div className={styles.tip}>{tip(texts.get(at) ?? String(at), points)}</div>
          ) : null;
        }}
      />
    </ComposedChart>
  );
}

interface DotProps {
  x: number;
  y: number;
  series: Series;
  point: LinePoint | undefined;
}

/** A mark, and the bar of its samples' deviation where it has one. */
function Dot({ x, y, series, point }: DotProps) {
  const scale = useYAxisScale();
  const colour = colourOf(series);
  const hollow = series.hollow ?? false;
  const ends = point?.whisker?.map((value) => Number(scale?.(value)).toFixed(1));
  return (
    <g>
      <MarkShape
        mark={series.mark}
        x={x}
        y={y}
        r={hollow ? 4.5 : 3}
        colour={colour}
        hollow={hollow}
        crossed={point?.doubted}
      />
      {scale && ends ? (
        <path
          d={`M${x - 4} ${ends[0]}h8M${x} ${ends[0]}V${ends[1]}M${x - 4} ${ends[1]}h8`}
          style={{ stroke: colour, strokeWidth: 1.25, fill: "none" }}
        />
      ) : null}
    </g>
  );
}

/** Fitted curves, thin beside what was measured; dashed where no point supports them. */
function Curves({ series }: { series: Series[] }) {
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!xScale || !yScale) return null;
  const pathOf = (stretches: number[][][]) =>
    stretches
      .map((points) => linePath(points.map(([x, y]) => [Number(xScale(x)), Number(yScale(y))])))
      .join("");
  return series.flatMap((one) =>
    one.curve
      ? [
          <g key={one.stretches[0]?.[0]?.lane} style={{ stroke: colourOf(one) }}>
            <path className={styles.curve} d={pathOf(one.curve.within)} />
            <path className={styles.beyond} d={pathOf(one.curve.beyond ?? [])} />
          </g>,
        ]
      : [],
  );
}

interface NamesProps {
  series: Series[];
  title: string;
  labelled: boolean;
}

/** The unit above the axis and each line's name at its last point. */
function Names({ series, title, labelled }: NamesProps) {
  const plot = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!plot || !xScale || !yScale) return null;
  const ends = series.map((one) => pointsOf(one).at(-1));
  const names = shortened(
    series.map(({ label }) => label),
    LABELS - 18,
  );
  const heights = spread(
    ends.map((end) => Number(yScale(end?.y ?? 0))),
    NAME,
    [plot.y, plot.y + plot.height],
  );
  return (
    <g>
      <text className={styles.axisTitle} x={0} y={plot.y - 14}>
        {title}
      </text>
      {labelled
        ? series.map((one, place) => {
            const end = ends[place];
            if (!end) return null;
            const y = heights[place] ?? 0;
            const from = Number(xScale(end.x));
            const at = Number(yScale(end.y));
            const edge = plot.x + plot.width;
            return (
              <g key={end.lane}>
                <path
                  d={`M${from + 6} ${at}L${edge + 8} ${y}`}
                  style={{ stroke: colourOf(one), opacity: 0.35 }}
                  fill="none"
                />
                <text
                  x={edge + 12}
                  y={y}
                  dy="0.32em"
                  className={styles.name}
                  style={{ fill: colourOf(one) }}
                >
                  <title>{isolated(one.label)}</title>
                  {isolated(names[place] ?? "")}
                  <tspan className={styles.dagger}>{one.dagger}</tspan>
                </text>
              </g>
            );
          })
        : null}
    </g>
  );
}
