import type { Lane } from "../../api/types";

/** Layout of headings, cases and their lanes, in pixels from the top of the plot. */

export const LANE = 19;
/** Height of the line below a lane, on a narrow screen, for what is otherwise after its figure. */
export const NOTE = 15;
/** Below this width, labels are above their lanes. */
export const NARROW = 600;
/** Height above the plot for its axis, and below it. */
export const AXIS = 30;
export const FOOT = 4;
const HEADING = 30;
const CASE_GAP = 9;
const LABEL_ABOVE = 20;
/** Distance from the swatch before a heading to its text. */
export const SWATCH = 16;
/** Distance between the lines of a label. */
export const LABEL_LINE = LANE - 2;
/** Mean width of a character in labels, and in the small text after a figure. */
const PER_CHARACTER = 6.9;
export const PER_SMALL = 5.5;

/** What its layout needs of a case. */
export interface Caseish {
  heading?: string;
  label: string;
  lanes: readonly Laneish[];
}

type Laneish = Pick<Lane, "name" | "value" | "apart" | "weight">;

export interface Placed<Row> {
  row: Row;
  /** Its heading by line, and the centre of the first. */
  heading: string[];
  headingY: number;
  /** Its label by line, and the centre of the first. */
  label: string[];
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

export interface Frame {
  /** Whether labels are above their lanes instead of to the left. */
  narrow: boolean;
  width: number;
  /** Width of labels. */
  label: number;
  /** Whether lanes have names before them; otherwise their marks and the key identify them. */
  named: boolean;
  /** Width reserved for lane names. */
  names: number;
  left: number;
  right: number;
}

/** Divide the width among labels, names of lanes, the plot, and what follows a figure. */
export function frameOf(rows: readonly Caseish[], width: number): Frame {
  const lanes = rows.flatMap((row) => row.lanes);
  const longestName = Math.max(...lanes.map(({ name }) => name?.length ?? 0));
  const names = longestName > 0 ? Math.max(48, longestName * 6.3 + 12) : 12;
  if (width < NARROW) {
    const hasNameColumn = longestName > 0 && names <= width * 0.36;
    // A tick at the left edge needs half its width.
    const left = hasNameColumn ? names - 4 : 10;
    return { narrow: true, width, label: width - 8, named: hasNameColumn, names, left, right: 76 };
  }
  const longest = Math.max(...rows.map((row) => row.label.length), 12);
  const label = Math.min(longest * PER_CHARACTER + 8, width * 0.24);
  // Leave room for the text after a figure at the end of the axis, within reason.
  const behind = Math.max(...lanes.map((lane) => behindOf(lane).length));
  const right = Math.max(176, Math.min(behind * PER_SMALL + FIGURE, width * 0.26));
  const left = label + names;
  return { narrow: false, width, label: label - 4, named: true, names, left, right };
}

/** Room for a mark's figure and the gaps around it. */
const FIGURE = 62;

/** Text that distinguishes a lane, and the basis of its figure. */
const behindOf = ({ apart, weight }: Laneish) => [apart, weight].filter(Boolean).join(", ");

/** As much of that as fits in `room` pixels, whole: the table and the tip have all of it. */
export function behindIn(lane: Laneish, room: number): string {
  const notes = [behindOf(lane), lane.apart, lane.weight];
  return notes.find((text) => text && text.length * PER_SMALL <= room - FIGURE) ?? "";
}

/** Lay out the cases; a label has as many lines as it needs. */
export function layCases<Row extends Caseish>(
  rows: readonly Row[],
  { narrow, width: whole, label: width }: Pick<Frame, "narrow" | "width" | "label">,
): CaseLayout<Row> {
  let y = 0;
  const placed = rows.map((row) => {
    const top = y;
    const heading = row.heading ? wrapped(row.heading, whole - SWATCH) : [];
    const headingY = y + HEADING / 2 + 2;
    if (heading.length > 0) y += HEADING + LABEL_LINE * (heading.length - 1);
    const label = wrapped(row.label, width);
    const height = LABEL_LINE * (label.length - 1);
    const labelY = narrow ? y + LABEL_ABOVE / 2 : y + LANE / 2;
    if (narrow) y += LABEL_ABOVE + height;
    const lanesTop = y;
    const laneYs = row.lanes.map((lane) => {
      const laneY = y + LANE / 2;
      y += LANE + (narrow && typeof lane.value === "number" && behindOf(lane) ? NOTE : 0);
      return laneY;
    });
    y = Math.max(y, narrow ? 0 : lanesTop + LANE + height) + CASE_GAP;
    return { row, heading, headingY, label, labelY, laneYs, top, bottom: y };
  });
  return { placed, height: Math.max(y, LANE) };
}

/** Height of the whole chart, known before its code is loaded. */
export function casesHeight(rows: readonly Caseish[], width: number): number {
  return layCases(rows, frameOf(rows, width)).height + AXIS + FOOT;
}

/** `text` truncated with an ellipsis to fit `width` pixels. */
export function fitted(text: string, width: number, perCharacter = PER_CHARACTER): string {
  const room = Math.floor(width / perCharacter);
  const characters = [...text];
  return characters.length <= room
    ? text
    : `${characters.slice(0, Math.max(1, room - 1)).join("")}…`;
}

/** `text` in lines of `width` pixels, broken at spaces; only a longer word is truncated. */
export function wrapped(text: string, width: number): string[] {
  const room = Math.floor(width / PER_CHARACTER);
  const result: string[] = [];
  for (const word of text.split(" ")) {
    const joined = result.length > 0 ? `${result.at(-1)} ${word}` : word;
    if (result.length > 0 && joined.length <= room) result[result.length - 1] = joined;
    else result.push(word);
  }
  return result.map((line) => fitted(line, width));
}
