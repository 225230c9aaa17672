import { useMemo, useState } from "react";
import type { Axis, Chart } from "../api/types";
import LinesChart, { mostNames } from "./charts/LinesChart";
import styles from "./Figure.module.css";
import { panelFrame } from "./heights";
import { placesOf } from "./cases";
import { ChartKey, entriesOf, entriesOfLines, LineKey } from "./Key";
import { PointsTip } from "./Tips";
import { ZoomChoice } from "./ZoomChoice";
import { canZoom } from "./charts/axis";
import { axisWithin, panelsWithin, useZoom } from "./zoom";

interface Props {
  chart: Chart;
  width: number;
}

/** A panel a metric, all on the same axes: they are there to be compared. */
export default function LinesFigure({ chart, width }: Props) {
  return chart.across ? <Panels chart={chart} axis={chart.across} width={width} /> : null;
}

function Panels({ chart, axis, width }: Props & { axis: Axis }) {
  const { panels: all = [], up } = chart;
  const [range, onZoom] = useZoom(axis);
  const across = useMemo(() => (range ? axisWithin(axis, range) : axis), [axis, range]);
  const panels = useMemo(() => (range ? panelsWithin(all, range) : all), [all, range]);
  const places = useMemo(() => placesOf(chart), [chart]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const frame = panelFrame(panels.length, width);
  // Names that touch each other can't be read: a key has room for more of them.
  const labelled =
    frame.labelled && panels.every(({ series }) => series.length <= mostNames(frame.height));
  const named = entriesOfLines(all.flatMap(({ series }) => series));
  return (
    <>
      <div
        className={styles.panels}
        style={{ gridTemplateColumns: `repeat(${frame.columns}, minmax(0, 1fr))` }}
      >
        {panels.map((panel) => (
          <div key={panel.title}>
            {panels.length > 1 ? <h3>{panel.title}</h3> : null}
            <LinesChart
              series={panel.series.filter(({ label }) => !hidden.has(label))}
              across={across}
              up={up}
              width={frame.width}
              height={frame.height}
              labelled={labelled}
              places={places}
              onZoom={canZoom(across) ? onZoom : undefined}
              tip={(at, points, near) => (
                <PointsTip at={at} points={points} near={near} chart={chart} />
              )}
            />
          </div>
        ))}
      </div>
      {canZoom(axis) ? <ZoomChoice axis={axis} range={range} onZoom={onZoom} /> : null}
      {chart.fits ? (
        <ul className={styles.fits}>
          {chart.fits.map((fit) => (
            <li key={fit}>
              <bdi>{fit}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      {named.length > 1 ? <LineKey entries={named} hidden={hidden} onHide={setHidden} /> : null}
      <ChartKey entries={entriesOf(chart.key)} />
    </>
  );
}
