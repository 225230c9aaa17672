import { Fragment, lazy, type RefObject, Suspense, useState } from "react";
import type { Axis, Chart, Columns, Figure, SideFigure, SideHead, SideRow } from "../../api/types";
import { counted, withUnit } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import { lanesByIdOf } from "../cases";
import { placeOn, roomyTicks } from "../charts/axis";
import { colourOf } from "../charts/colours";
import { RunsLink, useMark } from "../charts/MarkLink";
import { TipFrame } from "../charts/TipFrame";
import { Dagger, FlagLetters } from "../Footnotes";
import { LaneTip } from "../Tips";
import styles from "./Sides.module.css";

/** Width of a change beside its mark. */
const LABEL = 52;

const DeltaChart = lazy(() => import("./DeltaChart"));

interface Props {
  columns: Columns;
  chart: Chart;
  figure: Figure;
}

/** Maximum number of sides in columns; more are below each other. */
const MOST_BESIDE = 3;

/** Sides as columns: the baseline, then each other side with its difference and what that means. */
export function SidesTable({ columns, chart, figure }: Props) {
  const [open, setOpen] = useState(false);
  const [track, width] = useWidth<HTMLDivElement>();
  const { heads, areas, folded = 0 } = columns;
  const lanesById = lanesByIdOf(chart);
  const shownAreas = areas
    .map((area) => ({ ...area, rows: area.rows.filter((row) => open || !row.folded) }))
    .filter(({ rows }) => rows.length > 0);
  const [first] = shownAreas.flatMap(({ rows }) => rows);
  const cells: CellProps = { heads, chart, figure, lanesById, width, track };
  return (
    <>
      <TipFrame name={`Chart: ${figure.text}`}>
        <table
          className={styles.sides}
          data-sides={heads.length > MOST_BESIDE ? "many" : heads.length}
        >
          <caption className="visually-hidden">{figure.title}</caption>
          <Heads heads={heads} axis={chart.up} width={figure.nothing ? 0 : width} />
          {shownAreas.map(({ title, told, rows }) => (
            <tbody key={title}>
              <tr className={styles.area}>
                <th scope="rowgroup" colSpan={2 * heads.length}>
                  <h2>{title}</h2> <span className="quiet">{told}</span>
                </th>
              </tr>
              {rows.map((row) => (
                <Row key={row.figures[0]?.lane} row={row} isFirst={row === first} {...cells} />
              ))}
            </tbody>
          ))}
        </table>
      </TipFrame>
      {folded > 0 ? (
        <button
          type="button"
          className={`act ${styles.more}`}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? "Show fewer figures" : `Show ${counted(folded, "more figure")}`}
        </button>
      ) : null}
    </>
  );
}

function Heads({ heads, axis, width }: { heads: SideHead[]; axis: Axis; width: number }) {
  const [base, ...others] = heads;
  const two = heads.length === 2;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span className="visually-hidden">Figure</span>
        </th>
        {base ? <Head head={base} /> : null}
        {others.map((head) => {
          const scale = (
            <td className={styles.delta}>
              {two && base ? (
                <span
                  className={styles.small}
                  style={{ marginLeft: zeroOf(axis, plotOf(width, two)) }}
                >
                  <bdi>{head.name}</bdi> relative to <bdi>{base.name}</bdi>; bar: 95{"\u202f"}%
                  interval
                </span>
              ) : null}
              <Ticks axis={axis} width={plotOf(width, two)} />
            </td>
          );
          return (
            <Fragment key={head.side}>
              {two ? scale : null}
              <Head head={head} />
              {two ? null : scale}
            </Fragment>
          );
        })}
      </tr>
    </thead>
  );
}

function Head({ head: { name, based_on, baseline } }: { head: SideHead }) {
  return (
    <th scope="col" className={styles.value} data-baseline={baseline}>
      <bdi className={styles.name}>{name}</bdi>
      <span className="quiet">{based_on}</span>
    </th>
  );
}

/** Width of a plot: two sides have their change beside the mark. */
const plotOf = (width: number, two: boolean) => Math.max(0, width - (two ? LABEL : 0));

/** Position of the line at 0, if it leaves room for words to its right; else 0. */
function zeroOf(axis: Axis, width: number): number {
  const zero = placeOn(axis, width)(axis.base ?? 1);
  return zero < width / 3 ? zero : 0;
}

