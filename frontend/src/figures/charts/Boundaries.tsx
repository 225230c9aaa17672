import { usePlotArea, useXAxisScale } from "recharts";
import type { Boundary } from "../../api/types";
import { PER_CHARACTER } from "./axis";
import styles from "./charts.module.css";

interface Props {
  boundaries: Boundary[];
  /** Unit above the axis, which no label may cover. */
  unit: string;
}

/** Lines where a tier of cores is full, with labels; those on the right are placed first. */
export function Boundaries({ boundaries, unit }: Props) {
  const plot = usePlotArea();
  const scale = useXAxisScale();
  const at = (place: number) => Number(scale?.(place));
  // Before layout, nothing has a position.
  if (!plot || boundaries.some(({ low, high }) => Number.isNaN(at(low) + at(high)))) return null;
  const words = placed(boundaries, at, unit);
  return boundaries.map(({ low, high, text }, place) => (
    <g key={text}>
      <path
        className={styles.boundary}
        d={[...new Set([low, high])].map((end) => `M${at(end)} ${plot.y}v${plot.height}`).join("")}
      />
      <text className={styles.tick} x={words[place]} y={plot.y - 14}>
        {words[place] === undefined ? null : text}
      </text>
    </g>
  ));
}

/** Start of each label; undefined if it would overlap the next one. */
function placed(
  boundaries: readonly Boundary[],
  at: (place: number) => number,
  unit: string,
): (number | undefined)[] {
  const starts: (number | undefined)[] = [];
  let free = Number.POSITIVE_INFINITY;
  for (const { high, text } of boundaries.toReversed()) {
    const width = text.length * PER_CHARACTER;
    const start = Math.max((unit.length + 1) * PER_CHARACTER, at(high) - width);
    const fits = start + width <= free;
    if (fits) free = start - PER_CHARACTER;
    starts.unshift(fits ? start : undefined);
  }
  return starts;
}
