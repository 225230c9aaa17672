import { type PointerEvent, type ReactElement, type ReactNode, useMemo } from "react";
import {
  CartesianGrid,
  Scatter,
  ScatterChart,
  usePlotArea,
  useXAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { Axis, Case, Lane } from "../../api/types";
import { isolated } from "../../ui/format";
import { PER_CHARACTER, rechartsAxis, roomyTicks } from "./axis";
import {
  AXIS,
  behindIn,
  type CaseLayout,
  FOOT,
  fitted,
  type Frame,
  frameOf,
  LABEL_LINE,
  LANE,
  layCases,
  NOTE,
  SWATCH,
} from "./caseLayout";
import styles from "./charts.module.css";
import { colourOf } from "./colours";
import { MarkLink } from "./MarkLink";
import { MarkShape } from "./marks";
import { type Said, useTips } from "./TipFrame";

interface Props {
  cases: Case[];
  axis: Axis;
  width: number;
  tip: (row: Case, lane: Lane) => ReactNode;
}

interface Point {
  x: number;
  y: number;
  row: Case;
  lane: Lane;
}

export default function CasesChart({ cases, axis, width, tip }: Props): ReactElement {
  const frame = useMemo(() => frameOf(cases, width), [cases, width]);
  const layout = useMemo(() => layCases(cases, frame), [cases, frame]);
  const points = useMemo(() => pointsOf(layout), [layout]);
  const base = axis.base ?? 0;
  return (
    <ScatterChart
      width={width}
      height={layout.height + AXIS + FOOT}
      margin={{ top: 0, right: frame.right, bottom: FOOT, left: frame.left }}
      accessibilityLayer={false}
      className={styles.chart}
    >
      <CartesianGrid syncWithTicks horizontal={false} stroke="var(--rule)" />
      <XAxis
        {...rechartsAxis(axis, roomyTicks(axis, width - frame.left - frame.right))}
        dataKey="x"
        orientation="top"
        height={AXIS}
        tickLine={false}
        axisLine={false}
      />
      <YAxis type="number" dataKey="y" domain={[0, layout.height]} reversed hide width={0} />
      <Rows layout={layout} frame={frame} axis={axis} base={base} />
      <Scatter
        data={points}
        isAnimationActive={false}
        shape={(props: { cx?: number; cy?: number; payload?: Point }) => (
          <LaneMark {...props} base={base} frame={frame} tip={tip} />
        )}
      />
    </ScatterChart>
  );
}

function pointsOf(layout: CaseLayout<Case>): Point[] {
  return layout.placed.flatMap(({ row, laneYs }) =>
    row.lanes.flatMap((lane, index) =>
      typeof lane.value === "number" ? [{ x: lane.value, y: laneYs[index] ?? 0, row, lane }] : [],
    ),
  );
}

interface RowsProps {
  layout: CaseLayout<Case>;
  frame: Frame;
  axis: Axis;
  base: number;
}

/** Distance from the axis end to its unit, after the text of a tick at the end. */
function beforeUnit({ ticks, high }: Axis): number {
  const last = ticks.find(({ at }) => at === high)?.text.length ?? 0;
  return Math.max(18, (last * PER_CHARACTER) / 2 + 8);
}

/** All text: headings, cases, lane names, and printed ratios among speeds. */
function Rows({ layout, frame, axis, base }: RowsProps) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  if (!plot || !scale) return null;
  const from = Number(scale(base));
  return (
    <g>
      <text className={styles.axisTitle} x={plot.x + plot.width + beforeUnit(axis)} y={plot.y - 10}>
        {axis.title}
      </text>
      {layout.placed.map(({ row, heading, headingY, label, labelY, laneYs }) => (
        <g key={row.lanes[0]?.id}>
          {heading.length === 0 ? null : (
            <>
              <path
                d={`M0 ${plot.y + headingY - 15}H${plot.x + plot.width + frame.right}`}
                className={styles.rowRule}
              />
              {row.swatch ? (
                <rect
                  x={0}
                  y={plot.y + headingY - 5}
                  width={9}
                  height={9}
                  style={{ fill: colourOf(row) }}
                />
              ) : null}
              <text className={styles.heading} y={plot.y + headingY}>
                {heading.map((line, index) => (
                  <tspan
                    key={line}
                    x={row.swatch ? SWATCH : 0}
                    dy={index === 0 ? "0.32em" : LABEL_LINE}
                  >
                    {isolated(line)}
                  </tspan>
                ))}
              </text>
            </>
          )}
          <text className={styles.case} x={0} y={plot.y + labelY}>
            <title>{isolated(row.label)}</title>
            {label.map((line, index) => (
              <tspan key={line} x={0} dy={index === 0 ? "0.32em" : LABEL_LINE}>
                {isolated(line)}
              </tspan>
            ))}
          </text>
          <path
            className={base > 0 ? styles.zero : styles.base}
            d={`M${from} ${plot.y + (laneYs[0] ?? 0) - LANE / 2}V${plot.y + (laneYs.at(-1) ?? 0) + LANE / 2}`}
          />
          {row.lanes.map((lane, index) => {
            const y = plot.y + (laneYs[index] ?? 0);
            const repeated = row.lanes[index - 1]?.name === lane.name;
            return (
              <g key={lane.id}>
                {repeated || !frame.named ? null : (
                  <text className={styles.lane} x={plot.x - 9} y={y} dy="0.32em" textAnchor="end">
                    {fitted(lane.name ?? "", plot.x - 4)}
                  </text>
                )}
                {typeof lane.value === "number" ? null : (
                  <text className={styles.words} x={plot.x + 8} y={y} dy="0.32em">
                    {frame.named || !lane.name ? "" : `${lane.name}: `}
                    {`${lane.text} ${lane.of ?? ""}`}
                    <tspan className={styles.dagger}>{lane.dagger}</tspan>
                  </text>
                )}
              </g>
            );
          })}
        </g>
      ))}
    </g>
  );
}

