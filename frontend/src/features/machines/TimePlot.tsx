import {
  CartesianGrid,
  ComposedChart,
  Line,
  usePlotArea,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from "recharts";
import type { LineWords, TimelineLine } from "../../api/types";
import { rechartsAxis, roomyTicks } from "../../figures/charts/axis";
import charts from "../../figures/charts/charts.module.css";
import { RunLink } from "../../figures/charts/RunLink";
import { MarkShape } from "../../figures/charts/marks";
import { day, moment, systemText, withUnit } from "../../ui/format";
import { levelsOf, versionsOf } from "./lines";
import styles from "./Machines.module.css";
import { PLOT_HEIGHT, spanOf, timeTicks, withRoom } from "./timeAxis";

interface Props {
  line: TimelineLine;
  lineWords: LineWords;
  width: number;
  doubted: (flags: string[]) => boolean;
}

const LEFT = 40;
/** Half of a date's width. */
const HALF = 36;
/** Distance from a mark within which the pointer selects it. */
const REACH = 8;
const [WIDE_TICK, NARROW_TICK] = [100, 52];
/** Narrower charts leave the year out. */
const NARROW = 600;
/** Room for the names of macOS versions, also above a line's name at the top of the plot. */
const VERSIONS = 38;
/** Where the names of the lines are, at the right. */
const NAMES = 190;

const timeOf = ({ at }: { at: string }) => Date.parse(at);

const tickText = (tick: number) => day(new Date(tick).toISOString());

/** One line over time: its runs, its peers' band, macOS versions, and changes of level. */
export default function TimePlot({ line, lineWords, width, doubted }: Props) {
  const { axis, divisor } = lineWords;
  const rows = line.points.map((point) => ({ x: timeOf(point), y: point.value / divisor }));
  const span = spanOf(rows.map(({ x }) => x));
  const isNarrow = width < NARROW;
  const room = isNarrow ? NARROW_TICK : WIDE_TICK;
  // Half of a label has to fit beside its tick.
  const last = span[1] - ((span[1] - span[0]) * HALF) / (width - LEFT);
  const ticks = timeTicks(...span, Math.max(3, Math.floor((width - LEFT) / room))).filter(
    (at) => at <= last,
  );
  return (
    <ComposedChart
      data={rows}
      width={width}
      height={PLOT_HEIGHT}
      margin={{ top: VERSIONS, right: 8, bottom: 0, left: 0 }}
      accessibilityLayer={false}
      className={`${charts.chart} ${styles.plot}`}
    >
      <CartesianGrid syncWithTicks vertical={false} stroke="var(--rule)" />
      <XAxis
        dataKey="x"
        type="number"
        domain={span}
        ticks={ticks}
        tickFormatter={(tick: number) =>
          isNarrow ? tickText(tick).replace(/ \d{4}$/, "") : tickText(tick)
        }
        interval={0}
        tickLine={false}
        axisLine={{ stroke: "var(--ink-3)" }}
      />
      <YAxis
        {...rechartsAxis(axis, roomyTicks(axis, PLOT_HEIGHT))}
        width={LEFT}
        tickLine={false}
        axisLine={false}
      />
      <Around line={line} lineWords={lineWords} />
      <Line
        dataKey="y"
        stroke="none"
        isAnimationActive={false}
        activeDot={false}
        dot={({ cx, cy, index = 0 }: { cx?: number; cy?: number; index?: number }) => {
          const point = line.points[index];
          if (!point || cx === undefined || cy === undefined) return <g key={index} />;
          const version = point.os_version ? `, ${systemText(point.os_version)}` : "";
          const value = withUnit(lineWords.points[index] ?? "", axis.title);
          return (
            <RunLink
              key={point.run_id}
              run={point.run_id}
              label={`${moment(point.at)}: ${value}${version}`}
            >
              <circle className={charts.reach} cx={cx} cy={cy} r={REACH} />
              <MarkShape
                mark="circle"
                x={cx}
                y={cy}
                r={3.5}
                colour="var(--accent)"
                hollow={line.source === "published"}
                crossed={doubted(point.flags)}
              />
            </RunLink>
          );
        }}
      />
    </ComposedChart>
  );
}

/** What is drawn behind the runs: versions of macOS, peers, levels and their changes. */
function Around({ line, lineWords }: Pick<Props, "line" | "lineWords">) {
  const plot = usePlotArea();
  const [across, up] = [useXAxisScale(), useYAxisScale()];
  if (!plot || !across || !up) return null;
  const right = plot.x + plot.width;
  const x = (time: number) => Math.min(Number(across(time)), right);
  const y = (value: number) => Number(up(value / lineWords.divisor));
  const levels = levelsOf(line, lineWords);
  const versions = versionsOf(line).map(({ from, to, version, peers }) => {
    const end = to ? x(timeOf(to)) : right;
    const isStep = levels.some((level) => level.mark && level.from.run_id === from.run_id);
    return { x: x(timeOf(from)), end, text: systemText(version), peers, id: from.run_id, isStep };
  });
  const last = levels.at(-1);
  const newest = versions.findLast(({ peers }) => peers)?.peers;
  // Whatever is drawn above or below the names.
  const isNear = (end: number) => end > right - NAMES;
  const edges = [
    ...levels.flatMap(({ to, value }) => (isNear(x(timeOf(to))) ? [value] : [])),
    ...versions.flatMap(({ end, peers }) =>
      peers && isNear(end)
        ? [peers.median, peers.p10 ?? peers.median, peers.p90 ?? peers.median]
        : [],
    ),
  ];
  // Each name on its own side of both lines.
  const isAbove = last && newest ? last.value > newest.median : false;
  const [above, below] = [y(Math.max(...edges)) - 12, y(Math.min(...edges)) + 22];
  const top = Math.min(plot.y - 8, above - 16);
  return (
    <g>
      {withRoom(versions, right).map(({ x: at, start, text, id }, index) => (
        <g key={id}>
          {index > 0 ? (
            <path className={styles.update} d={`M${at} ${plot.y}v${plot.height}`} />
          ) : null}
          {text ? (
            <text className={charts.tick} x={start + (index > 0 ? 5 : 0)} y={top}>
              {text}
            </text>
          ) : null}
        </g>
      ))}
      {versions.map(({ x: from, end, peers, id }) =>
        peers ? (
          <g key={id}>
            {peers.p10 !== null && peers.p90 !== null ? (
              <rect
                className={styles.band}
                x={from}
                width={Math.max(0, end - from)}
                y={y(peers.p90)}
                height={y(peers.p10) - y(peers.p90)}
              />
            ) : null}
            <path className={styles.peers} d={`M${from} ${y(peers.median)}H${end}`} />
          </g>
        ) : null,
      )}
      {levels.map(({ from, to, value, mark }, index) => {
        const before = levels[index - 1];
        const at = x(timeOf(from));
        return (
          <g key={from.run_id}>
            <path className={styles.level} d={`M${at} ${y(value)}H${x(timeOf(to))}`} />
            {before && mark ? (
              <g
                className={
                  mark.worse === null ? undefined : styles[mark.worse ? "worse" : "better"]
                }
              >
                <path className={styles.step} d={`M${at} ${y(before.value)}V${y(value)}`} />
                <text
                  className={styles.size}
                  x={at + (at > right - NAMES ? -8 : 8)}
                  y={(y(before.value) + y(value)) / 2}
                  dy="0.35em"
                  textAnchor={at > right - NAMES ? "end" : "start"}
                >
                  {mark.mark}
                </text>
              </g>
            ) : null}
          </g>
        );
      })}
      {lineWords.peers ? (
        <text className={charts.words} x={right} y={isAbove ? below : above} textAnchor="end">
          {lineWords.peers}
        </text>
      ) : null}
      {last ? (
        <text
          className={`${charts.words} ${styles.own}`}
          x={right}
          y={isAbove ? above : below}
          textAnchor="end"
        >
          This Mac, {lineWords.now}
        </text>
      ) : null}
    </g>
  );
}
