import { counted } from "../ui/format";
import { memo, useEffect, useMemo, useState } from "react";
import type { Axis, Chart, Panel } from "../api/types";
import { areWhole } from "./charts/labels";
import { LABELS, TEXT } from "./charts/LineNames";
import LinesChart, { mostNames } from "./charts/LinesChart";
import styles from "./Figure.module.css";
import { panelFrame } from "./heights";
import { lanesByIdOf } from "./cases";
import { ChartKey, entriesOf, entriesOfLines, ToggleKey } from "./Key";
import { PointsTip } from "./Tips";
import { ZoomChoice } from "./ZoomChoice";
import { canZoom } from "./charts/axis";
import { axisWithin, panelsWithin, type Range, useZoom } from "./zoom";

interface Props {
  chart: Chart;
  width: number;
}

/** One panel per metric, all on the same axes for comparison. */
export default function LinesFigure({ chart, width }: Props) {
  return chart.across ? <Panels chart={chart} axis={chart.across} width={width} /> : null;
}

/** Number of panels drawn so far: each in its own task, so that the page stays responsive. */
function useOneByOne(count: number): number {
  const [drawnCount, setDrawnCount] = useState(1);
  useEffect(() => {
    if (drawnCount >= count) return undefined;
    const timer = setTimeout(() => setDrawnCount(drawnCount + 1));
    return () => clearTimeout(timer);
  }, [drawnCount, count]);
  return drawnCount;
}

interface DrawnProps {
  panel: Panel;
  hidden: ReadonlySet<string>;
  chart: Chart;
  lanesById: ReturnType<typeof lanesByIdOf>;
  across: Axis;
  width: number;
  height: number;
  labelled: boolean;
  onZoom: ((range: Range) => void) | undefined;
}

/** Memoised: drawn once, however many panels follow. */
const Drawn = memo(function Drawn({ panel, hidden, chart, ...frame }: DrawnProps) {
  return (
    <LinesChart
      {...frame}
      series={panel.series.filter(({ label }) => !hidden.has(label))}
      boundaries={panel.boundaries}
      up={chart.up}
      tip={(at, points, near) => <PointsTip at={at} points={points} near={near} chart={chart} />}
    />
  );
});

function Panels({ chart, axis, width }: Props & { axis: Axis }) {
  const { panels: all = [] } = chart;
  const [range, onZoom] = useZoom(axis);
  const across = useMemo(() => (range ? axisWithin(axis, range) : axis), [axis, range]);
  const panels = useMemo(() => (range ? panelsWithin(all, range) : all), [all, range]);
  const lanesById = useMemo(() => lanesByIdOf(chart), [chart]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const frame = panelFrame(
    panels.map(({ title }) => title),
    width,
  );
  const drawnCount = useOneByOne(panels.length);
  // Overlapping names are unreadable, so use a key if there are too many, or if one is too long. A
  // panel with one line is named by its heading.
  const most = Math.max(...panels.map(({ series }) => series.length));
  const labelled =
    frame.labelled &&
    most > 1 &&
    most <= mostNames(frame.height) &&
    panels.every(({ series }) =>
      areWhole(
        series.map(({ label }) => label),
        LABELS - TEXT,
      ),
    );
  const entries = entriesOfLines(all.flatMap(({ series }) => series));
  return (
    <>
      <div
        className={styles.panels}
        style={{ gridTemplateColumns: `repeat(${frame.columns}, minmax(0, 1fr))` }}
      >
        {panels.map((panel, index) => (
          <div key={panel.title}>
            {panels.length > 1 ? <h3>{panel.title}</h3> : null}
            {index < drawnCount ? (
              <Drawn
                panel={panel}
                hidden={hidden}
                chart={chart}
                lanesById={lanesById}
                across={across}
                width={frame.width}
                height={frame.height}
                labelled={labelled}
                onZoom={canZoom(across) ? onZoom : undefined}
              />
            ) : (
              <div style={{ height: frame.height }} />
            )}
          </div>
        ))}
      </div>
      {canZoom(axis) ? <ZoomChoice axis={axis} range={range} onZoom={onZoom} /> : null}
      {chart.fits && chart.fits.length > 0 ? (
        <details className={styles.fits}>
          <summary>{counted(chart.fits.length, "fitted curve")}</summary>
          <ul>
            {chart.fits.map((fit) => (
              <li key={fit}>
                <bdi>{fit}</bdi>
              </li>
            ))}
          </ul>
        </details>
      ) : null}
      {entries.length > 1 && most > 1 && !labelled ? (
        <ToggleKey entries={entries} hidden={hidden} onHide={setHidden} />
      ) : null}
      <ChartKey entries={entriesOf(chart.key)} />
    </>
  );
}
