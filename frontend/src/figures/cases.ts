import type { Case, Chart, Figure, Lane } from "../api/types";

/** The cases that are drawn: others stand in the table alone. */
export function drawnCases({ cases = [] }: Chart): Case[] {
  return cases.filter(({ undrawn }) => !undrawn);
}

/** A chart's lanes with their cases, by the lanes' ids. */
export function placesOf({ cases = [] }: Chart): ReadonlyMap<string, { of: Case; lane: Lane }> {
  return new Map(cases.flatMap((of) => of.lanes.map((lane) => [lane.id, { of, lane }])));
}

/** What each lane is of, by its id: "Internal SSD · FileVault". */
export function namesOfLanes({ charts }: Figure): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { cases = [] } of charts) {
    let heading = "";
    for (const { heading: own, label, lanes } of cases) {
      heading = own || heading;
      const name = [heading, label].filter(Boolean).join(" · ");
      for (const { id } of lanes) names.set(id, name);
    }
  }
  return names;
}
