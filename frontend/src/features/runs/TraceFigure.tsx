import { useId, useRef, useState } from "react";
import { save } from "../../figures/charts/picture";
import { columnsIn } from "../../figures/charts/TimePanel";
import { Button } from "../../ui/Button";
import { counted, twoDigits, wholePercent } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import { Moment } from "./Moment";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import styles from "./TraceFigure.module.css";
import { ToggleKey, StrokeSign } from "../../figures/Key";
import { namesIn, TracePanels } from "./TracePanels";
import { TraceTable } from "./TraceTable";
import { type Trace, traceCsv } from "./trace";
import type { TraceData } from "./traceQuery";

interface Props {
  data: TraceData;
  title: string;
  /** The trace's run and time. */
  subtitle: string;
  /** Explanation of what is highlighted and what the trace can't show. */
  note: string;
  /** Seconds of the trace in which something else ran. */
  span?: readonly [number, number];
}

/**
 * Cores and clusters over time: residency, frequency, power, and the effective value of CPU use.
 */
export default function TraceFigure({ data, title, subtitle, note, span }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { trace, use, effectiveShare, rows } = data;
  return (
    <figure ref={figure} className={styles.figure} aria-labelledby={heading}>
      <figcaption className={styles.caption}>
        <h2 id={heading}>{title}</h2>
        <p className="quiet">
          <bdi>{subtitle}</bdi> · {counted(trace.times.length, "sample")}
          {pooled(trace.times.length / columnsIn(width))}
        </p>
        <p>
          {note}{" "}
          {effectiveShare === undefined
            ? null
            : `At these clocks, 100 % CPU was ${wholePercent(effectiveShare)} of peak.`}
        </p>
      </figcaption>
      <p className={styles.actions}>
        <Button
          onClick={() =>
            save(new Blob([traceCsv(trace, use)], { type: "text/csv" }), "macmeter-trace.csv")
          }
        >
          Samples as CSV
        </Button>
        <PictureButtons figure={figure} name="macmeter-trace" />
      </p>
      <div ref={ref}>
        {width === 0 ? null : (
          <Moment trace={trace} use={use}>
            <div role="img" aria-label={`${title}. Its figures are in the table that follows.`}>
              <TracePanels trace={trace} use={use} width={width} span={span} hidden={hidden} />
            </div>
          </Moment>
        )}
        <p className={styles.axis}>Seconds since the first sample</p>
        <ToggleKey entries={togglesIn(trace)} hidden={hidden} onHide={setHidden} />
      </div>
      <TraceTable rows={rows} caption={`${title}: the figures of the chart`} />
    </figure>
  );
}

const togglesIn = (trace: Trace) =>
  namesIn(trace).map(({ name, style }) => ({
    id: name,
    label: name,
    text: name,
    sign: <StrokeSign style={style} />,
  }));

/** A note on how several samples share a pixel, if they do. */
function pooled(each: number): string {
  if (each <= 1 || !Number.isFinite(each)) return "";
  return `, ${twoDigits(each)} to a pixel: lines are their mean, pale bands reach from the lowest to the highest`;
}
