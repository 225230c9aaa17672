/** Round ticks for axes that no response includes. Pure arithmetic. */

/** The smallest of 1, 2 or 5 times a power of ten that is about `least` or more. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least * 0.999) ?? 10;
  return Number((factor * power).toPrecision(12));
}

/** Round numbers from `first` to `last`, about `most` at most. */
export function roundTicks(first: number, last: number, most: number): number[] {
  const step = roundStep((last - first) / most);
  const ticks: number[] = [];
  for (let n = Math.ceil(first / step); n * step <= last; n++) {
    ticks.push(Number((n * step).toPrecision(12)));
  }
  return ticks;
}
