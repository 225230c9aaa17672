import type { ReactElement, ReactNode } from "react";
import {
  CartesianGrid,
  Scatter,
  ScatterChart,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import styles from "./charts.module.css";
import type { Axis } from "../../api/types";
import { rechartsAxis, roomyTicks } from "./axis";

/** The plot area and the pixel positions of values on both axes. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
  x: (value: number) => number;
  y: (value: number) => number;
}

interface Props {
  width: number;
  height: number;
  x: Axis;
  y: Axis;
  /** Draw over the axes. */
  children: (plot: Plot) => ReactNode;
}

/** Two numeric axes; the caller draws the marks, as it knows how many there are. */
export default function ScatterPlot({ width, height, x, y, children }: Props): ReactElement {
  const corners = [
    { x: x.low, y: y.low },
    { x: x.high, y: y.high },
  ];
  return (
    <ScatterChart
      width={width}
      height={height}
      margin={{ top: 26, right: 16, bottom: 16, left: 0 }}
      accessibilityLayer={false}
      className={styles.chart}
    >
      <CartesianGrid syncWithTicks vertical={false} stroke="var(--rule)" />
      <XAxis
        {...rechartsAxis(x, roomyTicks(x, width))}
        dataKey="x"
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
        {...rechartsAxis(y, y.ticks)}
        dataKey="y"
        width={40}
        tickLine={false}
        axisLine={false}
      />
      {/* Without its own point, Recharts lays out no axes for the layer below. */}
      <Scatter data={corners} shape={() => <g />} isAnimationActive={false} />
      <Layer title={y.title}>{children}</Layer>
    </ScatterChart>
  );
}

function Layer({ title, children }: { title: string; children: Props["children"] }) {
  const area = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  if (!area || !xScale || !yScale) return null;
  return (
    <g>
      <text className={styles.axisTitle} x={0} y={area.y - 14}>
        {title}
      </text>
      {children({
        left: area.x,
        top: area.y,
        width: area.width,
        height: area.height,
        x: (value) => Number(xScale(value)),
        y: (value) => Number(yScale(value)),
      })}
    </g>
  );
}
