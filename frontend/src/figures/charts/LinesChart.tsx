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
import { isolated } from "../../ui/format";
import styles from "./charts.module.css";
import { shortened } from "./labels";
import { MarkShape } from "./marks";
import { curvePath } from "./path";
import { type Axis, spread } from "./scale";
import { type Curve, type Row, rowsOf, type Series, type SeriesPoint, stretchesOf } from "./series";

/** Room for the names of lines at their ends, to the right of the plot. */
export const LABELS = 232;
const NAME = 15;
/** Ticks and titles above and below the plot. */
const AROUND = 72;

/** How many names stand under each other in a chart of this height. */
export const mostNames = (height: number) => Math.floor((height - AROUND) / NAME);

interface Props {
  series: Series[];
  curves: Curve[];
  width: number;
  height: number;
  divisor: number;
  x: {
    log: boolean;
    /** Everything that stands somewhere on the axis, in its order. */
    places: readonly number[];
    ticks: number[];
    domain: [number, number];
    tick: (value: number) => string;
    title: string;
  };
  y: Axis & { tick: (value: number) => string; title: string; log?: boolean };
  /** Names at the ends of the lines; without them the caller shows a key. */
  labelled: boolean;
  tip: (x: number, points: { series: Series; point: SeriesPoint }[]) => ReactNode;
}

export default function LinesChart(props: Props): ReactElement {
  const { series, curves, width, height, divisor, x, y, labelled, tip } = props;
  const stretches = useMemo(() => stretchesOf(series, x.places), [series, x.places]);
  const rows = useMemo(() => rowsOf(stretches, divisor), [stretches, divisor]);
  // A curve is drawn in the place of the line from point to point, and not beside it.
  const curved = new Set(curves.map(({ id }) => id));
  return (
    <ComposedChart
      data={rows}
      width={width}
      height={height}
      margin={{ top: 26, right: labelled ? LABELS : 34, bottom: 16, left: 0 }}
      accessibilityLayer={false}
      className={styles.chart}
    >
      <CartesianGrid vertical={false} stroke="var(--rule)" />
      <XAxis
        type="number"
        dataKey="x"
        scale={x.log ? "log" : "linear"}
        domain={x.domain}
        ticks={x.ticks}
        tickFormatter={x.tick}
        interval={0}
        tickLine={{ stroke: "var(--ink-3)" }}
        axisLine={{ stroke: "var(--ink-3)" }}
        label={{
          value: x.title,
          position: "insideBottom",
          offset: -10,
          className: styles.axisName,
        }}
      />
      <YAxis
        type="number"
        scale={y.log ? "log" : "linear"}
        domain={y.domain}
        ticks={y.ticks}
        tickFormatter={y.tick}
        interval={0}
        width={40}
        tickLine={false}
        axisLine={false}
      />
      <Curves curves={curves} divisor={divisor} domain={y.domain} />
      <Names series={series} divisor={divisor} title={y.title} labelled={labelled} />
      {stretches.map(({ id, series: one }) => (
        <Area
          key={`b${id}`}
          dataKey={(row: Row) => row[`b${id}`]}
          stroke="none"
          fill={one.colour}
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
          stroke={one.hollow || curved.has(one.id) ? "none" : one.colour}
          strokeWidth={1.75}
          strokeDasharray={one.dash}
          isAnimationActive={false}
          activeDot={false}
          dot={(dot: { cx?: number; cy?: number; index?: number; value?: unknown }) =>
            dot.cx === undefined || typeof dot.cy !== "number" || Number.isNaN(dot.cy) ? (
              <g key={dot.index} />
            ) : (
              <g key={dot.index}>
                <MarkShape
                  mark={one.mark}
                  x={dot.cx}
                  y={dot.cy}
                  r={one.hollow ? 4.5 : 3}
                  colour={one.colour}
                  hollow={one.hollow}
                  crossed={isDoubted(one, rows[dot.index ?? -1]?.x)}
                />
                <Whisker
                  x={dot.cx}
                  range={pointAt(one, rows[dot.index ?? -1]?.x)?.whisker}
                  divisor={divisor}
                  colour={one.colour}
                />
              </g>
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
            const point = one.points.find((candidate) => candidate.x === at);
            return point ? [{ series: one, point }] : [];
          });
          return active && points.length > 0 ? (
            <div className={styles.tip}>{tip(at, points)}</div>
          ) : null;
        }}
      />
    </ComposedChart>
  );
}

function pointAt(series: Series, x: number | undefined): SeriesPoint | undefined {
  return series.points.find((candidate) => candidate.x === x);
}

interface WhiskerProps {
  x: number;
  range: [number, number] | undefined;
  divisor: number;
  colour: string;
}

function Whisker({ x, range, divisor, colour }: WhiskerProps) {
  const scale = useYAxisScale();
  if (!scale || !range) return null;
  const [low, high] = range.map((value) => Number(scale(value / divisor)).toFixed(1));
  return (
    <path
      d={`M${x - 4} ${low}h8M${x} ${low}V${high}M${x - 4} ${high}h8`}
      style={{ stroke: colour, strokeWidth: 1.25, fill: "none" }}
    />
  );
}

function isDoubted(series: Series, x: number | undefined): boolean {
  return pointAt(series, x)?.doubted ?? false;
}

interface CurvesProps {
  curves: Curve[];
  divisor: number;
  domain: readonly [number, number];
}

/** Fitted curves, thin beside what was measured; dashed where no point supports them. */
function Curves({ curves, divisor, domain: [low, high] }: CurvesProps) {
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!xScale || !yScale) return null;
  const place = {
    x: (value: number) => Number(xScale(value)),
    y: (value: number) => Number(yScale(value / divisor)),
  };
  const pathOf = (points: Curve["points"]) =>
    curvePath(points, place, [low * divisor, high * divisor]);
  return curves.map(({ id, colour, points, beyond }) => (
    <g key={id} style={{ stroke: colour }}>
      <path className={styles.curve} d={pathOf(points)} />
      <path className={styles.beyond} d={beyond.map(pathOf).join("")} />
    </g>
  ));
}

interface NamesProps {
  series: Series[];
  divisor: number;
  title: string;
  labelled: boolean;
}

/** The unit above the axis and each series' name at its last point. */
function Names({ series, divisor, title, labelled }: NamesProps) {
  const plot = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!plot || !xScale || !yScale) return null;
  const ends = series.map((one) => one.points.at(-1));
  const names = shortened(
    series.map(({ label }) => label),
    LABELS - 18,
  );
  const heights = spread(
    ends.map((end) => Number(yScale((end?.value ?? 0) / divisor))),
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
            const at = Number(yScale(end.value / divisor));
            const edge = plot.x + plot.width;
            return (
              <g key={one.id}>
                <path
                  d={`M${from + 6} ${at}L${edge + 8} ${y}`}
                  style={{ stroke: one.colour, opacity: 0.35 }}
                  fill="none"
                />
                <text
                  x={edge + 12}
                  y={y}
                  dy="0.32em"
                  className={styles.name}
                  style={{ fill: one.colour }}
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
