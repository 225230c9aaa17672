import { type ReactNode, useId, useRef } from "react";
import type { ChipPanel, FittedCurve, Residency } from "../../api/types";
import chartStyles from "../../figures/charts/charts.module.css";
import { colourOf } from "../../figures/charts/colours";
import { MARKS } from "../../figures/charts/marks";
import { linePath } from "../../figures/charts/path";
import ScatterPlot, { type Plot } from "../../figures/charts/ScatterPlot";
import { count, counted, moment } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import answerStyles from "../../figures/Figure.module.css";
import { targetsHeight } from "../../figures/heights";
import { ChartKey, CurveSign, type Entry, MarkSign } from "../../figures/Key";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import pageStyles from "../../ui/Page.module.css";
import styles from "./Residency.module.css";
import { dotsPath } from "./residency";

interface Props {
  answer: Residency;
  filters: string[];
  title: string;
  /** Further downloads, next to those of the picture. */
  actions: ReactNode;
}

/** Each sample of each cluster as a point, and the curve through all of a tier's. */
export default function ResidencyFigure({ answer, filters, title, actions }: Props) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  return (
    <figure ref={figure} className={answerStyles.figure} aria-labelledby={heading}>
      <figcaption className={answerStyles.caption}>
        <h2 id={heading}>{title}</h2>
        <p className={answerStyles.subtitle}>
          {[
            ...filters,
            counted(answer.runs, "run"),
            samplesText(answer),
            `as of ${moment(answer.as_of)}`,
          ].map((part) => (
            <bdi key={part}>{part}</bdi>
          ))}
        </p>
      </figcaption>
      <div ref={ref} className={answerStyles.plot}>
        {width === 0
          ? null
          : answer.panels.map((panel) => (
              <div key={panel.chip} className={styles.panel}>
                <div
                  role="img"
                  aria-label={`Chart: ${title}, ${panel.chip}. Its figures are in the table that follows.`}
                >
                  <Samples panel={panel} groups={answer.groups} width={width} />
                </div>
                <ChartKey entries={keyOf(panel)} />
                <Fits panel={panel} />
              </div>
            ))}
      </div>
      <div className={pageStyles.actions}>
        {actions}
        <PictureButtons figure={figure} name="macmeter-residency" />
      </div>
    </figure>
  );
}

/** Another mark for each tier of a chip. */
const markOf = (place: number) => MARKS[(place + 1) % MARKS.length] ?? "circle";

function keyOf({ tiers, key: shared }: ChipPanel): Entry[] {
  const entries: Entry[] = tiers.map(({ tier, key, colour }, place) => ({
    id: tier,
    sign: <MarkSign mark={markOf(place)} colour={colourOf({ colour })} />,
    text: key,
  }));
  const others = shared.map(({ sign, text }) => ({ id: sign, sign: <CurveSign dashed />, text }));
  return [...entries, ...others];
}

function samplesText({ groups }: Residency): string {
  const all = groups.reduce((sum, { samples }) => sum + samples, 0);
  const drawn = groups.reduce((sum, { points }) => sum + points.length, 0);
  return drawn < all
    ? `${count(drawn)} of ${counted(all, "sample")} drawn`
    : counted(all, "sample");
}

interface SamplesProps {
  panel: ChipPanel;
  groups: Residency["groups"];
  width: number;
}

function Samples({ panel: { tiers, divisor, across, up }, groups, width }: SamplesProps) {
  const pointsOf = (place: number) => groups[place]?.points ?? [];
  return (
    <ScatterPlot width={width} height={targetsHeight(width) - 28} x={across} y={up}>
      {(plot) => {
        const height = (frequency: number) => plot.y(frequency / divisor);
        return [
          ...tiers.map(({ group, tier, curve, colour }, place) => (
            <g key={tier} style={{ fill: colourOf({ colour }), stroke: colourOf({ colour }) }}>
              <path
                d={dotsPath(pointsOf(group), markOf(place), plot.x, height)}
                style={{ opacity: 0.45, strokeWidth: 0 }}
              />
              {curve ? <Curve plot={plot} curve={curve} /> : null}
            </g>
          )),
          ...tiers.map(({ group, tier, colour }) => (
            <TierName
              key={`name of ${tier}`}
              colour={colourOf({ colour })}
              plot={plot}
              points={pointsOf(group)}
              height={height}
              tier={tier}
            />
          )),
        ];
      }}
    </ScatterPlot>
  );
}

/** Dashed where no sample supports it. */
function Curve({ plot, curve }: { plot: Plot; curve: FittedCurve }) {
  const pathOf = (stretches: number[][][]) =>
    stretches
      .map((points) => linePath(points.map(([x = 0, y = 0]) => [plot.x(x), plot.y(y)])))
      .join("");
  return (
    <g style={{ fill: "none", strokeWidth: 2 }}>
      <path d={pathOf(curve.within)} />
      <path d={pathOf(curve.beyond ?? [])} style={{ strokeWidth: 1.25, strokeDasharray: "5 4" }} />
    </g>
  );
}

interface TierNameProps {
  plot: Plot;
  points: number[][];
  height: (frequency: number) => number;
  tier: string;
  colour: string;
}

/** At the point of highest residency, because the picture has no key. */
function TierName({ plot, points, height, tier, colour }: TierNameProps) {
  const [active = 0, frequency = 0] = points.reduce((most, point) =>
    (point[0] ?? 0) > (most[0] ?? 0) ? point : most,
  );
  return (
    <text
      className={chartStyles.name}
      x={Math.max(plot.left + 80, plot.x(active))}
      y={height(frequency) - 10}
      textAnchor="end"
      style={{ fill: colour }}
    >
      {tier}
    </text>
  );
}

function Fits({ panel }: { panel: ChipPanel }) {
  return (
    <ul className={answerStyles.fits}>
      {panel.tiers.map(({ tier, fit }) => (
        <li key={tier}>
          <bdi>{fit}</bdi>
        </li>
      ))}
    </ul>
  );
}
