import { type ReactElement, type ReactNode, useMemo, useRef } from "react";
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceLine,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { Axis, Boundary, Case, Lane, LinePoint, Series } from "../../api/types";
import { isolated } from "../../ui/format";
import type { Range } from "../zoom";
import { rechartsAxis, roomyTicks } from "./axis";
import { Boundaries } from "./Boundaries";
import { Brush } from "./Brush";
import styles from "./charts.module.css";
import { colourOf } from "./colours";
import { LABELS, LineNames, NAME } from "./LineNames";
import { MarkLink, MarkTip } from "./MarkLink";
import { MarkShape } from "./marks";
import { linePath } from "./path";
import { Nearest, nameOf, type OnLine, pointsAt, pointsOf, REACH } from "./Nearest";
import { type Row, rowsOf, stretchesOf } from "./series";
import { type Said, useTips } from "./TipFrame";

/** Height of ticks and titles above and below the plot. */
const AROUND = 72;
/** Width left of the plot. */
const TICKS = 40;
const MARGIN = 34;

/** Number of names that fit below each other in a chart of this height. */
export const mostNames = (height: number) => Math.floor((height - AROUND) / NAME);

interface Props {
  series: Series[];
  boundaries?: Boundary[] | undefined;
  across: Axis;
  up: Axis;
  width: number;
  height: number;
  /** Whether names are at the ends of the lines; otherwise the caller shows a key. */
  labelled: boolean;
  /** Case and lane by lane id. */
  lanesById: ReadonlyMap<string, { row: Case; lane: Lane }>;
  tip: (at: string, points: OnLine[], near: OnLine) => ReactNode;
  /** Zoom to a range of the horizontal axis; without it, dragging does nothing. */
  onZoom?: ((range: Range) => void) | undefined;
}

/** Above this number of lines, a band is shown only while the pointer is near its line. */
const BANDED = 6;

export default function LinesChart(props: Props): ReactElement {
  const { series, boundaries = [], across, up, width, height, labelled } = props;
  const { lanesById, tip, onZoom } = props;
  const stretches = useMemo(() => stretchesOf(series), [series]);
  const rows = useMemo(() => rowsOf(stretches), [stretches]);
  const tips = useTips();
  const frame = useRef<HTMLDivElement>(null);
  const right = labelled ? LABELS : MARGIN;
  const texts = new Map(across.ticks.map((tick) => [tick.at, tick.text]));
  const contentOf = (near: OnLine) =>
    tip(texts.get(near.point.x) ?? String(near.point.x), pointsAt(series, near.point.x), near);
  const tipOf = (near: OnLine, { clientX: x, clientY: y }: PointerEvent): Said => ({
    id: near.point.lane,
    x,
    y,
    content: contentOf(near),
  });
  return (
    <div
      ref={frame}
      style={{ position: "relative" }}
      className={series.length > BANDED ? styles.many : undefined}
    >
      <ComposedChart
        data={rows}
        width={width}
        height={height}
        margin={{ top: 26, right, bottom: 16, left: 0 }}
        accessibilityLayer={false}
        className={styles.chart}
      >
        <CartesianGrid syncWithTicks vertical={false} stroke="var(--rule)" />
        {up.base ? <ReferenceLine y={up.base} className={styles.zero} stroke="" /> : null}
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
        <Nearest
          frame={frame}
          series={series}
          onNear={(near, event) => (near ? tips.show(tipOf(near, event)) : tips.hide())}
          onPin={(near, event) => tips.pin(tipOf(near, event))}
        />
        {onZoom ? <Brush frame={frame} axis={across} onZoom={onZoom} /> : null}
        <Boundaries boundaries={boundaries} unit={up.title} />
        <Curves series={series} />
        <UnitOfAxis title={up.title} />
        {labelled ? <LineNames series={series} /> : null}
        {stretches.map(({ id, series: line }) => (
          <Area
            key={`b${id}`}
            className={nameOf(series.indexOf(line))}
            dataKey={(row: Row) => row[`b${id}`]}
            stroke="none"
            fill={colourOf(line)}
            fillOpacity={0.16}
            isAnimationActive={false}
            activeDot={false}
            legendType="none"
          />
        ))}
        {stretches.map(({ id, series: line }) => (
          <Line
            key={`v${id}`}
            className={nameOf(series.indexOf(line))}
            dataKey={(row: Row) => row[`v${id}`]}
            // A curve replaces the line between points.
            stroke={line.hollow || line.curve ? "none" : colourOf(line)}
            strokeWidth={1.75}
            strokeDasharray={line.dash ?? ""}
            isAnimationActive={false}
            activeDot={false}
            dot={(dot: { cx?: number; cy?: number; index?: number }) => {
              const point = pointsOf(line).find(({ x }) => x === rows[dot.index ?? -1]?.x);
              if (dot.cx === undefined || typeof dot.cy !== "number" || Number.isNaN(dot.cy)) {
                return <g key={dot.index} />;
              }
              const mark = <Dot x={dot.cx} y={dot.cy} series={line} point={point} />;
              if (!point) return <g key={dot.index}>{mark}</g>;
              const entry = lanesById.get(point.lane);
              const content = contentOf({ series: line, point });
              const markWithReach = (
                <>
                  <circle className={styles.reach} cx={dot.cx} cy={dot.cy} r={REACH} />
                  {mark}
                </>
              );
              return (
                <g key={dot.index} className={nameOf(series.indexOf(line))}>
                  {entry ? (
                    <MarkLink {...entry} className={styles.mark} tip={content}>
                      {markWithReach}
                    </MarkLink>
                  ) : (
                    <MarkTip
                      id={point.lane}
                      name={`${line.label}, ${texts.get(point.x) ?? point.x}: ${point.text}`}
                      className={styles.mark}
                      tip={content}
                    >
                      {markWithReach}
                    </MarkTip>
                  )}
                </g>
              );
            }}
          />
        ))}
      </ComposedChart>
    </div>
  );
}

interface DotProps {
  x: number;
  y: number;
  series: Series;
  point: LinePoint | undefined;
}

/** A mark, and the bar of its samples' deviation if it has one. */
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

/** Fitted curves, thinner than measured lines. */
function Curves({ series }: { series: Series[] }) {
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!xScale || !yScale) return null;
  const pathOf = (stretches: number[][][]) =>
    stretches
      .map((points) => linePath(points.map(([x, y]) => [Number(xScale(x)), Number(yScale(y))])))
      .join("");
  return series.flatMap((line) =>
    line.curve
      ? [
          <g
            key={line.stretches[0]?.[0]?.lane}
            className={nameOf(series.indexOf(line))}
            style={{ stroke: colourOf(line) }}
          >
            <path className={styles.curve} d={pathOf(line.curve.within)} />
          </g>,
        ]
      : [],
  );
}

function UnitOfAxis({ title }: { title: string }) {
  const plot = usePlotArea();
  return plot ? (
    <text className={styles.axisTitle} x={0} y={plot.y - 14}>
      {title}
    </text>
  ) : null;
}
