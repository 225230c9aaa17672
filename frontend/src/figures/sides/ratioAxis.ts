import { type Axis, ratioAxis } from "../charts/scale";

/** Room for each tick's label; a phone has half of a desktop's ticks. */
const MOST_TICKS = 6;

/** The axis under all `ratios` and the ends of their intervals. */
export function axisOf(ratios: Iterable<number | null | undefined>): Axis {
  const known: number[] = [];
  for (const ratio of ratios) if (typeof ratio === "number" && ratio > 0) known.push(ratio);
  return ratioAxis(known, MOST_TICKS);
}

/** Where a ratio is between the ends of its logarithmic axis, in percent of its width. */
export function placeOf({ domain: [low, high] }: Axis, ratio: number): number {
  const place = Math.log(ratio / low) / Math.log(high / low);
  return Number((Math.min(1, Math.max(0, place)) * 100).toFixed(2));
}
