import type { Chart } from "../api/types";
import { casesHeight } from "./charts/caseLayout";
import { drawnCases } from "./cases";
import { canZoom } from "./charts/axis";

/** Height reserved for a figure before its answer arrives: about that of an unfiltered one. */
export const FIGURE_HEIGHT = 960;

/** Minimum width at which panels of lines are side by side. */
const SIDE_BY_SIDE = 1100;
/** Minimum width of a small multiple, and maximum number in a row. */
const SMALL = 280;
const MOST_COLUMNS = 3;
/** Minimum width of a panel with names at the ends of lines. */
const LABELLED = 520;
const GAP = 24;
const HEADING = 26;
/** Height of one line of the key. */
const KEY = 28;
/** Height of a row of a shaded table, and of its unit and headings. */
const GRID_ROW = 28;
const GRID_HEAD = 46;
/** Height of the zoom control. */
const ZOOM = 32;
/** Height of one fitted curve's text. */
const FIT = 19;

interface PanelFrame {
  /** Panels per row. */
  columns: number;
  width: number;
  height: number;
  labelled: boolean;
}

/**
 * Number of columns such that the panels of one metric fill whole rows if possible: the next metric
 * starts a row, below the panels it is compared with.
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

/** Height of a scatter plot of two metrics with its key. */
export function targetsHeight(width: number): number {
  return Math.min(460, Math.max(300, Math.round(width * 0.6))) + KEY;
}

/** Height of a chart, so that its place is reserved while it loads. */
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
