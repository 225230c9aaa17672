import type { Clause } from "../links/clause";
import type { Words } from "./words";

/** Traits of a run or machine that similar Macs may share, as far as they are stated. */
export function traitsOf(stated: Record<string, unknown>, words: Words): Clause[] {
  return words.having("may_be_like").flatMap((dimension): Clause[] => {
    const value = stated[dimension];
    return value === null || value === undefined
      ? []
      : [{ dimension, op: "is", value: String(value) }];
  });
}
