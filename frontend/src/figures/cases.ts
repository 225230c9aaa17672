import type { Case, Chart, Figure, Lane } from "../api/types";

/** The cases that are drawn: others are only in the table. */
export function drawnCases({ cases = [] }: Chart): Case[] {
  return cases.filter(({ undrawn }) => !undrawn);
}

/** The cases with the lanes that `keeps` selects; a heading moves to the first remaining case. */
export function withLanes(cases: readonly Case[], keeps: (lane: Lane) => boolean): Case[] {
  let headed: Case | undefined;
  return cases.flatMap((of) => {
    if (of.heading) headed = of;
    const lanes = of.lanes.filter(keeps);
    if (lanes.length === 0) return [];
    const { heading, swatch } = headed ?? of;
    headed = undefined;
    return [{ ...of, heading, swatch, lanes }];
  });
}

/** A chart's lanes with their cases, by lane id. */
export function placesOf({ cases = [] }: Chart): ReadonlyMap<string, { of: Case; lane: Lane }> {
  return new Map(cases.flatMap((of) => of.lanes.map((lane) => [lane.id, { of, lane }])));
}

/** The name of each lane's case by lane id: "Internal SSD · FileVault". */
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
