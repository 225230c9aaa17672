import type { ReactNode } from "react";
import type { Case, Chart, Column, Lane } from "../api/types";
import { lanesByIdOf } from "./cases";
import { colourOf } from "./charts/colours";
import { shortened } from "./charts/labels";
import { RunsLink } from "./charts/MarkLink";
import type { OnLine } from "./charts/Nearest";
import styles from "./Figure.module.css";
import { MarkSign } from "./Key";

interface LaneProps {
  row: Case;
  lane: Lane;
  chart: Chart;
  /** Maximum number of facts. */
  most?: number;
}

/** Facts in a tip, most important first; the table has the rest. */
const TOLD = [
  "value",
  "mixes",
  "across",
  "interval",
  "between",
  "spread",
  "verdict",
  "runs",
  "machines",
];
const MOST_FACTS = 5;

/** The basis of one mark: the main cells of its table row. */
export function LaneTip({ row, lane, chart: { columns }, most = MOST_FACTS }: LaneProps) {
  const facts = TOLD.flatMap((id) => {
    const column = columns?.find((candidate) => candidate.id === id);
    const text = column ? factOf(column, lane) : "";
    return column && text !== "" ? [{ ...column, text }] : [];
  });
  return (
    <>
      <p className={styles.tipTitle}>
        <bdi>{row.label}</bdi>
        {lane.name ? `, ${lane.name}` : ""}
      </p>
      <dl>
        {facts.slice(0, most).map(({ id, title, text }) => (
          <Fact
            key={id}
            name={title}
            text={
              id === "runs" ? (
                <RunsLink row={row} lane={lane}>
                  {text}
                </RunsLink>
              ) : (
                text
              )
            }
          />
        ))}
      </dl>
    </>
  );
}

function factOf({ id, unit }: Column, lane: Lane): string {
  if (id === "value") return `${lane.full ?? lane.text}${lane.dagger ?? ""}`;
  const text = lane.cells?.[id] ?? "";
  // "p10–p90" names the kind of spread, and goes before it.
  if (text === "" || !unit) return text;
  return /^p\d/.test(unit) ? `${unit} ${text}` : `${text} ${unit}`;
}

function Fact({ name, text }: { name: string; text: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <bdi>{text}</bdi>
      </dd>
    </>
  );
}

interface PointsProps {
  at: string;
  points: OnLine[];
  /** The line next to the pointer. */
  near: OnLine;
  chart: Chart;
}

/** Maximum number of lines in a tip: more would cover its chart. */
const MOST_POINTS = 5;
/** Number of lines up to which there is room for what each figure is based on. */
const FEW_POINTS = 2;

/** The lines at one position of the horizontal axis, in vertical order, around the nearest. */
export function PointsTip({ at, points, near, chart }: PointsProps) {
  const sorted = points.toSorted((a, b) => b.point.y - a.point.y);
  const visible = around(sorted, near);
  const lanes = lanesByIdOf(chart);
  const names = shortened(
    visible.map(({ series }) => series.label),
    190,
  );
  return (
    <>
      <p className={styles.tipTitle}>{at}</p>
      <ul className={styles.points}>
        {visible.map(({ series, point }, index) => {
          const entry = lanes.get(point.lane);
          const figure = `${entry?.lane.full ?? point.text}${series.dagger ?? ""}`;
          return (
            <li key={point.lane} data-near={point.lane === near.point.lane || undefined}>
              <MarkSign
                mark={series.mark}
                colour={colourOf(series)}
                hollow={series.hollow ?? false}
              />
              <bdi>{names[index]}</bdi>
              <b>{entry ? <RunsLink {...entry}>{figure}</RunsLink> : figure}</b>
              {entry && points.length <= FEW_POINTS ? (
                <span className="under">{behind(entry.lane).join(", ")}</span>
              ) : null}
            </li>
          );
        })}
      </ul>
      {sorted.length > visible.length ? (
        <p>and {sorted.length - visible.length} more in the table</p>
      ) : null}
    </>
  );
}

/**
 * All if they fit, otherwise the nearest and those around it; the tip's last line gives the number
 * of others.
 */
function around(sorted: OnLine[], near: OnLine): OnLine[] {
  if (sorted.length <= MOST_POINTS) return sorted;
  const room = MOST_POINTS - 1;
  const nearest = sorted.findIndex(({ point }) => point.lane === near.point.lane);
  const first = nearest - Math.floor(room / 2);
  const from = Math.min(Math.max(0, first), sorted.length - room);
  return sorted.slice(from, from + room);
}

/** Notes on a lane: what is mixed, then the spread and its number of machines. */
function behind({ mixes, cells, weight }: Lane): string[] {
  const spread = cells?.spread ? `p10–p90 ${cells.spread}` : "";
  return [mixes, spread, weight].filter((text) => text !== undefined && text !== "") as string[];
}
