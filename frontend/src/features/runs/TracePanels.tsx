import { memo, useMemo } from "react";
import { DASHES, tierColour } from "../../charts/colours";
import { zeroAxis } from "../../charts/scale";
import { linePath } from "../../charts/path";
import { columnsIn, TimePanel, type TimePlot } from "../../charts/TimePanel";
import { highest, meanOf, partsOf, steps, type Trace, type Use } from "./trace";
import styles from "./TraceFigure.module.css";

interface Props {
  trace: Trace;
  use: Use;
  width: number;
  span: readonly [number, number] | undefined;
}

/** What was sampled over time, one panel above the other. Drawn once: no pointer moves it. */
export const TracePanels = memo(function TracePanels({ trace, use, width, span }: Props) {
  const shown = useMemo(() => steps(trace.times, columnsIn(width)), [trace.times, width]);
  const midOf = (step: number[]) => trace.times[step[step.length >> 1] ?? 0] ?? 0;
  const line = (plot: TimePlot, values: readonly (number | undefined)[], factor = 1) =>
    linePath(
      shown.map((step) => {
        const mean = meanOf(values, step);
        return [plot.x(midOf(step)), mean === undefined ? undefined : plot.y(mean * factor)];
      }),
    );
  const clusters = trace.clusters.map((track, place) => ({
    ...track,
    style: lineStyle(tierColour(track.tier), dashOf(trace, place)),
  }));
  const panel = { width, height: width < 600 ? 150 : 180, times: trace.times, span };
  const fastest = Math.max(...trace.clusters.map(({ frequency }) => highest(frequency)), 1e9);
  return (
    <>
      <TimePanel
        {...panel}
        title={trace.cores.length > 0 ? "Active cores, stacked" : "Active clusters, stacked"}
        names={tierNames(trace)}
        y={zeroAxis(Math.max(1, highest(use.plain)), 4)}
      >
        {(plot) => <Stack plot={plot} trace={trace} shown={shown} midOf={midOf} />}
      </TimePanel>
      {clusters.length > 0 ? (
        <TimePanel
          {...panel}
          title="Frequency, GHz"
          names={clusters.map(({ name, style }) => ({ name: short(name), style }))}
          y={zeroAxis(fastest / 1e9, 4)}
        >
          {(plot) =>
            clusters.map(({ name, frequency, style }) => (
              <path key={name} d={line(plot, frequency, 1e-9)} style={style} />
            ))
          }
        </TimePanel>
      ) : null}
      {trace.power.some((value) => value !== undefined) ? (
        <TimePanel {...panel} title="CPU power, W" y={zeroAxis(highest(trace.power), 4)}>
          {(plot) => <path d={line(plot, trace.power)} style={lineStyle("var(--ink)")} />}
        </TimePanel>
      ) : null}
      {trace.cores.length > 0 ? (
        <TimePanel
          {...panel}
          height={Math.max(panel.height, trace.cores.length * 12 + 52)}
          title="Residency of each core: pale 0 %, full 100 %"
          y={{ domain: [trace.cores.length, 0], ticks: [] }}
        >
          {(plot) => <Heat plot={plot} trace={trace} shown={shown} />}
        </TimePanel>
      ) : null}
      <TimePanel
        {...panel}
        title="Use, %"
        names={[
          { name: "% CPU", style: PLAIN },
          { name: "by frequency", style: WEIGHTED },
        ]}
        y={zeroAxis(Math.max(1, highest(use.plain) * 100), 4)}
      >
        {(plot) => (
          <>
            <path d={line(plot, use.plain, 100)} style={PLAIN} />
            <path d={line(plot, use.weighted, 100)} style={WEIGHTED} />
          </>
        )}
      </TimePanel>
    </>
  );
});

/** "P0" of "P0-Cluster". */
export const short = (cluster: string) => cluster.replace("-Cluster", "");

const lineStyle = (stroke: string, dash = "") => ({
  stroke,
  strokeDasharray: dash,
  strokeWidth: 1.5,
  fill: "none",
});
const PLAIN = lineStyle("var(--ink)");
const WEIGHTED = lineStyle("var(--accent)", "5 3");

/** Clusters of one tier share its hue: dashes tell them apart. */
function dashOf(trace: Trace, place: number): string {
  const { tier } = trace.clusters[place] ?? { tier: "" };
  const before = trace.clusters.slice(0, place).filter((other) => other.tier === tier).length;
  return DASHES[before % DASHES.length] ?? "";
}

function tierNames(trace: Trace) {
  const tiers = new Set(partsOf(trace).map(({ tier }) => tier));
  return [...tiers].map((name) => ({
    name,
    style: { ...lineStyle(tierColour(name)), strokeWidth: 8, opacity: 0.75 },
  }));
}

interface DrawnProps {
  plot: TimePlot;
  trace: Trace;
  shown: number[][];
}

/** Each core's residency on top of those before it, in its tier's hue, neighbours told by shade. */
function Stack({ plot, trace, shown, midOf }: DrawnProps & { midOf: (step: number[]) => number }) {
  const parts = partsOf(trace);
  const below = shown.map(() => 0);
  return parts.map((part, place) => {
    const lower = [...below];
    shown.forEach((step, index) => {
      below[index] = (below[index] ?? 0) + (meanOf(part.active, step) ?? 0);
    });
    const upper = shown.map((step, index) => [plot.x(midOf(step)), plot.y(below[index] ?? 0)]);
    const back = shown
      .map((step, index) => [plot.x(midOf(step)), plot.y(lower[index] ?? 0)])
      .toReversed();
    const d = [...upper, ...back]
      .map(([x = 0, y = 0], index) => `${index === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join("");
    return (
      <path
        key={part.name}
        d={`${d}z`}
        style={{ fill: tierColour(part.tier), opacity: place % 2 === 0 ? 0.8 : 0.55 }}
      />
    );
  });
}

const SHADES = 10;

/** A line a core, a cell a step; cells of one shade are one path. */
function Heat({ plot, trace, shown }: DrawnProps) {
  const row = plot.height / trace.cores.length;
  const cell = plot.width / shown.length;
  return trace.cores.map((core, place) => {
    const paths = Array.from({ length: SHADES + 1 }, () => "");
    shown.forEach((step, index) => {
      const active = meanOf(core.active, step);
      if (active === undefined) return;
      const shade = Math.round(Math.min(1, active) * SHADES);
      paths[shade] +=
        `M${(plot.left + index * cell).toFixed(1)} ${(plot.top + place * row + 1).toFixed(1)}h${(cell + 0.2).toFixed(2)}v${(row - 2).toFixed(1)}h${(-cell - 0.2).toFixed(2)}z`;
    });
    return (
      <g key={core.name} style={{ fill: tierColour(core.tier) }}>
        {[...paths.entries()].map(([shade, d]) =>
          d === "" || shade === 0 ? null : (
            <path key={`shade ${shade}`} d={d} style={{ opacity: shade / SHADES }} />
          ),
        )}
        <text
          className={styles.core}
          x={plot.left - 6}
          y={plot.top + (place + 0.5) * row}
          dy="0.32em"
          textAnchor="end"
        >
          {short(core.name)}
        </text>
      </g>
    );
  });
}
