/** Days on a time axis: pure arithmetic, in milliseconds and UTC. */

import { PER_CHARACTER } from "../../figures/charts/axis";

const DAY = 86_400_000;
const DAYS = [1, 2, 7, 14];
const MONTHS = [1, 3, 6, 12, 24, 60];

/** Midnights or firsts of months within the span, at most `most` of them. */
export function timeTicks(from: number, to: number, most: number): number[] {
  const span = to - from;
  const days = DAYS.find((step) => span / (step * DAY) <= most);
  if (days !== undefined) {
    const step = days * DAY;
    const ticks: number[] = [];
    for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
    return ticks;
  }
  const months = MONTHS.find((step) => span / (step * 30 * DAY) <= most) ?? 120;
  const start = new Date(from);
  const ticks: number[] = [];
  for (let month = start.getUTCMonth(); ; month++) {
    const at = Date.UTC(start.getUTCFullYear(), month, 1);
    if (at > to) return ticks;
    const whole = start.getUTCFullYear() * 12 + month;
    if (at >= from && whole % months === 0) ticks.push(at);
  }
}

/** A span that shows a single time in its middle, and several with room at the ends. */
export function spanOf(moments: number[]): [number, number] {
  const low = Math.min(...moments);
  const high = Math.max(...moments);
  const room = Math.max((high - low) * 0.03, DAY / 4);
  return [low - room, high + room];
}

/** Height of a machine's timeline in pixels. */
export const PLOT_HEIGHT = 280;

/** Room after a label. */
const GAP = 12;
const roomOf = (text: string) => text.length * PER_CHARACTER + GAP;

/**
 * Labels that neither overlap nor leave the chart, and where each starts: those at steps first, then
 * the newest. One without room is shortened to "26.4", or else empty.
 */
export function withRoom<Mark extends { x: number; text: string; isStep: boolean }>(
  marks: readonly Mark[],
  width: number,
): (Mark & { start: number })[] {
  const placed = new Map<Mark, { text: string; start: number }>();
  const newest = marks.toReversed();
  for (const mark of [...newest.filter((it) => it.isStep), ...newest.filter((it) => !it.isStep)]) {
    const short = mark.text.replace(/^macOS /, "");
    const isFree = (label: { text: string; start: number }) =>
      label.start + roomOf(label.text) <= width &&
      [...placed.values()].every(
        ({ text, start }) =>
          start + roomOf(text) <= label.start || label.start + roomOf(label.text) <= start,
      );
    const label = [
      { text: mark.text, start: mark.x },
      { text: short, start: Math.min(mark.x, width - roomOf(short)) },
    ].find(isFree);
    if (label) placed.set(mark, label);
  }
  return marks.map((mark) => ({ ...mark, start: mark.x, text: "", ...placed.get(mark) }));
}
