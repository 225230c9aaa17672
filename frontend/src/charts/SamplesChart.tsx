import { type PointerEvent, type ReactElement, useMemo, useState } from "react";
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
import type { Scale } from "../format";
import styles from "./charts.module.css";
import type { Sample } from "./sample";
import { zeroAxis } from "./scale";

const HEIGHT = 280;

interface Props {
  samples: Sample[];
  width: number;
  scale: Scale;
  /** Top of the axis, shared with neighbouring charts. */
  largest: number;
  /** A sample in words, for the one under the pointer. */
  read: (sample: Sample) => string;
}

/** Up to tens of thousands of points: drawn as one path a size and not as an element each. */
export default function SamplesChart({
  samples,
  width,
  scale,
  largest,
  read,
}: Props): ReactElement {
  const y = zeroAxis(largest / scale.divisor);
  const last = Math.max(...samples.map((sample) => sample.position));
  const x = zeroAxis(last);
  const corners = [
    { x: x.domain[0], y: y.domain[0] },
    { x: x.domain[1], y: y.domain[1] },
  ];
  return (
    <ScatterChart
      width={width}
      height={HEIGHT}
      margin={{ top: 26, right: 10, bottom: 16, left: 0 }}
      accessibilityLayer={false}
      className={styles.chart}
    >
      <CartesianGrid vertical={false} stroke="var(--rule)" />
      <XAxis
        type="number"
        dataKey="x"
        domain={x.domain}
        ticks={x.ticks}
        tickLine={{ stroke: "var(--ink-3)" }}
        axisLine={{ stroke: "var(--ink-3)" }}
        label={{
          value: "Place in the run",
          position: "insideBottom",
          offset: -10,
          className: styles.axisName,
        }}
      />
      <YAxis
        type="number"
        dataKey="y"
        domain={y.domain}
        ticks={y.ticks}
        width={40}
        tickLine={false}
        axisLine={false}
      />
      {/* Without a point of its own Recharts lays out no axes for the layer below. */}
      <Scatter data={corners} shape={() => <g />} isAnimationActive={false} />
      <Points samples={samples} scale={scale} read={read} />
    </ScatterChart>
  );
}

function Points({ samples, scale, read }: Pick<Props, "samples" | "scale" | "read">) {
  const plot = usePlotArea();
  const xScale = useXAxisScale();
  const yScale = useYAxisScale();
  const [near, setNear] = useState<Sample>();
  const groups = useMemo(() => {
    const at = (sample: Sample) =>
      `M${Number(xScale?.(sample.position)).toFixed(1)} ${Number(yScale?.(sample.value / scale.divisor)).toFixed(1)}h0`;
    const paths = new Map<number, string>();
    if (!xScale || !yScale) return paths;
    for (const sample of samples) {
      const thickness = thicknessOf(sample);
      paths.set(thickness, (paths.get(thickness) ?? "") + at(sample));
    }
    return paths;
  }, [samples, scale.divisor, xScale, yScale]);
  if (!plot || !xScale || !yScale) return null;

  const follow = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const px = plot.x + event.clientX - box.left;
    const py = plot.y + event.clientY - box.top;
    let best: Sample | undefined;
    let distance = 24 ** 2;
    for (const sample of samples) {
      const d =
        (Number(xScale(sample.position)) - px) ** 2 +
        (Number(yScale(sample.value / scale.divisor)) - py) ** 2;
      if (d < distance) [best, distance] = [sample, d];
    }
    setNear(best);
  };

  return (
    <g>
      <text className={styles.axisTitle} x={0} y={plot.y - 14}>
        {scale.symbol}
      </text>
      {[...groups].map(([thickness, d]) => (
        <path
          key={thickness}
          d={d}
          style={{
            stroke: "var(--ink)",
            strokeWidth: thickness,
            strokeLinecap: "round",
            opacity: 0.55,
          }}
        />
      ))}
      {near ? (
        <>
          <circle
            cx={Number(xScale(near.position))}
            cy={Number(yScale(near.value / scale.divisor))}
            r={6}
            style={{ fill: "none", stroke: "var(--accent)", strokeWidth: 1.5 }}
          />
          <text
            className={styles.axisTitle}
            x={plot.x + plot.width}
            y={plot.y - 14}
            textAnchor="end"
          >
            {read(near)}
          </text>
        </>
      ) : null}
      <rect
        className={styles.reach}
        x={plot.x}
        y={plot.y}
        width={plot.width}
        height={plot.height}
        onPointerMove={follow}
        onPointerLeave={() => setNear(undefined)}
      />
    </g>
  );
}

/** From 2.5 pixels for 2 MB to 8 for 2 GB. */
function thicknessOf({ fileSize }: Sample): number {
  if (fileSize === undefined || fileSize <= 0) return 4;
  const decades = Math.log10(fileSize / 2e6);
  return Math.round(Math.min(8, Math.max(2.5, 2.5 + decades * 1.8)) * 2) / 2;
}
