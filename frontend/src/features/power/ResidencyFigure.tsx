import { Link } from "@tanstack/react-router";
import { type ReactNode, useId, useRef, useState } from "react";
import type { ChipPanel, FittedCurve, Residency } from "../../api/types";
import chartStyles from "../../figures/charts/charts.module.css";
import { colourOf } from "../../figures/charts/colours";
import { useMark } from "../../figures/charts/MarkLink";
import { MARKS, markPath } from "../../figures/charts/marks";
import { linePath } from "../../figures/charts/path";
import ScatterPlot, { type Plot } from "../../figures/charts/ScatterPlot";
import { TipFrame } from "../../figures/charts/TipFrame";
import { type Clause, printClause } from "../../links/clause";
import type { SearchLists } from "../../links/search";
import { count, counted, moment, withUnit } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import answerStyles from "../../figures/Figure.module.css";
import { targetsHeight } from "../../figures/heights";
import { ChartKey, ToggleKey, MarkSign } from "../../figures/Key";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import pageStyles from "../../ui/Page.module.css";
import styles from "./Residency.module.css";
import { CELL, dotsPath, LEAST } from "./residency";

interface Props {
  answer: Residency;
  /** Whether it was asked for curves. */
  fitted: boolean;
  filters: string[];
  /** The same filters, as clauses. */
  where: readonly Clause[];
  title: string;
  /** More downloads, next to the picture's. */
  actions: ReactNode;
}

/** Each sample of each cluster as a point, and the curve fitted to each tier's, if one is. */
export default function ResidencyFigure({ answer, fitted, ...props }: Props) {
  const { filters, where, title, actions } = props;
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
          ].map((text) => (
            <bdi key={text}>{text}</bdi>
          ))}
        </p>
      </figcaption>
      <div className={pageStyles.actions}>
        {actions}
        <PictureButtons figure={figure} name="macmeter-residency" />
      </div>
      <div ref={ref} className={answerStyles.plot}>
        {width === 0
          ? null
          : answer.panels.map((panel) => (
              <Chip
                key={panel.chip}
                panel={panel}
                groups={answer.groups}
                fitted={fitted}
                where={where}
                width={width}
                name={`Chart: ${title}, ${panel.chip}. Its figures are in the table that follows.`}
              />
            ))}
      </div>
    </figure>
  );
}

interface ChipProps extends Pick<Props, "where" | "fitted"> {
  panel: ChipPanel;
  groups: Residency["groups"];
  width: number;
  name: string;
}

/** A chip in one power mode; each of its tiers can be hidden. */
function Chip({ panel, groups, fitted, where, width, name }: ChipProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  return (
    <div className={styles.panel}>
      <TipFrame name={name}>
        <Samples panel={panel} groups={groups} where={where} width={width} hidden={hidden} />
      </TipFrame>
      <ToggleKey entries={tiersOf(panel)} hidden={hidden} onHide={setHidden} />
      <ChartKey
        entries={[
          {
            id: "bins",
            sign: <MarkSign mark="circle" hollow />,
            text: "ring: median around each number of cores",
          },
          { id: "dots", sign: <DotsSign />, text: "larger mark: more samples" },
        ]}
      />
      {fitted ? <Fits panel={panel} /> : null}
    </div>
  );
}

/** Two marks of different sizes. */
function DotsSign() {
  return (
    <svg width="20" height="12" aria-hidden="true" style={{ fill: "var(--ink-3)" }}>
      <path d={markPath("circle", 5, 6, LEAST) + markPath("circle", 14, 6, CELL / 2)} />
    </svg>
  );
}

/** A different mark for each tier of a chip. */
const markOf = (index: number) => MARKS[(index + 1) % MARKS.length] ?? "circle";

const tiersOf = ({ tiers }: ChipPanel) =>
  tiers.map(({ tier, key, colour }, index) => ({
    id: tier,
    label: tier,
    sign: <MarkSign mark={markOf(index)} colour={colourOf({ colour })} />,
    text: key,
  }));

function samplesText({ groups }: Residency): string {
  const all = groups.reduce((sum, { samples }) => sum + samples, 0);
  const pointCount = groups.reduce((sum, { points }) => sum + points.length, 0);
  return pointCount < all
    ? `${count(pointCount)} of ${counted(all, "sample")} drawn`
    : counted(all, "sample");
}

interface SamplesProps extends Omit<ChipProps, "name" | "fitted"> {
  hidden: ReadonlySet<string>;
}

