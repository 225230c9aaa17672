import type { Case, Chart, Lane } from "../api/types";

/** The cases that are drawn: others stand in the table alone. */
export function drawnCases({ cases = [] }: Chart): Case[] {
  return cases.filter(({ undrawn }) => !undrawn);
}

/** A chart's lanes by their ids. */
export function lanesOf({ cases = [] }: Chart): ReadonlyMap<string, Lane> {
  return new Map(cases.flatMap(({ lanes }) => lanes.map((lane) => [lane.id, lane])));
}
