/** Round numbers on axes that no response brings. Arithmetic only. */

/** 1, 2 or 5 times a power of ten, and at least about so much. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => one * power >= least * 0.999) ?? 10;
  return Number((factor * power).toPrecision(12));
}

/** Round numbers from `first` to `last`, at most about so many. */
export function roundTicks(first: number, last: number, most: number): number[] {
  const step = roundStep((last - first) / most);
  const ticks: number[] = [];
  for (let n = Math.ceil(first / step); n * step <= last; n++) {
    ticks.push(Number((n * step).toPrecision(12)));
  }
  return ticks;
}
