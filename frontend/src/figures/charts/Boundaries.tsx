import { usePlotArea, useXAxisScale } from "recharts";
import type { Boundary } from "../../api/types";
import { PER_CHARACTER } from "./axis";
import styles from "./charts.module.css";

interface Props {
  boundaries: Boundary[];
  /** Unit above the axis, which no label may cover. */
  unit: string;
}

/** Vertical lines, for example where a tier of cores is full, with labels at the top of the plot. */
export function Boundaries({ boundaries, unit }: Props) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  const xOf = (value: number) => Number(scale?.(value));
  // Before layout, nothing has a position.
  if (!plot || boundaries.some(({ low, high }) => Number.isNaN(xOf(low) + xOf(high)))) return null;
  const labels = placeLabels(
    boundaries.map(({ high, text }) => ({ end: xOf(high), width: text.length * PER_CHARACTER })),
    (unit.length + 1) * PER_CHARACTER,
  );
  return boundaries.map(({ low, high, text }, index) => {
    const { x, row } = labels[index] ?? { x: xOf(high), row: 0 };
    return (
      <g key={text}>
        <path
          className={styles.boundary}
          d={[...new Set([low, high])]
            .map((end) => `M${xOf(end)} ${plot.y}v${plot.height}`)
            .join("")}
        />
        <text className={`${styles.tick} ${styles.over}`} x={x} y={plot.y - 14 + row * ROW_HEIGHT}>
          {text}
        </text>
      </g>
    );
  });
}

/** Height of a row of labels: those after the first are inside the plot. */
const ROW_HEIGHT = 28;

interface Label {
  /** Where the text should end, and its width. */
  end: number;
  width: number;
}

/**
 * Position and row of each label. Those on the right are placed first, and each in the first row in
 * which it overlaps none of them. The start of the first row is taken by the unit.
 */
export function placeLabels(
  labels: readonly Label[],
  unitWidth: number,
): { x: number; row: number }[] {
  const freeUntil: number[] = [];
  return labels
    .toReversed()
    .map(({ end, width }) => {
      for (let row = 0; ; row++) {
        const x = Math.max(row === 0 ? unitWidth : 0, end - width);
        if (x + width <= (freeUntil[row] ?? Number.POSITIVE_INFINITY)) {
          freeUntil[row] = x - PER_CHARACTER;
          return { x, row };
        }
      }
    })
    .toReversed();
}
