import { Link } from "@tanstack/react-router";
import { useId, useMemo, useRef } from "react";
import { MARKS, MarkShape } from "../../figures/charts/marks";
import ScatterPlot from "../../figures/charts/ScatterPlot";
import { spread, zeroAxis } from "../../figures/charts/scale";
import chartStyles from "../../figures/charts/charts.module.css";
import { counted, inUnit, isolated, moment, scaleFor, withUnit } from "../../ui/format";
import { useWidth } from "../../ui/useWidth";
import figureStyles from "../../figures/Figure.module.css";
import { PictureButtons } from "../../figures/charts/PictureButtons";
import type { History } from "./history";
import { DataTable } from "../../ui/DataTable";
import styles from "./Workloads.module.css";

const HEIGHT = 300;

/** A workload's durations run by run; each configuration with its p50 and p90. */
export default function HistoryFigure({ history }: { history: History }) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const figure = useRef<HTMLElement>(null);
  const heading = useId();
  const { name, runs, configurations } = history;
  const values = configurations.flatMap((one) => one.runs.map(({ value }) => value));
  const scale = scaleFor("s", values);
  const title = `${isolated(name)}, run by run`;
  return (
    <figure ref={figure} className={figureStyles.figure} aria-labelledby={heading}>
      <figcaption className={figureStyles.caption}>
        <h2 id={heading}>
          <bdi>{title}</bdi>
        </h2>
        <p className={figureStyles.subtitle}>
          {counted(runs, "run")} of one machine, in order; solid line p50, dashed line p90
        </p>
      </figcaption>
      <div ref={ref} className={figureStyles.plot} style={{ minHeight: HEIGHT }}>
        {width === 0 ? null : (
          <div
            role="img"
            aria-label={`Chart: ${title}. Its figures are in the table that follows.`}
          >
            <Runs history={history} width={width} divisor={scale.divisor} symbol={scale.symbol} />
          </div>
        )}
      </div>
      <p className={figureStyles.key}>
        <PictureButtons figure={figure} name="macmeter-workload" />
      </p>
      <Table history={history} caption={title} divisor={scale.divisor} symbol={scale.symbol} />
    </figure>
  );
}

interface RunsProps {
  history: History;
  width: number;
  divisor: number;
  symbol: string;
}

function Runs({ history: { configurations, runs }, width, divisor, symbol }: RunsProps) {
  const most = Math.max(
    ...configurations.flatMap((one) => one.runs.map(({ value }) => value / divisor)),
  );
  const ticks = useMemo(() => {
    const each = Math.max(1, Math.ceil(runs / 10));
    return Array.from({ length: Math.floor(runs / each) }, (_, place) => (place + 1) * each);
  }, [runs]);
  return (
    <ScatterPlot
      width={width}
      height={HEIGHT}
      x={{ domain: [0.5, runs + 0.5], ticks, title: "Run" }}
      y={{ ...zeroAxis(most), title: symbol }}
    >
      {(plot) => {
        const heights = spread(
          configurations.map(({ p90 }) => plot.y(p90 / divisor) - 8),
          15,
          [plot.top + 8, plot.top + plot.height],
        );
        return configurations.map(({ id, label, runs: own, p50, p90 }, place) => {
          const [from, to] = [
            plot.x((own[0]?.place ?? 1) - 0.4),
            plot.x((own.at(-1)?.place ?? 1) + 0.4),
          ];
          return (
            <g key={id} style={{ stroke: "var(--ink-2)" }}>
              <path d={`M${from} ${plot.y(p50 / divisor)}H${to}`} />
              <path d={`M${from} ${plot.y(p90 / divisor)}H${to}`} strokeDasharray="4 3" />
              {own.map((run) => (
                <MarkShape
                  key={run.run_id}
                  mark={MARKS[place % MARKS.length] ?? "circle"}
                  x={plot.x(run.place)}
                  y={plot.y(run.value / divisor)}
                  r={runs > 100 ? 2.2 : 3.5}
                  colour="var(--ink)"
                  hollow={false}
                />
              ))}
              <text className={chartStyles.name} x={from} y={heights[place]} stroke="none">
                {isolated(label)}
              </text>
            </g>
          );
        });
      }}
    </ScatterPlot>
  );
}

interface TableProps {
  history: History;
  caption: string;
  divisor: number;
  symbol: string;
}

function Table({ history: { configurations }, caption, divisor, symbol }: TableProps) {
  const scale = { divisor, symbol };
  const name = `${caption}: the figures of the chart`;
  return (
    <DataTable name={name} long>
      <caption className="visually-hidden">{name}</caption>
      <thead>
        <tr>
          <th scope="col">Configuration</th>
          <th scope="col">Run</th>
          <th scope="col">When</th>
          <th scope="col" className="number">
            Duration <span className="under">{symbol}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {configurations.flatMap(({ id, label, runs, p50, p90 }) => [
          <tr key={id} data-configuration={label}>
            <th scope="rowgroup" colSpan={4} className={styles.configuration}>
              <bdi>{label}</bdi>: p50 {withUnit(inUnit(p50, scale), symbol)}, p90{" "}
              {withUnit(inUnit(p90, scale), symbol)}, {counted(runs.length, "run")}
            </th>
          </tr>,
          ...runs.map((run) => (
            <tr key={run.run_id} data-run={run.run_id}>
              <td>
                <bdi>{label}</bdi>
              </td>
              <td>{run.place}</td>
              <td>
                <Link to="/runs/$id" params={{ id: run.run_id }}>
                  {moment(run.at)}
                </Link>
              </td>
              <td className="number">{inUnit(run.value, scale)}</td>
            </tr>
          )),
        ])}
      </tbody>
    </DataTable>
  );
}
