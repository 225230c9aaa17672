import { parseClause, printClause } from "./clause";
import type { SearchLists } from "./search";

const isFleet = (text: string) => parseClause(text)?.dimension === "fleet";

/** The fleet that an address is about, if its filters name exactly one. */
export function fleetOf({ where = [] }: SearchLists): string | undefined {
  const named = where.filter(isFleet).map((text) => parseClause(text));
  return named.length === 1 && named[0]?.op === "is" ? named[0].value : undefined;
}

/** The same search within a fleet, or among public runs without one. Starts at page 1. */
export function inFleet(search: SearchLists, name: string | undefined): SearchLists {
  const { where = [], cursor: _, ...rest } = search;
  const others = where.filter((text) => !isFleet(text));
  const all = !name
    ? others
    : [...others, printClause({ dimension: "fleet", op: "is", value: name })];
  return all.length === 0 ? rest : { ...rest, where: all };
}