interface LaneMarkProps {
  cx?: number;
  cy?: number;
  payload?: Point;
  base: number;
  frame: Frame;
  tip: Props["tip"];
}

/** Distance from a mark within which the pointer selects it. */
const REACH = 10;

function LaneMark({ cx, cy, payload, base, frame, tip }: LaneMarkProps) {
  const { show, hide, pin } = useTips();
  const plot = usePlotArea();
  const scale = useXAxisScale();
  if (!plot || !scale || !payload || cx === undefined || cy === undefined) return null;
  const { lane, row } = payload;
  const { narrow, right } = frame;
  const at = (value: number) => Number(scale(value));
  const from = Number(scale(base));
  const interval = lane.interval?.map(at);
  const band = lane.band?.map(at);
  const end = Math.max(cx, interval?.[1] ?? 0, band?.[1] ?? 0, base > 0 ? from : 0);
  const room = plot.x + plot.width + right - (narrow ? plot.x : end);
  const behind = behindIn(lane, room);
  const content = tip(row, lane);
  const tipAt = ({ clientX, clientY }: { clientX: number; clientY: number }): Said => ({
    id: lane.id,
    x: clientX,
    y: clientY,
    content,
  });
  return (
    <g
      className={styles.laneMark}
      onPointerMove={(event: PointerEvent) => show(tipAt(event))}
      onPointerLeave={hide}
      onClick={(event) => pin(tipAt(event))}
    >
      <rect
        className={styles.reach}
        x={plot.x}
        y={cy - LANE / 2}
        width={plot.width + (narrow ? 70 : right - 26)}
        height={LANE}
      />
      {band ? (
        <rect
          x={band[0]}
          y={cy - 5}
          width={Math.max(1, (band[1] ?? 0) - (band[0] ?? 0))}
          height={10}
          style={{ fill: colourOf(row), opacity: 0.2 }}
        />
      ) : null}
      <path d={`M${from} ${cy}H${cx}`} style={{ stroke: colourOf(row), strokeWidth: 1.5 }} />
      {interval ? (
        <path
          d={`M${interval[0]} ${cy - 4}v8M${interval[0]} ${cy}H${interval[1]}M${interval[1]} ${cy - 4}v8`}
          style={{ stroke: colourOf(row), strokeWidth: 1.5, fill: "none" }}
        />
      ) : null}
      <MarkLink row={row} lane={lane} tip={content} className={styles.mark}>
        <circle className={styles.reach} cx={cx} cy={cy} r={REACH} />
        <MarkShape
          mark={lane.mark}
          x={cx}
          y={cy}
          colour={colourOf(row)}
          hollow={lane.hollow ?? false}
          crossed={lane.doubted}
        />
      </MarkLink>
      <text className={styles.value} x={end + 11} y={cy} dy="0.32em">
        {lane.text}
        {lane.dagger ? <tspan className={styles.dagger}>{lane.dagger}</tspan> : null}
        {behind ? (
          <tspan
            className={styles.weight}
            {...(narrow
              ? { x: plot.x + 4, y: cy + (LANE + NOTE) / 2 - 2, dy: "0.32em" }
              : { dx: 8 })}
          >
            {behind}
          </tspan>
        ) : null}
      </text>
    </g>
  );
}
