import type { Facets } from "../api/types";

interface Counted {
  value: string;
  machines: number;
}

/** Minimum number of Macs for a confidence interval. */
const ENOUGH = 6;

/** A dimension's stated values, with the Macs that have each. */
export const countedIn = ({ dimensions }: Pick<Facets, "dimensions">, name: string): Counted[] =>
  (dimensions.find((item) => item.name === name)?.values ?? []).flatMap(({ value, machines }) =>
    typeof value === "string" ? [{ value, machines }] : [],
  );

/** Values from old to new: those with enough Macs, if there are at least two. */
export function oldToNew(all: Counted[]): string[] {
  const enough = all.filter(({ machines }) => machines >= ENOUGH);
  return (enough.length > 1 ? enough : all)
    .map(({ value }) => value)
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }));
}
