import type { RunDetail } from "../../api/types";
import SamplesChart from "../../figures/charts/SamplesChart";
import { fixed, withUnit } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import styles from "./SamplesFigure.module.css";
import type { Sample } from "../../figures/charts/sample";
import { type SampledPanel, samplePanels } from "./samples";

const SIDE_BY_SIDE = 760;
const GAP = 32;

/** Every sample by its position in the run, to show drift, heat and a filling cache. */
export default function SamplesFigure({ run }: { run: RunDetail }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const panels = samplePanels(run);
  const beside = panels.length > 1 && width >= SIDE_BY_SIDE;
  const each = beside ? Math.floor((width - GAP) / 2) : width;
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
          : panels.map((panel) => (
              <div key={panel.metric}>
                <h3>{panel.title}</h3>
                <SamplesChart panel={panel} width={each} read={(sample) => read(panel, sample)} />
              </div>
            ))}
      </div>
    </figure>
  );
}

/** The text of the sample under the pointer, with as many digits as the panel's axis. */
function read({ divisor, decimals, up }: SampledPanel, sample: Sample): string {
  const value = withUnit(fixed(sample.value / divisor, decimals), up.title);
  return [`Sample ${sample.position}`, sample.parameters, value].filter(Boolean).join(", ");
}
