import type { Chart } from "../api/types";
import { casesHeight } from "./charts/caseLayout";
import { drawnCases } from "./cases";
import { canZoom } from "./charts/axis";

/** Room kept for a figure before its answer is there: about what an unfiltered one takes. */
export const FIGURE_HEIGHT = 960;

/** Panels of lines are side by side from this width on. */
const SIDE_BY_SIDE = 1100;
/** Small multiples are at least this wide, and so many in a row at most. */
const SMALL = 280;
const MOST_COLUMNS = 3;
/** Names at the ends of lines need a panel of this width. */
const LABELLED = 520;
const GAP = 24;
const HEADING = 26;
/** One line of the key that explains the marks. */
const KEY = 28;
/** A row of a table of shades, and its headings. */
const GRID_ROW = 28;
const GRID_HEAD = 28;
/** The ends of what is shown of an axis. */
const ZOOM = 32;
/** One fitted curve in words. */
const FIT = 19;

interface PanelFrame {
  /** Panels in a row. */
  columns: number;
  width: number;
  height: number;
  labelled: boolean;
}

/**
 * The panels of one metric fill whole rows where they can: the next metric begins a row, under what
 * it is compared with.
 */
function smallColumns(titles: readonly string[], most: number): number {
  const metrics = new Set(titles.map((title) => title.split(" · ")[0])).size;
  const each = titles.length / metrics;
  if (metrics === 1 || each === 1 || !Number.isInteger(each)) return most;
  for (let columns = most; columns > 1; columns--) if (each % columns === 0) return columns;
  return most;
}

export function panelFrame(titles: readonly string[], width: number): PanelFrame {
  const panels = titles.length;
  const small = panels > 2;
  const fitting = Math.floor((width + GAP) / (SMALL + GAP));
  const columns = small
    ? smallColumns(titles, Math.max(1, Math.min(MOST_COLUMNS, fitting)))
    : panels > 1 && width >= SIDE_BY_SIDE
      ? 2
      : 1;
  const each = Math.floor((width - GAP * (columns - 1)) / columns);
  const labelled = !small && each >= LABELLED;
  return { columns, width: each, height: labelled ? 330 : small ? 240 : 280, labelled };
}

/** Points of two metrics, their key under them. */
export function targetsHeight(width: number): number {
  return Math.min(460, Math.max(300, Math.round(width * 0.6))) + KEY;
}

/** What a chart will take, so that its place is kept while it is loaded. */
export function chartHeight(chart: Chart, width: number, sorted = false): number {
  if (chart.grid && !sorted) return GRID_HEAD + chart.grid.rows.length * GRID_ROW + KEY;
  if (chart.kind === "targets") return targetsHeight(width);
  if (chart.kind === "cases") return casesHeight(drawnCases(chart), width) + KEY;
  const titles = (chart.panels ?? []).map(({ title }) => title);
  const panels = titles.length;
  const frame = panelFrame(titles, width);
  const stacked = Math.ceil(panels / frame.columns);
  const heading = panels > 1 ? HEADING : 0;
  const fits = (chart.fits?.length ?? 0) * FIT;
  const zoom = canZoom(chart.across) ? ZOOM : 0;
  return stacked * (frame.height + heading) + (stacked - 1) * GAP + zoom + fits + KEY;
}
