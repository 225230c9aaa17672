import type { LineWords, TimelineLine } from "../../api/types";
import { colourOf } from "../../figures/charts/colours";
import charts from "../../figures/charts/charts.module.css";
import { RunLink } from "../../figures/charts/RunLink";
import { MarkShape } from "../../figures/charts/marks";
import { day, moment, withUnit } from "../../ui/format";
import { levelsOf } from "./lines";
import styles from "./Machines.module.css";
import { endsAt, timeTicks, withRoom } from "./timeAxis";

interface Props {
  line: TimelineLine;
  told: LineWords;
  width: number;
  /** Shared by all lines, so that they align vertically. */
  span: [number, number];
  doubted: (flags: string[]) => boolean;
}

const TOP = 34;
/** Lines with few runs are low, so that a page of them fits on the screen. */
const PLOT = 150;
const LOW = 56;
const FEW = 6;
const FOOT = 24;
const LEFT = 44;
const RIGHT = 14;
/** Distance from a mark within which the pointer selects it. */
const REACH = 8;

/** One line over time: its runs, the macOS versions, and changes of level. */
export function TimePlot({ line, told, width, span, doubted }: Props) {
  const { axis, divisor } = told;
  const plot = line.points.length < FEW ? LOW : PLOT;
  const ticks = plot === LOW ? axis.ticks.filter(isEnd) : axis.ticks;
  const at = (instant: string) => placeOf(Date.parse(instant));
  const placeOf = (time: number) =>
    LEFT + ((time - span[0]) / (span[1] - span[0])) * (width - LEFT - RIGHT);
  const height = (value: number) => TOP + plot * (1 - value / axis.high);
  const moments = new Map(line.points.map((point) => [point.run_id, at(point.at)]));
  const marked = wordsOver(line, told, moments, width);
  const colour = colourOf(told);
  return (
    <svg className={styles.plot} width={width} height={TOP + plot + FOOT}>
      <text x={0} y={11}>
        {axis.title}
      </text>
      {ticks.map(({ at: tick, text }) => (
        <g key={tick}>
          <line
            x1={LEFT}
            x2={width - RIGHT}
            y1={height(tick)}
            y2={height(tick)}
            className={styles.grid}
          />
          <text x={LEFT - 8} y={height(tick)} dy="0.32em" textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      {timeTicks(...span, Math.max(3, Math.floor((width - LEFT) / 110))).map((tick) => (
        <text key={tick} x={placeOf(tick)} y={TOP + plot + 17} textAnchor="middle">
          {day(new Date(tick).toISOString())}
        </text>
      ))}
      {marked.map(({ id, x, row, text, kind }) => (
        <g key={id}>
          <line x1={x} x2={x} y1={row === 0 ? 14 : 28} y2={TOP + plot} className={styles[kind]} />
          {text ? (
            <text
              x={x + 4}
              y={row === 0 ? 11 : 26}
              className={kind === "change" ? styles.changed : undefined}
              textAnchor={endsAt(x, width) ? "end" : "start"}
              dx={endsAt(x, width) ? -8 : 0}
            >
              {text}
            </text>
          ) : null}
        </g>
      ))}
      {levelsOf(line).map((level) => (
        <line
          key={level.from.run_id}
          x1={at(level.from.at) - 3}
          x2={at(level.to.at) + 3}
          y1={height(level.value / divisor)}
          y2={height(level.value / divisor)}
          className={styles.level}
          style={{ stroke: colour }}
        />
      ))}
      {line.points.map((point, place) => (
        <RunLink
          key={point.run_id}
          run={point.run_id}
          said={`${moment(point.at)}: ${withUnit(told.points[place] ?? "", axis.title)}${point.os_version ? `, macOS ${point.os_version}` : ""}`}
        >
          <circle
            className={charts.reach}
            cx={at(point.at)}
            cy={height(point.value / divisor)}
            r={REACH}
          />
          <MarkShape
            mark="circle"
            x={at(point.at)}
            y={height(point.value / divisor)}
            r={3}
            colour={colour}
            hollow={line.source === "published"}
            crossed={doubted(point.flags)}
          />
        </RunLink>
      ))}
    </svg>
  );
}

const isEnd = (_: unknown, place: number, ticks: readonly unknown[]) =>
  place === 0 || place === ticks.length - 1;

interface Marked {
  id: string;
  x: number;
  /** 0: macOS, 1: changes. */
  row: number;
  text: string;
  kind: "update" | "change";
}

/** Vertical lines with labels; a label that would overlap the previous one is omitted. */
function wordsOver(
  line: TimelineLine,
  told: LineWords,
  moments: ReadonlyMap<string, number>,
  width: number,
): Marked[] {
  const updates = line.os_updates.map(({ run_id, after }) => ({
    id: `u${run_id}`,
    x: moments.get(run_id) ?? LEFT,
    row: 0,
    text: `macOS ${after}`,
    kind: "update" as const,
  }));
  const changes = line.changes.map(({ run_id }, place) => ({
    id: `c${run_id}`,
    x: moments.get(run_id) ?? LEFT,
    row: 1,
    text: told.changes[place]?.mark ?? "",
    kind: "change" as const,
  }));
  return [...withRoom(updates, width), ...withRoom(changes, width)];
}
