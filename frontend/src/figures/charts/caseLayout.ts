/** Layout of headings, cases and their lanes, in pixels from the top of the plot. */

export const LANE = 19;
/** Below this width, labels are above their lanes. */
export const NARROW = 600;
/** Height above the plot for its axis, and below it. */
export const AXIS = 30;
export const FOOT = 4;
const HEADING = 30;
const CASE_GAP = 9;
const LABEL_ABOVE = 20;
/** Mean width of a character in labels, and in the small text after a figure. */
const PER_CHARACTER = 6.9;
export const PER_SMALL = 5.5;

interface Caseish {
  heading?: string;
  lanes: readonly unknown[];
}

export interface Placed<Row> {
  row: Row;
  headingY?: number;
  /** Centre of the case's label. */
  labelY: number;
  /** Centres of its lanes. */
  laneYs: number[];
  top: number;
  bottom: number;
}

export interface CaseLayout<Row> {
  placed: Placed<Row>[];
  height: number;
}

/** Lay out the cases. If `narrow`, labels are above their lanes instead of to the left. */
export function layCases<Row extends Caseish>(
  rows: readonly Row[],
  narrow: boolean,
): CaseLayout<Row> {
  let y = 0;
  const placed = rows.map((row) => {
    const top = y;
    let headingY: number | undefined;
    if (row.heading) {
      headingY = y + HEADING / 2 + 2;
      y += HEADING;
    }
    const labelY = narrow ? y + LABEL_ABOVE / 2 : y + LANE / 2;
    if (narrow) y += LABEL_ABOVE;
    const laneYs = row.lanes.map((_, place) => y + LANE * (place + 0.5));
    y += LANE * row.lanes.length + CASE_GAP;
    return { row, headingY, labelY, laneYs, top, bottom: y };
  });
  return { placed, height: Math.max(y, LANE) };
}

/** Height of the whole chart, known before its code is loaded. */
export function casesHeight(rows: readonly Caseish[], width: number): number {
  return layCases(rows, width < NARROW).height + AXIS + FOOT;
}

/** `text` truncated with an ellipsis to fit `width` pixels. */
export function fitted(text: string, width: number, perCharacter = PER_CHARACTER): string {
  const room = Math.floor(width / perCharacter);
  const characters = [...text];
  return characters.length <= room
    ? text
    : `${characters.slice(0, Math.max(1, room - 1)).join("")}…`;
}

/**
 * `text` in at most `lines` lines of `width` pixels, broken at spaces, the last truncated if
 * necessary.
 */
export function wrapped(text: string, width: number, lines: number): string[] {
  const room = Math.floor(width / PER_CHARACTER);
  const result: string[] = [];
  for (const word of text.split(" ")) {
    const last = result.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && (joined.length <= room || result.length === lines)) {
      result[result.length - 1] = joined;
    } else {
      result.push(word);
    }
  }
  return result.map((line) => fitted(line, width));
}
