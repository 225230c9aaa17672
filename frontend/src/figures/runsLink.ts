import type { Key, Scalar, Term } from "../api/types";
import { type Clause, printClause, printRange } from "../links/clause";
import type { SearchLists } from "../links/search";
import type { Words } from "./words";

/** The search for the runs behind a figure: its filters and key, as far as they apply to runs. */
export function runsLink(
  terms: readonly Term[],
  key: Key,
  method: string | undefined,
  words: Words,
): SearchLists {
  const isOfRuns = ({ dimension }: Clause) => words.dimension(dimension)?.of !== "sample";
  const clauses = [
    ...terms.map(clauseOf),
    ...Object.entries(key).map(([dimension, value]) => is(dimension, value)),
    ...(method ? [is("method", method)] : []),
  ];
  return { where: [...new Set(clauses.filter(isOfRuns).map(printClause))].toSorted() };
}

const is = (dimension: string, value: Scalar): Clause => ({
  dimension,
  op: "is",
  value: value === null ? "" : String(value),
});

/** A condition that the server parsed, converted back to the links' grammar. */
export function clauseOf({ dimension, op, value, low, high }: Term): Clause {
  const range = op === "range" || op === "not_range";
  return {
    dimension,
    op: op === "not" || op === "not_range" ? "not" : "is",
    value: range
      ? printRange({ low: low ?? undefined, high: high ?? undefined })
      : value === null || value === undefined
        ? ""
        : String(value),
  };
}
