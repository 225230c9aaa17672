import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { SearchLists } from "../links/search";

export interface Sort {
  id: string;
  desc: boolean;
}

/** The order in an address: `sort=runs`, or `sort=-runs` for largest first. */
export function sortIn({ sort }: SearchLists): Sort | undefined {
  const text = sort?.at(-1);
  if (!text) return undefined;
  return text.startsWith("-") ? { id: text.slice(1), desc: true } : { id: text, desc: false };
}

export function useSort(): Sort | undefined {
  // Select only `sort`: other changes of the address must not redraw a chart.
  const sortText = useSearch({ strict: false, select: ({ sort }) => sort?.at(-1) });
  return useMemo(() => (sortText ? sortIn({ sort: [sortText] }) : undefined), [sortText]);
}
