import { useDeferredValue } from "react";

const NONE: readonly never[] = [];

interface Gradual<Row> {
  rows: readonly Row[];
  /** Whether rows are still to come. */
  growing: boolean;
}

/**
 * Rows of a long table: `first` of them at once, all of them as soon as nothing else waits. The array
 * must stay the same one as long as its rows do.
 */
export function useGradually<Row>(all: readonly Row[], first: number): Gradual<Row> {
  const reached: readonly Row[] = useDeferredValue(all, NONE);
  const growing = reached !== all && all.length > first;
  return { rows: growing ? all.slice(0, first) : all, growing };
}
