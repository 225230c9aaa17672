import type { Key } from "../api/types";
import type { Clause } from "../links/clause";

/** A question that the overview answers with the answer's finding and a few bars. */
export interface Finding {
  /** The question: shown where there is no finding. */
  title: string;
  /** The topic's view for this question, and its filters. */
  view: string;
  where: Clause[];
  /** Which of the view's metrics is shown. */
  metric: string;
  /** Dimensions that name a bar; all others are fixed. */
  of: readonly string[];
  /** Sort bars by value, largest first, instead of by name. */
  ranked?: boolean;
  /** Comes before findings of what is always so, if it is certain. */
  news?: boolean;
}

export interface Bar {
  key: Key;
  label: string;
  /** Its signed distance from the axis' base: 0, or no difference. */
  value: number;
  base: number;
  /** 95 %, of different Macs. */
  interval: readonly number[] | undefined;
  text: string;
  colour: string;
  hollow: boolean;
  dagger: string;
  weight: string;
}
