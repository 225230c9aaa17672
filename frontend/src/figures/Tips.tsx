import type { Case, Chart, Column, Lane } from "../api/types";
import { lanesOf } from "./cases";
import { colourOf } from "./charts/colours";
import { shortened } from "./charts/labels";
import type { OnLine } from "./charts/LinesChart";
import styles from "./Figure.module.css";
import { MarkSign } from "./Key";

interface LaneProps {
  of: Case;
  lane: Lane;
  chart: Chart;
}

/** Shown as letters and daggers in the table, with links. */
const QUIET = new Set(["cited", "flags"]);

/** What one mark is based on: its row of the table. */
export function LaneTip({ of, lane, chart: { columns } }: LaneProps) {
  return (
    <>
      <p className={styles.tipTitle}>
        <bdi>{of.label}</bdi>
        {lane.name ? `, ${lane.name}` : ""}
      </p>
      <dl>
        {columns?.flatMap((column) => {
          const text = factOf(column, lane);
          return text === "" || QUIET.has(column.id)
            ? []
            : [<Fact key={column.id} name={column.title} text={text} />];
        })}
      </dl>
    </>
  );
}

function factOf({ id, unit }: Column, lane: Lane): string {
  if (id === "value") return `${lane.full ?? lane.text}${lane.dagger ?? ""}`;
  const text = lane.cells?.[id] ?? "";
  // "p10–p90" says what kind of spread it is, and goes before it.
  if (text === "" || !unit) return text;
  return /^p\d/.test(unit) ? `${unit} ${text}` : `${text} ${unit}`;
}

function Fact({ name, text }: { name: string; text: string }) {
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
  chart: Chart;
}

/** More than these would cover the chart that they are of: the table has them all. */
const MOST_POINTS = 8;
/** From so many on there is room for the figures alone. */
const MANY_POINTS = 4;

/** All lines at one place of the horizontal axis, the largest first as they stand in the chart. */
export function PointsTip({ at, points, chart }: PointsProps) {
  const sorted = points.toSorted((a, b) => b.point.y - a.point.y);
  const shown = sorted.slice(0, MOST_POINTS);
  const lanes = lanesOf(chart);
  const names = shortened(
    shown.map(({ series }) => series.label),
    190,
  );
  return (
    <>
      <p className={styles.tipTitle}>{at}</p>
      <ul className={styles.points}>
        {shown.map(({ series, point }, place) => {
          const lane = lanes.get(point.lane);
          return (
            <li key={point.lane}>
              <MarkSign
                mark={series.mark}
                colour={colourOf(series)}
                hollow={series.hollow ?? false}
              />
              <bdi>{names[place]}</bdi>
              <b>
                {lane?.full ?? point.text}
                {series.dagger}
              </b>
              {lane && points.length < MANY_POINTS ? (
                <span className="under">{behind(lane).join(", ")}</span>
              ) : null}
            </li>
          );
        })}
      </ul>
      {sorted.length > shown.length ? (
        <p>and {sorted.length - shown.length} more in the table</p>
      ) : null}
    </>
  );
}

/** What is mixed first, then the spread and how many machines it is of. */
function behind({ mixes, cells, weight }: Lane): string[] {
  const spread = cells?.spread ? `p10–p90 ${cells.spread}` : "";
  return [mixes, spread, weight].filter((text) => text !== undefined && text !== "") as string[];
}
