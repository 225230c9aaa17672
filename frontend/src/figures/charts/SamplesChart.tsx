import { type PointerEvent, type ReactElement, useMemo, useState } from "react";
import type { SamplesPanel } from "../../api/types";
import styles from "./charts.module.css";
import type { Sample } from "./sample";
import ScatterPlot, { type Plot } from "./ScatterPlot";

const HEIGHT = 280;

interface Props {
  panel: SamplesPanel & { samples: Sample[] };
  width: number;
  /** Return the text of the sample under the pointer. */
  read: (sample: Sample) => string;
}

/** Up to tens of thousands of points: drawn as one path per size rather than one element each. */
export default function SamplesChart({ panel, width, read }: Props): ReactElement {
  const { samples, divisor, across, up } = panel;
  return (
    <ScatterPlot width={width} height={HEIGHT} x={across} y={up}>
      {(plot) => <Points plot={plot} samples={samples} divisor={divisor} read={read} />}
    </ScatterPlot>
  );
}

interface PointsProps extends Pick<Props, "read"> {
  plot: Plot;
  samples: Sample[];
  divisor: number;
}

function Points({ plot, samples, divisor, read }: PointsProps) {
  const [near, setNear] = useState<Sample>();
  const heightOf = (sample: Sample) => plot.y(sample.value / divisor);
  const groups = useMemo(() => {
    const paths = new Map<number, string>();
    for (const sample of samples) {
      const thickness = thicknessOf(sample);
      const x = plot.x(sample.position).toFixed(1);
      const y = plot.y(sample.value / divisor).toFixed(1);
      paths.set(thickness, `${paths.get(thickness) ?? ""}M${x} ${y}h0`);
    }
    return paths;
  }, [samples, divisor, plot]);

  const follow = (event: PointerEvent<SVGRectElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const px = plot.left + event.clientX - box.left;
    const py = plot.top + event.clientY - box.top;
    let best: Sample | undefined;
    let distance = 24 ** 2;
    for (const sample of samples) {
      const d = (plot.x(sample.position) - px) ** 2 + (heightOf(sample) - py) ** 2;
      if (d < distance) [best, distance] = [sample, d];
    }
    setNear(best);
  };

  return (
    <g>
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
            cx={plot.x(near.position)}
            cy={heightOf(near)}
            r={6}
            style={{ fill: "none", stroke: "var(--accent)", strokeWidth: 1.5 }}
          />
          <text
            className={styles.axisTitle}
            x={plot.left + plot.width}
            y={plot.top - 14}
            textAnchor="end"
          >
            {read(near)}
          </text>
        </>
      ) : null}
      <rect
        className={styles.reach}
        x={plot.left}
        y={plot.top}
        width={plot.width}
        height={plot.height}
        onPointerMove={follow}
        onPointerLeave={() => setNear(undefined)}
      />
    </g>
  );
}

/** Thickness from 2.5 pixels for 2 MB to 8 for 2 GB. */
function thicknessOf({ fileSize }: Sample): number {
  if (fileSize === undefined || fileSize <= 0) return 4;
  const decades = Math.log10(fileSize / 2e6);
  return Math.round(Math.min(8, Math.max(2.5, 2.5 + decades * 1.8)) * 2) / 2;
}
