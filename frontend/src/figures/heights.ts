import type { Chart } from "../api/types";
import { casesHeight } from "./charts/caseLayout";
import { drawnCases } from "./cases";

/** Room kept for a figure before its answer is there: about what an unfiltered one takes. */
export const FIGURE_HEIGHT = 960;

/** Panels of lines are side by side from this width on. */
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

/** Points of two metrics, their key under them. */
export function targetsHeight(width: number): number {
  return Math.min(460, Math.max(300, Math.round(width * 0.6))) + KEY;
}

/** What a chart will take, so that its place is kept while it is loaded. */
export function chartHeight(chart: Chart, width: number): number {
  if (chart.kind === "targets") return targetsHeight(width);
  if (chart.kind === "cases") return casesHeight(drawnCases(chart), width) + KEY;
  const panels = chart.panels?.length ?? 0;
  const frame = panelFrame(panels, width);
  const stacked = frame.beside ? Math.ceil(panels / 2) : panels;
  const heading = panels > 1 ? HEADING : 0;
  const fits = (chart.fits?.length ?? 0) * FIT;
  return stacked * (frame.height + heading) + (stacked - 1) * GAP + fits + KEY;
}
