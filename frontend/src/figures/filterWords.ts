import type { Clause } from "../links/clause";
import { rangeOf } from "../links/clause";
import { uncapitalised, type Words } from "./words";

/** "Not stated", or what it means where nothing is stated: a label is given or it is not. */
export function absence(words: Words, dimension: string): string {
  if (dimension.startsWith("label:")) return "None";
  const meaning = words.value(dimension, null);
  return meaning.startsWith(words.dimensionTitle(dimension)) ? "Not stated" : meaning;
}

/** A filter's value in words: "USB4", "2 MB to 200 MB", "not stated". */
function clauseValue(words: Words, clause: Clause): string {
  if (clause.value === "") return uncapitalised(absence(words, clause.dimension));
  if (words.isNumber(clause.dimension)) {
    const range = rangeOf(clause.value);
    if (range) {
      const low = range.low === undefined ? undefined : words.value(clause.dimension, range.low);
      const high = range.high === undefined ? undefined : words.value(clause.dimension, range.high);
      if (low !== undefined && high !== undefined) return `${low} to ${high}`;
      return low === undefined ? `up to ${high}` : `from ${low}`;
    }
  }
  if (clause.value === "unknown") return "not known";
  return words.value(clause.dimension, clause.value);
}

/** A condition as verb and value. Not "is not not stated", but "is known". */
export function told(words: Words, clause: Clause): { verb: "is" | "is not"; value: string } {
  if (clause.op === "is") return { verb: "is", value: clauseValue(words, clause) };
  if (clause.value === "" || clause.value === "unknown") return { verb: "is", value: "known" };
  return { verb: "is not", value: clauseValue(words, clause) };
}

/** A dimension's conditions in words: "Storage: USB4 or Thunderbolt 5", "Device: not Acme". */
export function filtersInWords(words: Words, where: Clause[]): string[] {
  const byDimension = Map.groupBy(where, (clause) => clause.dimension);
  return [...byDimension].map(([dimension, clauses]) => {
    const taken = clauses
      .filter(({ op }) => op === "is")
      .map((clause) => told(words, clause).value);
    const left = clauses
      .filter(({ op }) => op === "not")
      .map((clause) => told(words, clause))
      .map(({ verb, value }) => (verb === "is" ? value : `not ${value}`));
    const parts = [...(taken.length > 0 ? [taken.join(" or ")] : []), ...new Set(left)];
    return `${words.dimensionTitle(dimension)}: ${parts.join(", ")}`;
  });
}
