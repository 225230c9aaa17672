import type { MetricResult } from "../../api/types";

type Fit = MetricResult["fits"][number];

const STEPS = 64;

/** y of a fitted curve at x, both in base units; coefficients in the order of its equation. */
export function valueAt(
  { model, coefficients }: Pick<Fit, "model" | "coefficients">,
  x: number,
): number {
  if (model === "power") return (coefficients[0] ?? 0) * x ** (coefficients[1] ?? 0);
  return coefficients.reduce((sum, coefficient, power) => sum + coefficient * x ** power, 0);
}

/** Points of the curve at even steps of the axis, from its first measured place to its last. */
export function pointsOf(
  fit: Pick<Fit, "model" | "coefficients" | "low" | "high">,
  logarithmic: boolean,
): { x: number; y: number }[] {
  const { low, high } = fit;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = step / STEPS;
    const x = logarithmic ? low * (high / low) ** share : low + (high - low) * share;
    return { x, y: valueAt(fit, x) };
  });
}
