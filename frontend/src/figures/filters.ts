import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import type { FilterWords } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import { shortId } from "../ui/format";
import type { Words } from "./words";

/**
 * A filter's text: its verb and value ("is not", "USB4"), with and without its dimension's title.
 */
export type FilterText = Omit<FilterWords, "where">;

export interface Filters {
  textOf: (clause: Clause) => FilterText;
  /** "Apple M4 or Apple M5, not encrypted": filters without their dimensions' titles. */
  list: (where: readonly Clause[]) => string;
  /** One text per dimension: "Storage: USB4 or Thunderbolt 5". */
  byDimension: string[];
}

/** Filters in words: they change only with the server's version. */
export function filtersQuery(where: readonly Clause[]) {
  const query = { where: [...new Set(where.map(printClause))].toSorted() };
  return {
    ...read(["filters", query], "/api/v1/filters", { params: { query } }),
    enabled: query.where.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
  };
}

/** Texts of filters; until the server responds, the values themselves. */
export function useFilters(where: readonly Clause[], words: Words | undefined): Filters {
  const { data } = useQuery({ ...filtersQuery(where), placeholderData: keepPreviousData });
  const textByFilter = new Map((data?.filters ?? []).map((filter) => [filter.where, filter]));
  const textOf = (clause: Clause) =>
    textByFilter.get(printClause(clause)) ?? placeholderText(clause, words);
  return {
    textOf,
    list: (listed) => {
      // Several filters may say the same, such as two that require a known value.
      const alternatives = Map.groupBy(listed, (clause) =>
        clause.op === "is" ? clause.dimension : textOf(clause).alone,
      );
      const texts = [...alternatives.values()].map((clauses, at) => {
        const each = new Map(clauses.map(textOf).map((text) => [text.alone, text.listed]));
        return [...each].map(([alone, inside], i) => (at + i > 0 ? inside : alone)).join(" or ");
      });
      return texts.join(", ");
    },
    byDimension: where.length > 0 ? (data?.told ?? []) : [],
  };
}

/** Placeholder text until the server has responded. */
function placeholderText({ dimension, value }: Clause, words: Words | undefined): FilterText {
  const text = words?.value(dimension, value) ?? value;
  return { verb: "…", value: text, inside: shortId(text), alone: text, listed: text };
}
