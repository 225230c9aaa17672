import { useId, useRef } from "react";
import type { Chart } from "../../api/types";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import { TipFrame } from "../../figures/charts/TipFrame";
import styles from "../../figures/Figure.module.css";
import { chartHeight } from "../../figures/heights";
import LinesFigure from "../../figures/LinesFigure";
import page from "../../ui/Page.module.css";
import { useWidth } from "../../ui/useWidth";

/** The run's results by file size or threads, which a table doesn't show at a glance. */
export default function RunCurves({ charts }: { charts: Chart[] }) {
  return charts.map((chart) => <RunCurve key={chart.title} chart={chart} />);
}

function RunCurve({ chart }: { chart: Chart }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  return (
    <figure ref={figure} className={styles.figure} aria-labelledby={heading}>
      <figcaption className={styles.caption}>
        <h2 id={heading}>{chart.title}</h2>
      </figcaption>
      <div className={page.actions}>
        <PictureButtons figure={figure} name="macmeter-run" />
      </div>
      <div
        ref={ref}
        className={styles.plot}
        style={{ minHeight: width === 0 ? 400 : chartHeight(chart, width) }}
      >
        {width === 0 ? null : (
          <TipFrame name={`Chart: ${chart.text}`}>
            <LinesFigure chart={chart} width={width} />
          </TipFrame>
        )}
      </div>
    </figure>
  );
}
