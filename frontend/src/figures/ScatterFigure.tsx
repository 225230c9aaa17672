import { useMemo, useState } from "react";
import type { Answer } from "../api/types";
import styles from "./charts/charts.module.css";
import { fitted } from "./charts/caseLayout";
import { MarkShape } from "./charts/marks";
import type { ScatterPoint } from "./charts/points";
import ScatterPlot, { type Plot } from "./charts/ScatterPlot";
import { apart, zeroAxis } from "./charts/scale";
import { isolated } from "../ui/format";
import { sharedScale } from "./figures";
import { scatterHeight } from "./heights";
import { ChartKey, type KeyEntry, MarkSign } from "./Key";
import { rateAndSpeed, scatterPoints } from "./scatter";
import type { Sources } from "./sources";
import type { Words } from "./words";

interface Props {
  answer: Answer;
  words: Words;
  sources: Sources;
  width: number;
}

/** A task's rate against its storage's speed, with the line on which the two are equal. */
export default function ScatterFigure({ answer, words, sources, width }: Props) {
  const scale = sharedScale(answer.results);
  const points = useMemo(
    () => scatterPoints(answer, words, sources, scale),
    [answer, words, sources, scale],
  );
  const pair = rateAndSpeed(answer.results);
  if (!pair) return null;
  if (points.length === 0) {
    return (
      <p className="quiet">
        No target has both figures yet: those with one of them are in the table.
      </p>
    );
  }
  const titleOf = (metric: string) => `${words.metricTitle(metric)}, ${scale.symbol}`;
  const x = zeroAxis(Math.max(...points.map((point) => point.x)), width < 600 ? 4 : 6);
  const y = zeroAxis(Math.max(...points.map((point) => point.y)));
  return (
    <>
      <ScatterPlot
        width={width}
        height={scatterHeight(width) - 28}
        x={{ ...x, title: titleOf(pair.speed.metric) }}
        y={{ ...y, title: titleOf(pair.rate.metric) }}
      >
        {(plot) => (
          <Marks
            plot={plot}
            points={points}
            most={Math.min(x.domain[1], y.domain[1])}
            labelled={width >= 600}
          />
        )}
      </ScatterPlot>
      <ChartKey entries={keyOf(points, width < 600)} />
    </>
  );
}

/** From a mark to its name and to any other's, and the mean width of a character of names. */
const BESIDE = 11;
const REACH = 8;
const PER_CHARACTER = 6.6;

interface MarksProps {
  plot: Plot;
  points: ScatterPoint[];
  /** Where the line of equal speeds leaves the shorter axis. */
  most: number;
  labelled: boolean;
}

function Marks({ plot, points, most, labelled }: MarksProps) {
  const [near, setNear] = useState<ScatterPoint>();
  const names = points.map((point) => {
    const [x, y] = [plot.x(point.x), plot.y(point.y)];
    const text = fitted(point.label, 240);
    const width = (text.length + point.dagger.length) * PER_CHARACTER;
    const before = x > plot.left + plot.width * 0.7;
    const left = before ? x - BESIDE - width : x + BESIDE;
    return { text, before, left, right: left + width, y };
  });
  const marks = points.map((point) => {
    const x = plot.x(point.x);
    return { left: x - REACH, right: x + REACH, y: plot.y(point.y) };
  });
  const heights = apart(names, 15, marks);
  return (
    <>
      <path
        d={`M${plot.x(0)} ${plot.y(0)}L${plot.x(most)} ${plot.y(most)}`}
        style={{ stroke: "var(--ink-3)", strokeDasharray: "2 4", fill: "none" }}
      />
      <text
        className={styles.words}
        x={plot.x(most * 0.94) - 8}
        y={plot.y(most * 0.94)}
        textAnchor="end"
      >
        as fast as the storage
      </text>
      {points.map((point, place) => {
        const [x, y] = [plot.x(point.x), plot.y(point.y)];
        const { text, before } = names[place] ?? { text: "", before: false };
        return (
          <g
            key={point.id}
            onPointerEnter={() => setNear(point)}
            onPointerLeave={() => setNear(undefined)}
          >
            <circle cx={x} cy={y} r={14} className={styles.reach} />
            <MarkShape
              mark={point.mark}
              x={x}
              y={y}
              colour={point.colour}
              hollow={point.hollow}
              crossed={point.crossed}
            />
            {labelled ? (
              <text
                className={styles.name}
                x={before ? x - BESIDE : x + BESIDE}
                y={heights[place]}
                dy="0.32em"
                textAnchor={before ? "end" : "start"}
                style={{ fill: point.colour }}
              >
                {isolated(text)}
                <tspan className={styles.dagger}>{point.dagger}</tspan>
              </text>
            ) : null}
          </g>
        );
      })}
      {near ? (
        <text
          className={styles.axisTitle}
          x={plot.left + plot.width}
          y={plot.top - 14}
          textAnchor="end"
        >
          {`${isolated(near.label)}: ${near.text[1]} at ${near.text[0]}`}
        </text>
      ) : null}
    </>
  );
}

function keyOf(points: ScatterPoint[], narrow: boolean): KeyEntry[] {
  const entries: KeyEntry[] = [];
  if (narrow) {
    for (const { id, label, dagger, mark, colour, hollow } of points) {
      entries.push({
        id,
        sign: <MarkSign mark={mark} colour={colour} hollow={hollow} />,
        text: `${label}${dagger}`,
      });
    }
  }
  if (points.some((point) => point.hollow)) {
    entries.push({
      id: "hollow",
      sign: <MarkSign mark="circle" hollow />,
      text: "hollow †: published",
    });
  }
  return entries;
}
