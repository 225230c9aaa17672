import { type ReactNode, useId, useMemo, useRef } from "react";
import type { Residency } from "../../api/types";
import chartStyles from "../../figures/charts/charts.module.css";
import { tierColour } from "../../figures/charts/colours";
import { curvePath } from "../../figures/charts/path";
import ScatterPlot, { type Plot } from "../../figures/charts/ScatterPlot";
import { type Axis, zeroAxis } from "../../figures/charts/scale";
import { count, counted, moment, significant } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import { equationIn } from "./curves";
import answerStyles from "../../figures/Figure.module.css";
import { beyondOf, pointsOf } from "./curves";
import { targetsHeight } from "../../figures/heights";
import { ChartKey, CurveSign, type Entry, MarkSign } from "../../figures/Key";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import pageStyles from "../../ui/Page.module.css";
import styles from "./Residency.module.css";
import { type ChipPanel, dotsPath, panelsOf } from "./residency";

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
  const panels = useMemo(() => panelsOf(answer), [answer]);
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
          : panels.map((panel) => (
              <div key={panel.chip} className={styles.panel}>
                <div
                  role="img"
                  aria-label={`Chart: ${title}, ${panel.chip}. Its figures are in the table that follows.`}
                >
                  <Samples panel={panel} width={width} />
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

function keyOf({ groups }: ChipPanel): Entry[] {
  const entries: Entry[] = groups.map(({ group, tier, mark }) => ({
    id: tier,
    sign: <MarkSign mark={mark} colour={tierColour(tier)} />,
    text: `${tier}: ${counted(group.samples, "sample")} of ${counted(group.machines, "machine")}`,
  }));
  if (groups.some(({ group }) => group.fit)) {
    entries.push({ id: "beyond", sign: <CurveSign dashed />, text: "dashed: extrapolated" });
  }
  return entries;
}

function samplesText({ groups }: Residency): string {
  const all = groups.reduce((sum, { samples }) => sum + samples, 0);
  const drawn = groups.reduce((sum, { points }) => sum + points.length, 0);
  return drawn < all
    ? `${count(drawn)} of ${counted(all, "sample")} drawn`
    : counted(all, "sample");
}

function Samples({ panel: { chip, groups }, width }: { panel: ChipPanel; width: number }) {
  const points = groups.flatMap(({ group }) => group.points);
  const most = (place: 0 | 1) =>
    points.reduce((high, point) => Math.max(high, point[place] ?? 0), 0);
  const x = zeroAxis(most(0));
  const y = zeroAxis(most(1) / 1e9);
  return (
    <ScatterPlot
      width={width}
      height={targetsHeight(width) - 28}
      x={{ ...x, title: "Active residency of a cluster’s cores together" }}
      y={{ ...y, title: `Frequency, GHz · ${chip}` }}
    >
      {(plot) => [
        ...groups.map(({ group, tier, mark }) => (
          <g key={tier} style={{ fill: tierColour(tier), stroke: tierColour(tier) }}>
            <path
              d={dotsPath(group.points, mark, plot.x, (frequency) => plot.y(frequency / 1e9))}
              style={{ opacity: 0.45, strokeWidth: 0 }}
            />
            <Curve plot={plot} fit={group.fit} x={x} y={y} />
          </g>
        )),
        ...groups.map(({ group, tier }) => (
          <TierName key={`name of ${tier}`} plot={plot} points={group.points} tier={tier} />
        )),
      ]}
    </ScatterPlot>
  );
}

interface CurveProps {
  plot: Plot;
  fit: ChipPanel["groups"][number]["group"]["fit"];
  x: Axis;
  y: Axis;
}

/** Dashed where no sample supports it. */
function Curve({ plot, fit, x, y }: CurveProps) {
  if (!fit) return null;
  const place = { x: plot.x, y: (hertz: number) => plot.y(hertz / 1e9) };
  const [low, high] = y.domain;
  const pathOf = (points: { x: number; y: number }[]) =>
    curvePath(points, place, [low * 1e9, high * 1e9]);
  return (
    <g style={{ fill: "none", strokeWidth: 2 }}>
      <path d={pathOf(pointsOf(fit, false))} />
      <path
        d={beyondOf(fit, x.domain, false).map(pathOf).join("")}
        style={{ strokeWidth: 1.25, strokeDasharray: "5 4" }}
      />
    </g>
  );
}

/** At the point of highest residency, because the picture has no key. */
function TierName({ plot, points, tier }: { plot: Plot; points: number[][]; tier: string }) {
  const [active = 0, frequency = 0] = points.reduce((most, point) =>
    (point[0] ?? 0) > (most[0] ?? 0) ? point : most,
  );
  return (
    <text
      className={chartStyles.name}
      x={Math.max(plot.left + 80, plot.x(active))}
      y={plot.y(frequency / 1e9) - 10}
      textAnchor="end"
      style={{ fill: tierColour(tier) }}
    >
      {tier}
    </text>
  );
}

const rounded = (cores: number) => Number(cores.toFixed(2));

function Fits({ panel }: { panel: ChipPanel }) {
  return (
    <ul className={answerStyles.fits}>
      {panel.groups.map(({ group: { fit }, tier }) => (
        <li key={tier}>
          <bdi>{tier}</bdi>:{" "}
          {fit ? (
            <>
              <code>{equationIn(fit, 1, 1e9)}</code> in GHz and cores, r² {significant(fit.r2)},
              from {rounded(fit.low)} to {counted(rounded(fit.high), "core")}
            </>
          ) : (
            "too few samples for a curve"
          )}
        </li>
      ))}
    </ul>
  );
}
