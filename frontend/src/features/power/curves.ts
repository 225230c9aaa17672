import type { MetricResult } from "../../api/types";

type Fit = Pick<MetricResult["fits"][number], "model" | "coefficients" | "low" | "high">;
interface Point {
  x: number;
  y: number;
}

const STEPS = 64;

/** y of a fitted curve at x, both in base units; coefficients in the order of its equation. */
export function valueAt(
  { model, coefficients }: Pick<Fit, "model" | "coefficients">,
  x: number,
): number {
  if (model === "power") return (coefficients[0] ?? 0) * x ** (coefficients[1] ?? 0);
  return coefficients.reduce((sum, coefficient, power) => sum + coefficient * x ** power, 0);
}

/** The curve as it is written where x and y are divided so: "y = 0.174491 + 0.217292 x". */
export function equationIn(
  { model, coefficients }: Pick<Fit, "model" | "coefficients">,
  x: number,
  y: number,
): string {
  const [first = 0, second = 0] = coefficients;
  if (model === "power") return `y = ${digits((first * x ** second) / y)} x^${digits(second)}`;
  return coefficients
    .map((coefficient, power) => (coefficient * x ** power) / y)
    .reduce((text, term, power) => {
      if (power === 0) return `y = ${digits(term)}`;
      if (term === 0) return text;
      const raised = power > 1 ? `^${power}` : "";
      return `${text} ${term < 0 ? "-" : "+"} ${digits(Math.abs(term))} x${raised}`;
    }, "");
}

/** As many as the API's equations have. */
const digits = (value: number) => String(Number(value.toPrecision(6)));

/** Points of the curve at even steps of the axis, from its first measured place to its last. */
export function pointsOf(fit: Fit, logarithmic: boolean): Point[] {
  return between(fit, fit.low, fit.high, logarithmic);
}

/** The same from each end of its range to that of the axis: there it is extrapolated. */
export function beyondOf(
  fit: Fit,
  [first, last]: readonly [number, number],
  logarithmic: boolean,
): Point[][] {
  const stretches = [];
  if (first < fit.low) stretches.push(between(fit, first, fit.low, logarithmic));
  if (last > fit.high) stretches.push(between(fit, fit.high, last, logarithmic));
  return stretches;
}

function between(fit: Fit, low: number, high: number, logarithmic: boolean): Point[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS;
    const x = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
    return { x, y: valueAt(fit, x) };
  });
}
