import type { Key } from "../api/types";
import { withUnit } from "../ui/format";
import type { Clause } from "../links/clause";

/** A question whose answer the overview tells in a sentence and a few bars. */
export interface Finding {
  title: string;
  /** The view of its topic that asks it, and what it is asked of. */
  view: string;
  where: Clause[];
  /** The one of the view's metrics that is told. */
  metric: string;
  /** The dimensions that name a bar, every other one being fixed. */
  of: readonly string[];
  /** Bars in the order of their values, largest first, and not of what they are. */
  ranked?: boolean;
  /** How many bars there will be, as far as that can be told before: their room is kept free. */
  bars: number;
  say: (bars: Bar[]) => string;
}

export interface Bar {
  key: Key;
  label: string;
  /** In base units, or a ratio. */
  value: number;
  text: string;
  colour: string;
  hollow: boolean;
  dagger: string;
  weight: string;
}

/** A sentence claims no tenths of a percent. */
export const wholePercent = (ratio: number) => withUnit(String(Math.round(ratio * 100)), "%");
