import type { Axis, Tick } from "../../api/types";

/** Mean width of a character in our small labels. */
export const PER_CHARACTER = 6.6;
/** Minimum gap between the texts of two ticks. */
const GAP = 14;

/**
 * Return the function from a value to its distance from the low end of an axis `length` pixels
 * long.
 */
export function placeOn({ low, high, log }: Axis, length: number): (value: number) => number {
  if (log) return (value) => (Math.log(value / low) / Math.log(high / low)) * length;
  return (value) => ((value - low) / (high - low)) * length;
}

/** The ticks whose texts fit beside more important ones, from low to high. */
export function roomyTicks(axis: Axis, length: number): Tick[] {
  const at = placeOn(axis, length);
  const labels: { tick: Tick; x: number; half: number }[] = [];
  for (const tick of axis.ticks) {
    const [x, half] = [at(tick.at), (tick.text.length * PER_CHARACTER + GAP) / 2];
    if (labels.every((label) => Math.abs(label.x - x) >= label.half + half)) {
      labels.push({ tick, x, half });
    }
  }
  return labels.map(({ tick }) => tick).toSorted((a, b) => a.at - b.at);
}

/** Recharts props of an axis: its ends, its ticks and their texts. */
export function rechartsAxis(axis: Axis, ticks: readonly Tick[]) {
  const texts = new Map(ticks.map(({ at, text }) => [at, text]));
  return {
    type: "number" as const,
    scale: axis.log ? ("log" as const) : ("linear" as const),
    domain: [axis.low, axis.high],
    ticks: ticks.map(({ at }) => at),
    tickFormatter: (value: number) => texts.get(value) ?? "",
    interval: 0 as const,
  };
}

/** With fewer ticks, zooming shows nothing more. */
const FEWEST_TICKS = 4;

export const canZoom = (axis: Axis | null | undefined) => (axis?.ticks.length ?? 0) >= FEWEST_TICKS;