function Ticks({ axis, width }: { axis: Axis; width: number }) {
  const at = placeOn(axis, width);
  const ticks = roomyTicks(axis, width);
  return (
    <svg className={styles.ticks} height={18} width={width} aria-hidden="true">
      {ticks.map((tick, index) => (
        <text key={tick.at} x={at(tick.at)} y={14} textAnchor="middle">
          {index === ticks.length - 1 ? withUnit(tick.text, "%") : tick.text}
        </text>
      ))}
    </svg>
  );
}

interface CellProps {
  heads: SideHead[];
  chart: Chart;
  figure: Figure;
  lanesById: ReturnType<typeof lanesByIdOf>;
  /** Width of a difference's track, which the first row measures. */
  width: number;
  track: RefObject<HTMLDivElement | null>;
}

function Row({ row, isFirst, ...cells }: CellProps & { row: SideRow; isFirst: boolean }) {
  const [base, ...others] = row.figures;
  const two = cells.heads.length === 2;
  return (
    <tr data-metric={row.metric} className={styles.row}>
      <th scope="row" className={styles.metric}>
        {row.name}
        {row.under ? <small>{row.under}</small> : null}
      </th>
      {base ? <Value cell={base} {...cells} /> : null}
      {others.map((cell, index) => {
        const delta = <Delta cell={cell} isFirst={isFirst && index === 0} {...cells} />;
        return (
          <Fragment key={cell.side}>
            {two ? delta : null}
            <Value cell={cell} {...cells} />
            {two ? null : delta}
          </Fragment>
        );
      })}
    </tr>
  );
}

function Value({ cell, heads, chart, figure, lanesById }: CellProps & { cell: SideFigure }) {
  const entry = lanesById.get(cell.lane);
  const head = heads.find(({ side }) => side === cell.side);
  const tip = entry ? <LaneTip {...entry} chart={chart} /> : null;
  const { tabIndex: _, "data-reached": __, ...handlers } = useMark(`${cell.lane}.own`, tip, true);
  const lane = entry?.lane;
  return (
    <td
      className={styles.value}
      data-side={[head?.name, head?.baseline ? "baseline" : ""].filter(Boolean).join(", ")}
      data-baseline={head?.baseline}
      data-lane={cell.lane}
      data-column="median"
    >
      {cell.text && entry ? (
        <>
          <RunsLink {...entry} {...handlers} className={styles.number}>
            {cell.text}
          </RunsLink>
          {lane?.dagger ? (
            <sup>
              <Dagger lane={lane} sources={figure.sources ?? []} />
            </sup>
          ) : null}
          {cell.unit ? `\u00a0${cell.unit}` : ""}
          {lane?.flags?.length ? (
            <sup className={styles.flags}>
              <FlagLetters lane={lane} notes={figure.flags ?? []} />
            </sup>
          ) : null}
        </>
      ) : (
        <span className="quiet">–</span>
      )}
    </td>
  );
}

function Delta(props: CellProps & { cell: SideFigure; isFirst: boolean }) {
  const { cell, heads, chart, lanesById, width, track, isFirst } = props;
  const entry = lanesById.get(cell.lane);
  const { ratio, change = "", verdict, more, based_on, clear } = cell;
  const two = heads.length === 2;
  const head = heads.find(({ side }) => side === cell.side);
  // The words start below the line at 0, if that leaves room.
  const indent = two ? zeroOf(chart.up, plotOf(width, two)) : 0;
  return (
    <td className={styles.delta} data-lane={cell.lane} data-column="difference">
      <div
        ref={isFirst ? track : undefined}
        className={typeof ratio === "number" ? styles.track : ""}
      >
        {typeof ratio === "number" && entry && width > 0 ? (
          <Suspense fallback={<span aria-busy="true" />}>
            <DeltaChart
              axis={chart.up}
              width={width}
              figure={{ ...cell, ratio }}
              colour={colourOf({ colour: head?.colour ?? "ink" })}
              {...entry}
              tip={<LaneTip {...entry} chart={chart} />}
              label={two ? LABEL : 0}
            />
          </Suspense>
        ) : null}
      </div>
      <p className={clear ? undefined : styles.unclear} style={{ marginLeft: indent }}>
        {typeof ratio === "number" && !two ? <b>{change} </b> : null}
        {verdict ? two && clear ? <b>{verdict}</b> : verdict : null}{" "}
        {more ? <span className={clear ? undefined : "quiet"}>{more}</span> : null}{" "}
        {based_on ? <span className="quiet">{based_on}</span> : null}
      </p>
    </td>
  );
}
