import type { Chart } from "../api/types";
import LinesChart, { mostNames } from "./charts/LinesChart";
import styles from "./Figure.module.css";
import { panelFrame } from "./heights";
import { ChartKey, entriesOf, entriesOfLines } from "./Key";
import { PointsTip } from "./Tips";

interface Props {
  chart: Chart;
  width: number;
}

/** A panel a metric, all on the same axes: they are there to be compared. */
export default function LinesFigure({ chart, width }: Props) {
  const { panels = [], across, up } = chart;
  if (!across) return null;
  const frame = panelFrame(panels.length, width);
  // Names that touch each other can't be read: a key has room for more of them.
  const labelled =
    frame.labelled && panels.every(({ series }) => series.length <= mostNames(frame.height));
  const named = labelled ? [] : entriesOfLines(panels.flatMap(({ series }) => series));
  return (
    <>
      <div
        className={styles.panels}
        style={{ gridTemplateColumns: frame.beside ? "1fr 1fr" : "1fr" }}
      >
        {panels.map((panel) => (
          <div key={panel.title}>
            {panels.length > 1 ? <h3>{panel.title}</h3> : null}
            <LinesChart
              series={panel.series}
              across={across}
              up={up}
              width={frame.width}
              height={frame.height}
              labelled={labelled}
              tip={(at, points) => <PointsTip at={at} points={points} chart={chart} />}
            />
          </div>
        ))}
      </div>
      {chart.fits ? (
        <ul className={styles.fits}>
          {chart.fits.map((fit) => (
            <li key={fit}>
              <bdi>{fit}</bdi>
            </li>
          ))}
        </ul>
      ) : null}
      <ChartKey entries={[...named, ...entriesOf(chart.key)]} />
    </>
  );
}
