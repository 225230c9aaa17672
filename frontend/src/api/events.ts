import { type Question, toSearch } from "../links/question";
import { type Side, sidesSearch } from "../links/sides";
import { printSearch } from "../links/search";

/** The new runs that matter to a page; with sides, the runs of any side. */
export interface Followed extends Pick<Question, "metrics" | "where" | "flagged"> {
  sides?: Side[];
}

/** Address of the stream of new runs after `since`, the answer's time; from now if empty. */
export function eventsAddress(followed: Followed, since: string): string {
  const { metrics, where, flagged, sides } = followed;
  const common = { metrics, where, flagged, weight: "machine" } as const;
  const parameters = sides
    ? sidesSearch({ ...common, baseline: 1, sides: sides.map((side) => ({ where: side.where })) })
    : toSearch({ ...common, by: [], relativeTo: [] });
  return `/api/v1/events?${printSearch({ ...parameters, ...(since ? { since: [since] } : {}) })}`;
}
