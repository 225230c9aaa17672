import type { ReactNode } from "react";
import { Scatter, ScatterChart, usePlotArea, useXAxisScale, XAxis, YAxis } from "recharts";
import type { Axis, Case, Lane, SideFigure } from "../../api/types";
import { rechartsAxis } from "../charts/axis";
import { MarkLink } from "../charts/MarkLink";
import { MarkShape } from "../charts/marks";
import styles from "./Sides.module.css";

const HEIGHT = 28;
const MIDDLE = HEIGHT / 2;
/** Half the height of the interval's band. */
const BAND = 6;

interface Props {
  axis: Axis;
  width: number;
  figure: SideFigure & { ratio: number };
  colour: string;
  /** The lane with the figure's runs and facts, and its case. */
  row: Case;
  lane: Lane;
  tip: ReactNode;
  /** Room for the change beside its mark; 0 if it is written below. */
  label: number;
}

/** A side's difference from the baseline, which is the line at 0. */
export default function DeltaChart(props: Props) {
  const { axis, width, figure, label } = props;
  return (
    <ScatterChart
      width={width}
      height={HEIGHT}
      margin={{ top: 0, right: label, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <XAxis {...rechartsAxis(axis, [])} dataKey="x" hide />
      <YAxis type="number" dataKey="y" domain={[0, 1]} hide width={0} />
      <Scatter
        data={[{ x: figure.ratio, y: 0.5 }]}
        isAnimationActive={false}
        shape={<Delta {...props} />}
      />
    </ScatterChart>
  );
}

function Delta({ axis, figure, colour, row, lane, tip, label }: Props) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  if (!plot || !scale) return null;
  const at = (value: number) => Number(scale(value));
  const [zero, end] = [at(axis.base ?? 1), at(figure.ratio)];
  const [low, high] = (figure.interval ?? []).map(at);
  const ink = figure.clear ? colour : "var(--ink-3)";
  return (
    <g style={{ color: ink }}>
      <path d={`M${zero} 0V${HEIGHT}`} className={styles.zero} />
      {low === undefined || high === undefined ? null : (
        <rect
          className={styles.band}
          x={low}
          width={Math.max(2, high - low)}
          y={MIDDLE - BAND}
          height={2 * BAND}
        />
      )}
      <path d={`M${zero} ${MIDDLE}H${end}`} className={styles.stem} />
      <MarkLink row={row} lane={lane} tip={tip} hovered className={styles.mark}>
        <circle className={styles.reach} cx={end} cy={MIDDLE} r={14} />
        <MarkShape
          mark="circle"
          x={end}
          y={MIDDLE}
          colour={ink}
          hollow={lane.hollow ?? false}
          crossed={lane.doubted}
        />
      </MarkLink>
      {label > 0 ? (
        <text className={styles.change} x={Math.max(zero, end, high ?? end) + 10} y={MIDDLE + 5}>
          {figure.change}
        </text>
      ) : null}
    </g>
  );
}
