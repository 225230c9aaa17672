import type { Clause } from "../links/clause";
import type { Words } from "./words";

/** What similar Macs can have in common with a run or machine, of what is stated of that. */
export function traitsOf(stated: Record<string, unknown>, words: Words): Clause[] {
  return words.having("may_be_like").flatMap((dimension): Clause[] => {
    const value = stated[dimension];
    return value === null || value === undefined
      ? []
      : [{ dimension, op: "is", value: String(value) }];
  });
}
