import type { Answer, Group, MetricResult } from "../api/types";
import { groupColour } from "./charts/colours";
import type { ScatterPoint } from "./charts/points";
import type { Scale } from "../ui/format";
import { isDoubted } from "./cases";
import { medianText } from "./figures";
import { methodOf, usualMethod } from "./panels";
import { daggerText, type Sources } from "./sources";
import { caseLabel, readingOrder, type Words } from "./words";

/** A task's rate and the speed of the storage that it works on: one point a target. */
export function isScatter({ results }: Answer): boolean {
  return rateAndSpeed(results) !== undefined;
}

export function rateAndSpeed(
  results: MetricResult[],
): { rate: MetricResult; speed: MetricResult } | undefined {
  if (results.length !== 2) return undefined;
  const rate = results.find(({ metric }) => metric === "compression.speed");
  const speed = results.find(({ metric }) => metric.startsWith("disk."));
  return rate && speed && { rate, speed };
}

const keyOf = (group: Group) => JSON.stringify([group.key, group.published]);

/** Whether any target has both figures. */
export function hasTargets({ results }: Answer): boolean {
  const pair = rateAndSpeed(results);
  const speeds = new Set(pair?.speed.groups.map(keyOf));
  return pair?.rate.groups.some((rate) => speeds.has(keyOf(rate))) ?? false;
}

/**
 * Targets that have both; measured and published figures never share a point. Where a target was
 * measured by several methods, it stands at the speed by the one that most runs were of.
 */
export function scatterPoints(
  answer: Answer,
  words: Words,
  sources: Sources,
  scale: Scale,
): ScatterPoint[] {
  const pair = rateAndSpeed(answer.results);
  if (!pair) return [];
  const dimensions = readingOrder(words, answer.question.by);
  const usual = usualMethod(pair.speed.groups);
  const speeds = Map.groupBy(pair.speed.groups, keyOf);
  return pair.rate.groups.flatMap((rate) => {
    const several = speeds.get(keyOf(rate)) ?? [];
    const ofUsual = several.filter((group) => methodOf(group) === usual);
    return (ofUsual.length > 0 ? ofUsual : several).map((speed) => ({
      id: [keyOf(rate), methodOf(rate), methodOf(speed)].join(),
      x: speed.median / scale.divisor,
      y: rate.median / scale.divisor,
      text: [
        medianText(speed, pair.speed.unit, scale),
        medianText(rate, pair.rate.unit, scale),
      ] as const,
      label: caseLabel(words, dimensions, rate.key) || "All runs",
      colour: groupColour(rate.key),
      mark: "square" as const,
      hollow: rate.published,
      crossed: isDoubted(rate) || isDoubted(speed),
      dagger: daggerText(sources, [...(rate.citations ?? []), ...(speed.citations ?? [])]),
      behind: [rate.machines, speed.machines] as const,
    }));
  });
}
