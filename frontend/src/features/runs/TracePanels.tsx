import { type CSSProperties, memo, useMemo } from "react";
import { colourOf, DASHES, tierColour } from "../../figures/charts/colours";
import { areaPath, linePath } from "../../figures/charts/path";
import {
  columnsIn,
  fromZero,
  type LineName,
  TimePanel,
  type TimePlot,
} from "../../figures/charts/TimePanel";
import { highest, partsOf, type Trace, type Track, type Use } from "./trace";
import { reachOf, type Step, stacked, steps } from "./traceSteps";
import styles from "./TraceFigure.module.css";

interface Props {
  trace: Trace;
  use: Use;
  width: number;
  span: readonly [number, number] | undefined;
  /** Hidden tiers, clusters and lines of use. */
  hidden: ReadonlySet<string>;
}

/**
 * Panels of the samples over time, one above the other. Memoised: pointer moves don't redraw them.
 */
export const TracePanels = memo(function TracePanels(props: Props) {
  const { trace, use, width, span, hidden } = props;
  const visibleSteps = useMemo(() => steps(trace.times, columnsIn(width)), [trace.times, width]);
  const drawn = { trace, visibleSteps };
  const parts = useMemo(
    () =>
      partsOf(trace)
        .filter(({ tier }) => !hidden.has(tier))
        .map(({ name, tier, active }) => ({
          name,
          tier,
          active: visibleSteps.map((step) => reachOf(active, step)?.mean),
        })),
    [trace, visibleSteps, hidden],
  );
  const clusters = clusterLines(trace).filter(
    ({ name, tier }) => !hidden.has(tier) && !hidden.has(short(name)),
  );
  const uses = USES.filter(({ name }) => !hidden.has(name));
  const panel = { width, height: width < 600 ? 150 : 180, times: trace.times, span };
  const fastest = Math.max(...trace.clusters.map(({ frequency }) => highest(frequency)), 1e9);
  return (
    <>
      <TimePanel
        {...panel}
        title={trace.cores.length > 0 ? "Active cores, stacked" : "Active clusters, stacked"}
        names={tierNames(trace).filter(({ name }) => !hidden.has(name))}
        y={fromZero(Math.max(1, highest(use.plain)))}
      >
        {(plot) => <Stack plot={plot} {...drawn} parts={parts} />}
      </TimePanel>
      {clusters.length > 0 ? (
        <TimePanel
          {...panel}
          title="Frequency, GHz"
          names={clusters.map(({ name, style }) => ({ name: short(name), style }))}
          y={fromZero(fastest / 1e9)}
        >
          {(plot) =>
            clusters.map(({ name, frequency, style }) => (
              <Line
                key={name}
                plot={plot}
                {...drawn}
                values={frequency}
                factor={1e-9}
                style={style}
              />
            ))
          }
        </TimePanel>
      ) : null}
      {trace.power.some((value) => value !== undefined) ? (
        <TimePanel {...panel} title="CPU power, W" y={fromZero(highest(trace.power) || 1)}>
          {(plot) => <Line plot={plot} {...drawn} values={trace.power} style={PLAIN} />}
        </TimePanel>
      ) : null}
      {trace.cores.length > 0 && parts.length > 0 ? (
        <TimePanel
          {...panel}
          height={Math.max(panel.height, parts.length * 12 + 52)}
          title="Residency of each core: pale 0 %, full 100 %"
          y={{ domain: [parts.length, 0], ticks: [] }}
        >
          {(plot) => <Heat plot={plot} cores={parts} />}
        </TimePanel>
      ) : null}
      <TimePanel
        {...panel}
        title="Use, %"
        names={uses}
        y={fromZero(Math.max(1, highest(use.plain) * 100))}
      >
        {(plot) =>
          uses.map(({ name, of, style }) => (
            <Line key={name} plot={plot} {...drawn} values={use[of]} factor={100} style={style} />
          ))
        }
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

const USES = [
  { name: "% CPU", of: "plain", style: PLAIN },
  { name: "by frequency", of: "weighted", style: WEIGHTED },
] as const;

/** Names that can be hidden: a tier with all its cores, a cluster, a line of use. */
export function namesIn(trace: Trace): LineName[] {
  const lines = clusterLines(trace).map(({ name, style }) => ({ name: short(name), style }));
  return [...tierNames(trace), ...lines, ...USES];
}

function clusterLines(trace: Trace) {
  return trace.clusters.map((track, index) => ({
    ...track,
    style: lineStyle(colourOf({ colour: tierColour(track.tier) }), dashOf(trace, index)),
  }));
}

/** A dash pattern: clusters of one tier share its hue. */
function dashOf(trace: Trace, index: number): string {
  const { tier } = trace.clusters[index] ?? { tier: "" };
  const before = trace.clusters.slice(0, index).filter((track) => track.tier === tier).length;
  return DASHES[before % DASHES.length] ?? "";
}

function tierNames(trace: Trace) {
  const tiers = new Set(partsOf(trace).map(({ tier }) => tier));
  return [...tiers].map((name) => ({
    name,
    style: { ...lineStyle(colourOf({ colour: tierColour(name) })), strokeWidth: 8, opacity: 0.75 },
  }));
}

interface DrawnProps {
  plot: TimePlot;
  trace: Trace;
  visibleSteps: readonly Step[];
}

/** A core or cluster with its mean residency at each step. */
type Part = Pick<Track, "name" | "tier" | "active">;

/** The time of a step's middle sample. */
const timeOf = ({ times }: Trace, { from, to }: Step) =>
  times[(from + to) >> 1] ?? times[from] ?? 0;

interface LineProps extends DrawnProps {
  values: readonly (number | undefined)[];
  factor?: number;
  style: CSSProperties;
}

/** The mean of each step's samples and, if there are several, a band over their range. */
function Line({ plot, trace, visibleSteps, values, factor = 1, style }: LineProps) {
  const points = visibleSteps.map((step) => ({
    x: plot.x(timeOf(trace, step)),
    reach: reachOf(values, step),
  }));
  const y = (value: number | undefined) =>
    value === undefined ? undefined : plot.y(value * factor);
  return (
    <>
      {visibleSteps.length < trace.times.length ? (
        <path
          d={areaPath(points.map(({ x, reach }) => [x, y(reach?.low), y(reach?.high)]))}
          style={{ fill: style.stroke, opacity: 0.22 }}
        />
      ) : null}
      <path d={linePath(points.map(({ x, reach }) => [x, y(reach?.mean)]))} style={style} />
    </>
  );
}

/** Stacked core residencies in their tiers' hues; adjacent cores differ in shade. */
function Stack({ plot, trace, visibleSteps, parts }: DrawnProps & { parts: Part[] }) {
  const layers = stacked(parts.map(({ active }) => active)).map((layer) =>
    layer.map((value) => (value === undefined ? undefined : plot.y(value))),
  );
  const xs = visibleSteps.map((step) => plot.x(timeOf(trace, step)));
  return parts.map((part, index) => (
    <path
      key={part.name}
      d={areaPath(xs.map((x, at) => [x, layers[index]?.[at], layers[index + 1]?.[at]]))}
      style={{
        fill: colourOf({ colour: tierColour(part.tier) }),
        opacity: index % 2 === 0 ? 0.8 : 0.55,
      }}
    />
  ));
}

const SHADES = 10;

/** One row per core, one cell per step; cells of one shade form one path. */
function Heat({ plot, cores }: { plot: TimePlot; cores: Part[] }) {
  const row = plot.height / cores.length;
  const cell = plot.width / (cores[0]?.active.length ?? 1);
  const xOf = (step: number) => (plot.left + step * cell).toFixed(1);
  const middle = (index: number) => (plot.top + (index + 0.5) * row).toFixed(1);
  return cores.map(({ name, tier, active }, index) => {
    const paths = Array.from({ length: SHADES + 1 }, () => "");
    // Adjacent cells of one shade form one stroke.
    let [begun, shade]: [number, number | undefined] = [0, undefined];
    const go = (at: number, next: number | undefined) => {
      if (next === shade) return;
      if (shade) paths[shade] += `M${xOf(begun)} ${middle(index)}H${xOf(at)}`;
      [begun, shade] = [at, next];
    };
    active.forEach((mean, at) => {
      go(at, mean === undefined ? undefined : Math.round(Math.min(1, mean) * SHADES));
    });
    go(active.length, undefined);
    return (
      <g key={name}>
        <g
          style={{
            stroke: colourOf({ colour: tierColour(tier) }),
            strokeWidth: row - 2,
            fill: "none",
          }}
        >
          {[...paths.entries()].map(([level, d]) =>
            d === "" ? null : (
              <path key={`shade ${level}`} d={d} style={{ opacity: level / SHADES }} />
            ),
          )}
        </g>
        <text
          className={styles.core}
          x={plot.left - 6}
          y={plot.top + (index + 0.5) * row}
          dy="0.32em"
          textAnchor="end"
        >
          {short(name)}
        </text>
      </g>
    );
  });
}
