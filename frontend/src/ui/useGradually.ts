import { useDeferredValue } from "react";

const NONE: readonly never[] = [];

interface Gradual<Row> {
  rows: readonly Row[];
  /** Whether more rows are about to render. */
  growing: boolean;
}

/**
 * Render `first` rows of a long table at once, and all as soon as nothing more urgent is waiting.
 * The array must keep its identity while its rows don't change.
 */
export function useGradually<Row>(all: readonly Row[], first: number): Gradual<Row> {
  const reached: readonly Row[] = useDeferredValue(all, NONE);
  const growing = reached !== all && all.length > first;
  return { rows: growing ? all.slice(0, first) : all, growing };
}
