import type { Case, Chart, Lane } from "../api/types";

/** The cases that are drawn: others stand in the table alone. */
export function drawnCases({ cases = [] }: Chart): Case[] {
  return cases.filter(({ undrawn }) => !undrawn);
}

/** A chart's lanes with their cases, by the lanes' ids. */
export function placesOf({ cases = [] }: Chart): ReadonlyMap<string, { of: Case; lane: Lane }> {
  return new Map(cases.flatMap((of) => of.lanes.map((lane) => [lane.id, { of, lane }])));
}
