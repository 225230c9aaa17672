import { useEffect } from "react";
import { fleetOf, inFleet } from "../links/fleet";
import type { SearchLists } from "../links/search";

export type OnSearch = (search: SearchLists, how?: { replace: boolean }) => void;

/**
 * The fleet that a page of one thing is about, if it is about one. Questions have to name the
 * `fleet` of a private thing, so it joins the page's address: the header says it, and all links stay
 * in it.
 */
export function useFleet(
  fleet: string | null,
  search: SearchLists,
  onSearch: OnSearch,
): string | undefined {
  useEffect(() => {
    if (fleet !== null && fleetOf(search) !== fleet) {
      onSearch(inFleet(search, fleet), { replace: true });
    }
  }, [fleet, search, onSearch]);
  return fleet ?? fleetOf(search);
}
