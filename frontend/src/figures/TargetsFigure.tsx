import { useMemo, useState } from "react";
import type { Chart, Target } from "../api/types";
import { lanesByIdOf } from "./cases";
import { isolated } from "../ui/format";
import { fitted } from "./charts/caseLayout";
import styles from "./charts/charts.module.css";
import { colourOf } from "./charts/colours";
import { MarkLink } from "./charts/MarkLink";
import { MarkShape } from "./charts/marks";
import ScatterPlot, { type Plot } from "./charts/ScatterPlot";
import { separated } from "./charts/scale";
import { targetsHeight } from "./heights";
import { ChartKey, entriesOfTargets, isShown, signsOf, ToggleKey, togglesOf } from "./Key";
import { LaneTip } from "./Tips";

/** Minimum width of a chart at which names are next to their marks. */
const LABELLED_WIDTH = 600;

interface Props {
  chart: Chart;
  width: number;
}

/** A task's rate against its storage's speed, with the line of equal speeds. */
export default function TargetsFigure({ chart, width }: Props) {
  const { targets: all = [], across, up, level = "" } = chart;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  if (!across) return null;
  const targets = all.filter((target) => isShown(hidden, { ...target, name: target.label }));
  const labelled = width >= LABELLED_WIDTH;
  return (
    <>
      <ScatterPlot width={width} height={targetsHeight(width) - 28} x={across} y={up}>
        {(plot) => (
          <Marks
            chart={chart}
            plot={plot}
            targets={targets}
            level={level}
            levelEnd={Math.min(across.high, up.high)}
            labelled={labelled}
          />
        )}
      </ScatterPlot>
      <ToggleKey
        entries={[...(labelled ? [] : entriesOfTargets(all)), ...togglesOf(chart.key)]}
        hidden={hidden}
        onHide={setHidden}
      />
      <ChartKey entries={signsOf(chart.key)} />
    </>
  );
}

/** Distance from a mark to its own name. */
const NAME_DISTANCE = 11;
/** Distance from a mark within which other names must not be. */
const MARK_REACH = 8;
/** Mean width of a name's character. */
const PER_CHARACTER = 6.6;
/** Maximum width of a name in pixels. */
const MAX_NAME_WIDTH = 352;

/** Maximum number of facts about a target's rate in its tip, which also has both its figures. */
const MAX_FACTS = 4;

interface MarksProps {
  chart: Chart;
  plot: Plot;
  targets: Target[];
  level: string;
  /** The value at which the line of equal speeds leaves the shorter axis. */
  levelEnd: number;
  labelled: boolean;
}

function Marks({ chart, plot, targets, level, levelEnd, labelled }: MarksProps) {
  const lanesById = useMemo(() => lanesByIdOf(chart), [chart]);
  const names = targets.map((target) => {
    const [x, y] = [plot.x(target.x), plot.y(target.y)];
    const text = fitted(target.label, MAX_NAME_WIDTH);
    const width = (text.length + (target.dagger?.length ?? 0)) * PER_CHARACTER;
    const after = {
      text,
      before: false,
      left: x + NAME_DISTANCE,
      right: x + NAME_DISTANCE + width,
      y,
    };
    const before = {
      text,
      before: true,
      left: x - NAME_DISTANCE - width,
      right: x - NAME_DISTANCE,
      y,
    };
    const fits = { after: after.right <= plot.left + plot.width, before: before.left >= plot.left };
    return [...(fits.after ? [after] : []), ...(fits.before || !fits.after ? [before] : [])];
  });
  const marks = targets.map((target) => {
    const x = plot.x(target.x);
    return { left: x - MARK_REACH, right: x + MARK_REACH, y: plot.y(target.y) };
  });
  const placed = separated(names, 15, marks);
  return (
    <>
      <path
        d={`M${plot.x(0)} ${plot.y(0)}L${plot.x(levelEnd)} ${plot.y(levelEnd)}`}
        style={{ stroke: "var(--ink-3)", strokeDasharray: "2 4", fill: "none" }}
      />
      <text
        className={styles.words}
        x={plot.x(levelEnd * 0.94) - 8}
        y={plot.y(levelEnd * 0.94)}
        textAnchor="end"
      >
        {level}
      </text>
      {targets.map((target, index) => {
        const [x, y] = [plot.x(target.x), plot.y(target.y)];
        const { text, before, y: height } = placed[index] ?? { text: "", before: false, y };
        const laneInCase = lanesById.get(target.lane);
        const mark = (
          <>
            <circle cx={x} cy={y} r={14} className={styles.reach} />
            <MarkShape
              mark={target.mark ?? "square"}
              x={x}
              y={y}
              colour={colourOf(target)}
              hollow={target.hollow ?? false}
              crossed={target.doubted}
            />
          </>
        );
        return (
          <g key={`${target.label} ${target.text}`}>
            {laneInCase ? (
              <MarkLink
                {...laneInCase}
                className={styles.mark}
                hovered
                tip={
                  <>
                    <LaneTip {...laneInCase} chart={chart} most={MAX_FACTS} />
                    <p>{target.text}</p>
                  </>
                }
              >
                {mark}
              </MarkLink>
            ) : (
              mark
            )}
            {labelled ? (
              <text
                className={styles.name}
                x={before ? x - NAME_DISTANCE : x + NAME_DISTANCE}
                y={height}
                dy="0.32em"
                textAnchor={before ? "end" : "start"}
                style={{ fill: colourOf(target) }}
              >
                {isolated(text)}
                <tspan className={styles.dagger}>{target.dagger}</tspan>
              </text>
            ) : null}
          </g>
        );
      })}
    </>
  );
}
