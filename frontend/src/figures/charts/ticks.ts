/** Round ticks for axes that are computed here, because no response includes them. */

/** The smallest of 1, 2 or 5 times a power of ten that is about `least` or more. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((candidate) => candidate * power >= least * 0.999) ?? 10;
  return Number((factor * power).toPrecision(12));
}

/** Round numbers between `first` and `last`: `maxTicks` of them, or a few more or less. */
export function roundTicks(first: number, last: number, maxTicks: number): number[] {
  const step = roundStep((last - first) / maxTicks);
  const ticks: number[] = [];
  for (let multiple = Math.ceil(first / step); multiple * step <= last; multiple++) {
    ticks.push(Number((multiple * step).toPrecision(12)));
  }
  return ticks;
}
