import { usePlotArea, useXAxisScale } from "recharts";
import type { Boundary } from "../../api/types";
import { PER_CHARACTER } from "./axis";
import styles from "./charts.module.css";

interface Props {
  boundaries: Boundary[];
  /** Unit above the axis, which no label may cover. */
  unit: string;
}

/** Lines such as those where a tier of cores is full, each with its label above the plot. */
export function Boundaries({ boundaries, unit }: Props) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  const at = (value: number) => Number(scale?.(value));
  // Before layout, nothing has a position.
  if (!plot || boundaries.some(({ low, high }) => Number.isNaN(at(low) + at(high)))) return null;
  const labels = labelled(
    boundaries.map(({ high, text }) => ({ end: at(high), width: text.length * PER_CHARACTER })),
    (unit.length + 1) * PER_CHARACTER,
  );
  return boundaries.map(({ low, high, text }, index) => {
    const { x, row } = labels[index] ?? { x: at(high), row: 0 };
    return (
      <g key={text}>
        <path
          className={styles.boundary}
          d={[...new Set([low, high])]
            .map((end) => `M${at(end)} ${plot.y}v${plot.height}`)
            .join("")}
        />
        <text className={`${styles.tick} ${styles.over}`} x={x} y={plot.y - 14 + row * ROW}>
          {text}
        </text>
      </g>
    );
  });
}

/** Distance between rows of labels: those after the first are inside the plot. */
const ROW = 28;

interface Label {
  /** Where the text should end, and its width. */
  end: number;
  width: number;
}

/**
 * Where each label starts: those on the right are placed first, and each in the first row in which
 * it overlaps none of them. In the first row, `least` is taken by the unit.
 */
export function labelled(labels: readonly Label[], least: number): { x: number; row: number }[] {
  const free: number[] = [];
  return labels
    .toReversed()
    .map(({ end, width }) => {
      for (let row = 0; ; row++) {
        const x = Math.max(row === 0 ? least : 0, end - width);
        if (x + width <= (free[row] ?? Number.POSITIVE_INFINITY)) {
          free[row] = x - PER_CHARACTER;
          return { x, row };
        }
      }
    })
    .toReversed();
}
