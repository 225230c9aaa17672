import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { SearchLists } from "../links/search";

export interface Sort {
  id: string;
  desc: boolean;
}

/** The order that the address names: `sort=runs`, or `sort=-runs` for the largest first. */
export function sortIn({ sort }: SearchLists): Sort | undefined {
  const told = sort?.at(-1);
  if (!told) return undefined;
  return told.startsWith("-") ? { id: told.slice(1), desc: true } : { id: told, desc: false };
}

export function useSort(): Sort | undefined {
  // Only what is read here: a chart is not drawn again for another part of the address.
  const told = useSearch({ strict: false, select: ({ sort }) => sort?.at(-1) });
  return useMemo(() => (told ? sortIn({ sort: [told] }) : undefined), [told]);
}
