import { Link } from "@tanstack/react-router";
import { useId, useMemo, useRef } from "react";
import { MARKS, MarkShape } from "../../figures/charts/marks";
import { RunLink } from "../../figures/charts/RunLink";
import ScatterPlot from "../../figures/charts/ScatterPlot";
import { spread } from "../../figures/charts/scale";
import { roundTicks } from "../../figures/charts/ticks";
import { TipFrame } from "../../figures/charts/TipFrame";
import chartStyles from "../../figures/charts/charts.module.css";
import { count, counted, isolated, moment, withUnit } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import figureStyles from "../../figures/Figure.module.css";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import type { Axis } from "../../api/types";
import type { Configuration, History } from "./history";
import { DataTable } from "../../ui/DataTable";
import { SortHead, type SortedBy, useSorted } from "../../ui/sorting";
import styles from "./Workloads.module.css";

const HEIGHT = 300;
const MOST_TICKS = 10;
/** Distance from a mark within which the pointer selects it. */
const REACH = 8;

/** A workload's durations run by run, with each configuration's p50 and p90. */
export default function HistoryFigure({ history }: { history: History }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  const { name, runs } = history;
  const title = `${isolated(name)}, run by run`;
  return (
    <figure ref={figure} className={figureStyles.figure} aria-labelledby={heading}>
      <figcaption className={figureStyles.caption}>
        <h2 id={heading}>
          <bdi>{title}</bdi>
        </h2>
        <p className={figureStyles.subtitle}>
          {counted(runs, "run")} of one Mac, in order; solid line p50, dashed line p90
        </p>
      </figcaption>
      <div ref={ref} className={figureStyles.plot} style={{ minHeight: HEIGHT }}>
        {width === 0 ? null : (
          <TipFrame name={`Chart: ${title}. Its figures are in the table that follows.`}>
            <Runs history={history} width={width} />
          </TipFrame>
        )}
      </div>
      <p className={figureStyles.key}>
        <PictureButtons figure={figure} name="macmeter-workload" />
      </p>
      <Table history={history} caption={title} />
    </figure>
  );
}

/** The axis of the configuration with the highest value: all start at zero. */
function axisOf({ configurations }: History): Axis | undefined {
  const axes = configurations.map(({ words }) => words.axis);
  return axes.toSorted((a, b) => b.high - a.high)[0];
}

function Runs({ history, width }: { history: History; width: number }) {
  const { configurations, runs } = history;
  const across = useMemo(() => {
    const counts = roundTicks(0, runs, MOST_TICKS).filter((at) => at > 0 && Number.isInteger(at));
    const ticks = counts.map((at) => ({ at, text: count(at) }));
    return { title: "Run", low: 0.5, high: runs + 0.5, ticks };
  }, [runs]);
  const up = axisOf(history);
  if (!up) return null;
  return (
    <ScatterPlot width={width} height={HEIGHT} x={across} y={up}>
      {(plot) => {
        const heights = spread(
          configurations.map(({ words: { p90, divisor } }) => plot.y(p90.value / divisor) - 8),
          15,
          [plot.top + 8, plot.top + plot.height],
        );
        return configurations.map(
          ({ id, label, runs: ownRuns, words: { p50, p90, divisor } }, index) => {
            const [from, to] = [
              plot.x((ownRuns[0]?.place ?? 1) - 0.4),
              plot.x((ownRuns.at(-1)?.place ?? 1) + 0.4),
            ];
            return (
              <g key={id} style={{ stroke: "var(--ink-2)" }}>
                <path d={`M${from} ${plot.y(p50.value / divisor)}H${to}`} />
                <path d={`M${from} ${plot.y(p90.value / divisor)}H${to}`} strokeDasharray="4 3" />
                {ownRuns.map((run) => {
                  const [x, y] = [plot.x(run.place), plot.y(run.value / divisor)];
                  return (
                    <RunLink
                      key={run.run_id}
                      run={run.run_id}
                      label={`${label}, ${moment(run.at)}: ${withUnit(run.text, up.title)}`}
                    >
                      <circle className={chartStyles.reach} cx={x} cy={y} r={REACH} stroke="none" />
                      <MarkShape
                        mark={MARKS[index % MARKS.length] ?? "circle"}
                        x={x}
                        y={y}
                        r={runs > 100 ? 2.2 : 3.5}
                        colour="var(--ink)"
                        hollow={false}
                      />
                    </RunLink>
                  );
                })}
                <text className={chartStyles.name} x={from} y={heights[index]} stroke="none">
                  {isolated(label)}
                </text>
              </g>
            );
          },
        );
      }}
    </ScatterPlot>
  );
}

interface Row {
  label: string;
  run: Configuration["runs"][number];
}

const COLUMNS: SortedBy<Row>[] = [
  { id: "configuration", of: ({ label }) => label },
  { id: "run", of: ({ run }) => run.place },
  { id: "when", of: ({ run }) => Date.parse(run.at) },
  { id: "duration", of: ({ run }) => run.value },
];

function Table({ history, caption }: { history: History; caption: string }) {
  const name = `${caption}: the figures of the chart`;
  const rows = useMemo(
    () =>
      history.configurations.flatMap(({ label, runs }) => runs.map((run): Row => ({ label, run }))),
    [history],
  );
  const sorted = useSorted(rows, COLUMNS);
  const several = history.configurations.length > 1;
  return (
    <>
      <ul className={styles.configurations}>
        {history.configurations.map(({ id, label, runs, words: { p50, p90 } }) => (
          <li key={id} data-configuration={label}>
            <bdi>{label}</bdi>: p50 {p50.text}, p90 {p90.text}, {counted(runs.length, "run")}
          </li>
        ))}
      </ul>
      <DataTable name={name} long>
        <caption className="visually-hidden">{name}</caption>
        <thead>
          <tr>
            {several ? <SortHead id="configuration" sorted={sorted} title="Configuration" /> : null}
            <SortHead id="run" sorted={sorted} title="Run" />
            <SortHead id="when" sorted={sorted} title="When" />
            <SortHead
              id="duration"
              sorted={sorted}
              className="number"
              title="Duration"
              unit={axisOf(history)?.title}
            />
          </tr>
        </thead>
        <tbody>
          {sorted.rows.map(({ label, run }) => (
            <tr key={run.run_id} data-run={run.run_id}>
              {several ? (
                <td>
                  <bdi>{label}</bdi>
                </td>
              ) : null}
              <td>{run.place}</td>
              <td>
                <Link to="/runs/$id" params={{ id: run.run_id }}>
                  {moment(run.at)}
                </Link>
              </td>
              <td className="number">{run.text}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </>
  );
}
