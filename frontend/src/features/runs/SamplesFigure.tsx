import type { RunDetail } from "../../api/types";
import SamplesChart from "../../figures/charts/SamplesChart";
import { byteSize, quantity, scaleFor } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import type { Words } from "../../figures/words";
import styles from "./SamplesFigure.module.css";
import { sampled } from "./samples";

const SIDE_BY_SIDE = 760;
const GAP = 32;

/** Every sample at its place in the run: drift, heat and a filling cache show here. */
export default function SamplesFigure({ run, words }: { run: RunDetail; words: Words }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const panels = sampled(run.results);
  const beside = panels.length > 1 && width >= SIDE_BY_SIDE;
  const each = beside ? Math.floor((width - GAP) / 2) : width;
  const top = Math.max(...panels.flatMap((panel) => panel.samples.map((sample) => sample.value)));
  return (
    <figure className={styles.figure} aria-label="Samples in order">
      <figcaption>
        <h2>Samples in order</h2>
        <p className="quiet">
          In the order measured
          {panels.some((panel) => panel.samples.some((sample) => sample.fileSize !== undefined))
            ? "; larger marks are larger files"
            : ""}
          .
        </p>
      </figcaption>
      <div
        ref={ref}
        className={styles.panels}
        style={{ gridTemplateColumns: beside ? "1fr 1fr" : "1fr" }}
      >
        {width === 0
          ? null
          : panels.map((panel) => {
              const same = panels.every(({ unit }) => unit === panel.unit);
              const largest = same ? top : Math.max(...panel.samples.map(({ value }) => value));
              return (
                <div key={panel.metric}>
                  <h3>{words.metricTitle(panel.metric)}</h3>
                  <SamplesChart
                    samples={panel.samples}
                    width={each}
                    scale={scaleFor(panel.unit, [largest])}
                    largest={largest}
                    read={(sample) =>
                      [
                        `Sample ${sample.position}`,
                        ...(sample.fileSize === undefined ? [] : [byteSize(sample.fileSize)]),
                        quantity(sample.value, panel.unit),
                      ].join(", ")
                    }
                  />
                </div>
              );
            })}
      </div>
    </figure>
  );
}
