/** Samples by pixel column: ten thousand of them on 800 pixels look the same. */

type Values = readonly (number | undefined)[];

/** The samples of one column: a half-open range of indices. */
export interface Step {
  from: number;
  to: number;
}

/** At most one step per column, covering all samples; times are ascending. */
export function steps(times: readonly number[], columns: number): Step[] {
  if (times.length <= columns) return times.map((_, index) => ({ from: index, to: index + 1 }));
  const [first = 0, last = 1] = [times[0], times.at(-1)];
  const columnOf = (time = last) =>
    Math.min(columns - 1, Math.floor(((time - first) / (last - first)) * columns));
  const spans: Step[] = [];
  for (let from = 0; from < times.length; ) {
    const column = columnOf(times[from]);
    let to = from + 1;
    while (to < times.length && columnOf(times[to]) === column) to++;
    spans.push({ from, to });
    from = to;
  }
  return spans;
}

/** Mean and range of a step's samples. */
export interface Reach {
  mean: number;
  low: number;
  high: number;
}

/** Undefined if none of the step's samples has a value. */
export function reachOf(values: Values, { from, to }: Step): Reach | undefined {
  let [sum, n, low, high] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let index = from; index < to; index++) {
    const value = values[index];
    if (value === undefined) continue;
    sum += value;
    n++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return n === 0 ? undefined : { mean: sum / n, low, high };
}

/**
 * Cumulative sums of tracks at each time: entry 0 is the baseline, entry n the top of the n-th. A
 * time at which any of them has a gap has no sum.
 */
export function stacked(tracks: readonly Values[]): Values[] {
  const layers: (number | undefined)[][] = [Array.from(tracks[0] ?? [], () => 0)];
  for (const track of tracks) {
    const below = layers.at(-1) ?? [];
    layers.push(
      track.map((value, at) => {
        const ground = below[at];
        return value === undefined || ground === undefined ? undefined : ground + value;
      }),
    );
  }
  const top = layers.at(-1) ?? [];
  return layers.map((layer) =>
    layer.map((value, at) => (top[at] === undefined ? undefined : value)),
  );
}
