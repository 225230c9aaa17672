import { type Question, toSearch } from "../../links/question";
import { printSearch } from "../../links/search";

/** What decides which new runs matter to a page. */
export type Followed = Pick<Question, "metrics" | "where" | "flagged">;

/** Where runs that match are told, from `since` on, an answer's own moment; empty: from now on. */
export function eventsAddress({ metrics, where, flagged }: Followed, since: string): string {
  const asked = toSearch({ metrics, where, flagged, by: [], relativeTo: [], weight: "machine" });
  return `/api/v1/events?${printSearch({ ...asked, ...(since ? { since: [since] } : {}) })}`;
}
