import { parseClause, printClause } from "./clause";
import type { SearchLists } from "./search";

const isFleet = (text: string) => parseClause(text)?.dimension === "fleet";

/** The fleet that an address is about, if its filters name exactly one. */
export function fleetOf({ where = [] }: SearchLists): string | undefined {
  const clauses = where.filter(isFleet).map((text) => parseClause(text));
  return clauses.length === 1 && clauses[0]?.op === "is" ? clauses[0].value : undefined;
}

/** The fleet whose page, or page of settings, this path is. */
export function fleetPageOf(pathname: string): string | undefined {
  const name = /^\/fleets\/([^/]+)/.exec(pathname)?.[1];
  try {
    return name === undefined ? undefined : decodeURIComponent(name);
  } catch {
    return undefined; // somebody mistyped the address
  }
}

/** The only fleet that sides of a comparison name, beside others or not. */
function fleetOfSides({ side = [] }: SearchLists): string | undefined {
  const filters = side.map((text) => text.replace(/^\d+:/, ""));
  return fleetOf({ where: [...new Set(filters)] });
}

/** The fleet that a place is about, by its path, its filters or its sides. */
export function fleetAt(location: { pathname: string; search: object }): string | undefined {
  const search = location.search as SearchLists;
  return fleetPageOf(location.pathname) ?? fleetOf(search) ?? fleetOfSides(search);
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