function Samples({ panel, groups, where, width, hidden }: SamplesProps) {
  const { divisor, across, up } = panel;
  const tiers = panel.tiers
    .map((tier, index) => ({ ...tier, mark: markOf(index) }))
    .filter(({ tier }) => !hidden.has(tier));
  const pointsOf = (index: number) => groups[index]?.points ?? [];
  return (
    <ScatterPlot width={width} height={targetsHeight(width) - 28} x={across} y={up}>
      {(plot) => {
        const height = (frequency: number) => plot.y(frequency / divisor);
        return [
          ...tiers.map(({ group, tier, curve, colour, mark }) => (
            <g key={tier} style={{ fill: colourOf({ colour }), stroke: colourOf({ colour }) }}>
              <path
                d={dotsPath(pointsOf(group), mark, plot.x, height)}
                style={{ opacity: 0.7, strokeWidth: 0 }}
              />
              {curve ? <Curve plot={plot} curve={curve} /> : null}
            </g>
          )),
          ...tiers.map(({ group, tier, curve, colour }) => (
            <TierName
              key={`name of ${tier}`}
              colour={colourOf({ colour })}
              plot={plot}
              points={[
                ...pointsOf(group),
                ...(curve?.within.flat() ?? []).map(([x = 0, y = 0]) => [x, y * divisor]),
              ]}
              height={height}
              tier={tier}
            />
          )),
          ...tiers.flatMap((tier) =>
            tier.bins.map((bin) => (
              <BinMark
                key={`${tier.tier} ${bin.nearest}`}
                plot={plot}
                of={{ tier, bin, unit: panel.unit }}
                runs={runsOf(where, groups[tier.group]?.key)}
              />
            )),
          ),
        ];
      }}
    </ScatterPlot>
  );
}

type Tier = ChipPanel["tiers"][number];

interface BinProps {
  plot: Plot;
  of: { tier: Tier; bin: Tier["bins"][number]; unit: string };
  runs: SearchLists;
}

/**
 * Median of the samples near a number of cores, linked to the runs with that chip and power mode.
 */
function BinMark({ plot, of: { tier, bin, unit }, runs }: BinProps) {
  const label = `${tier.tier}, ${bin.cores}: ${withUnit(bin.median, unit)}`;
  const handlers = useMark(
    `${tier.tier} ${bin.nearest}`,
    <>
      <p>
        <b>{label}</b>
      </p>
      <p>
        p10–p90 {bin.p10}–{bin.p90} · {counted(bin.points, "sample")}
      </p>
      <p>
        <Link to="/runs" search={runs}>
          Runs
        </Link>
      </p>
    </>,
    true,
  );
  const [active = 0, frequency = 0] = bin.at;
  const [x, y] = [plot.x(active), plot.y(frequency)];
  return (
    <Link
      to="/runs"
      search={runs}
      className={chartStyles.mark}
      aria-label={`${label}. Show runs`}
      {...handlers}
    >
      <circle className={chartStyles.reach} cx={x} cy={y} r={12} />
      <circle className={styles.ring} cx={x} cy={y} r={7} style={{ stroke: colourOf(tier) }} />
    </Link>
  );
}

/** Sampled runs with that chip in that power mode, under the page's other filters. */
function runsOf(where: readonly Clause[], key: Residency["groups"][number]["key"] | undefined) {
  const groupFilters: Clause[] = [
    { dimension: "suite", op: "is", value: "power" },
    { dimension: "chip", op: "is", value: key?.chip ?? "" },
    { dimension: "power_mode", op: "is", value: key?.power_mode ?? "" },
  ];
  const groupDimensions = new Set(groupFilters.map(({ dimension }) => dimension));
  const otherFilters = where.filter(({ dimension }) => !groupDimensions.has(dimension));
  return { where: [...otherFilters, ...groupFilters].map(printClause).toSorted() };
}

function Curve({ plot, curve }: { plot: Plot; curve: FittedCurve }) {
  const stretches = curve.within.map((points) =>
    linePath(points.map(([x = 0, y = 0]) => [plot.x(x), plot.y(y)])),
  );
  return <path d={stretches.join("")} style={{ fill: "none", strokeWidth: 2 }} />;
}

/** Width of a tier's name in active cores, measured from its right end. */
const UNDER_NAME = 0.7;

interface TierNameProps {
  plot: Plot;
  points: number[][];
  height: (frequency: number) => number;
  tier: string;
  colour: string;
}

/** Tier name at the curve's highest residency, because the picture has no key. */
function TierName({ plot, points, height, tier, colour }: TierNameProps) {
  const active = Math.max(...points.map(([at = 0]) => at));
  // Place it above all marks that it would cover.
  const near = points.filter(([at = 0]) => active - at < UNDER_NAME);
  const frequency = Math.max(...near.map(([, value = 0]) => value));
  return (
    <text
      className={chartStyles.name}
      x={Math.max(plot.left + 80, plot.x(active))}
      y={height(frequency) - 14}
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
