import type { Group, Key, PublishedFigure } from "../../api/types";
import type { Mark } from "./marks";

/** One line of a case: one metric, measured or published, by one method. */
export interface Lane {
  id: string;
  metric: string;
  /** "write", "read"; empty where only one metric is asked. */
  name: string;
  mark: Mark;
  /** In base units, or a ratio; absent for a printed ratio among speeds, which stays words. */
  value?: number;
  /** Its digits in the column's unit, exactly as the table prints them. */
  text: string;
  /** What a printed ratio among speeds is a ratio to: "of not encrypted". */
  of?: string;
  /** p10 to p90 of the samples. */
  band?: [number, number];
  /** 95% interval of the median (or ratio). */
  interval?: [number, number];
  /** Whether the interval tells how one machine's own runs vary. */
  within?: boolean;
  /** Published and not measured here. */
  hollow: boolean;
  doubted: boolean;
  /** "†", "†2"; empty for what was measured. */
  dagger: string;
  /** What tells its method from those of the case's other lanes; absent where there is one. */
  method?: string;
  /** What stands behind it: "3 machines", "3 pairs", "as printed". */
  weight: string;
  group?: Group;
  figure?: PublishedFigure;
}

/** One case of a comparison, with a lane for every figure that it has. */
export interface CaseRow {
  id: string;
  key: Key;
  /** Name of the first dimension's value; empty when it is the row before's. */
  heading: string;
  /** The colour is that of the heading's value, so that a swatch beside it tells the truth. */
  swatch: boolean;
  label: string;
  colour: string;
  lanes: Lane[];
}
