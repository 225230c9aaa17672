import type { Case, Chart, Figure, Lane } from "../api/types";

/** The cases that are drawn: others are only in the table. */
export function drawnCases({ cases = [] }: Chart): Case[] {
  return cases.filter(({ undrawn }) => !undrawn);
}

/** The cases with the lanes that `keeps` selects; a heading moves to the first remaining case. */
export function withLanes(cases: readonly Case[], keeps: (lane: Lane) => boolean): Case[] {
  let headed: Case | undefined;
  return cases.flatMap((row) => {
    if (row.heading) headed = row;
    const lanes = row.lanes.filter(keeps);
    if (lanes.length === 0) return [];
    const { heading, swatch } = headed ?? row;
    headed = undefined;
    return [{ ...row, heading, swatch, lanes }];
  });
}

/** A chart's lanes with their cases, by lane id. */
export function lanesByIdOf({ cases = [] }: Chart): ReadonlyMap<string, { row: Case; lane: Lane }> {
  return new Map(cases.flatMap((row) => row.lanes.map((lane) => [lane.id, { row, lane }])));
}

/** The name of each lane's case by lane id: "Internal SSD · FileVault". */
export function namesOfLanes({ charts }: Figure): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { cases = [] } of charts) {
    let heading = "";
    for (const { heading: ownHeading, label, lanes } of cases) {
      heading = ownHeading || heading;
      const name = [heading, label].filter(Boolean).join(" · ");
      for (const { id } of lanes) names.set(id, name);
    }
  }
  return names;
}
