import type { Answer, Group, Term } from "../api/types";
import { type Clause, printClause, printRange } from "../links/clause";
import type { SearchLists } from "../links/search";
import type { Words } from "./words";

/** The list of the runs behind a group: its key and the question's filters, as far as they speak of runs. */
export function runsLink(answer: Answer, group: Group, words: Words): SearchLists {
  const ofRuns = (name: string) => words.dimension(name)?.of !== "sample";
  const where = new Set<string>();
  for (const clause of answer.question.where) {
    if (!ofRuns(clause.dimension)) continue;
    where.add(printClause(clauseOf(clause)));
  }
  for (const [dimension, value] of Object.entries(group.key)) {
    if (ofRuns(dimension)) {
      where.add(printClause({ dimension, op: "is", value: value === null ? "" : String(value) }));
    }
  }
  where.add(printClause({ dimension: "method", op: "is", value: group.method }));
  return { where: [...where].toSorted() };
}

/** A condition as the server took it apart, in the links' grammar again. */
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
