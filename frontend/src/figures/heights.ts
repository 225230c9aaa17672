import { casesHeight } from "./charts/caseLayout";
import type { CaseRow } from "./charts/rows";

/** Room kept for a figure before its answer is there: about what an unfiltered one takes. */
export const FIGURE_HEIGHT = 960;

/** Panels of lines stand side by side from this width on. */
const SIDE_BY_SIDE = 1100;
/** Names at the ends of lines need a panel of this width. */
const LABELLED = 520;
const GAP = 24;
const HEADING = 26;
/** One line of the key that explains the marks. */
const KEY = 28;
/** One fitted curve in words. */
const FIT = 19;

interface PanelFrame {
  beside: boolean;
  width: number;
  height: number;
  labelled: boolean;
}

export function panelFrame(panels: number, width: number): PanelFrame {
  const beside = panels > 1 && width >= SIDE_BY_SIDE;
  const each = beside ? Math.floor((width - GAP) / 2) : width;
  const labelled = each >= LABELLED;
  return { beside, width: each, height: labelled ? 330 : 280, labelled };
}

/** A scatter of two metrics, its key under it. */
export function scatterHeight(width: number): number {
  return Math.min(460, Math.max(300, Math.round(width * 0.6))) + KEY;
}

/** What a figure will take, so that its place is kept while its chart is loaded. */
export function figureHeight(
  rows: CaseRow[],
  panels: number,
  hasAxis: boolean,
  fits: number,
  width: number,
): number {
  if (!hasAxis) return casesHeight(rows, width) + KEY;
  const frame = panelFrame(panels, width);
  const stacked = frame.beside ? Math.ceil(panels / 2) : panels;
  const heading = panels > 1 ? HEADING : 0;
  return stacked * (frame.height + heading) + (stacked - 1) * GAP + fits * FIT + KEY;
}
