import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { client, dataOf } from "../api/client";
import type { FilterWords } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import type { Words } from "./words";

/** What a filter says: "is" and "USB4"; `alone` where nothing says of what it is. */
export type Told = Pick<FilterWords, "verb" | "value" | "alone">;

export interface Filters {
  tell: (clause: Clause) => Told;
  /** A text for each dimension: "Storage: USB4 or Thunderbolt 5". */
  told: string[];
}

/** Filters in words: they change with the server's version only. */
function filtersQuery(where: readonly Clause[]) {
  const query = { where: [...new Set(where.map(printClause))].toSorted() };
  return queryOptions({
    queryKey: ["filters", query],
    queryFn: ({ signal }) => dataOf(client.GET("/api/v1/filters", { params: { query }, signal })),
    enabled: query.where.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What filters say; until the server has said it, their values by the catalogue's words. */
export function useFilters(where: readonly Clause[], words: Words | undefined): Filters {
  const { data } = useQuery({ ...filtersQuery(where), placeholderData: keepPreviousData });
  const known = new Map((data?.filters ?? []).map((one) => [one.where, one]));
  return {
    tell: (clause) => known.get(printClause(clause)) ?? untold(clause, words),
    told: where.length > 0 ? (data?.told ?? []) : [],
  };
}

function untold({ dimension, op, value }: Clause, words: Words | undefined): Told {
  const text = words?.value(dimension, value) ?? value;
  const verb = op === "is" ? "is" : "is not";
  return { verb, value: text, alone: op === "is" ? text : `not ${text}` };
}
