import { useMemo } from "react";
import type { Answer } from "../api/types";
import LinesChart, { LABELS, mostNames } from "./charts/LinesChart";
import { logTicks, ratioAxis, zeroAxis } from "./charts/scale";
import type { Panel } from "./charts/series";
import { counted, type Scale, scaleFor, significant } from "../ui/format";
import styles from "./AnswerFigure.module.css";
import type { Measure } from "./cases";
import { equationIn } from "./curves";
import { panelFrame } from "./heights";
import {
  BandSign,
  ChartKey,
  CurveSign,
  type KeyEntry,
  LineSign,
  MarkSign,
  WhiskerSign,
} from "./Key";
import { isLog, panelsOf, placesOf } from "./panels";
import type { Sources } from "./sources";
import { PointsTip } from "./Tips";
import { uncapitalised, type Words } from "./words";

interface Props {
  answer: Answer;
  words: Words;
  sources: Sources;
  axis: string;
  measure: Measure;
  width: number;
}

export default function LinesFigure({ answer, words, sources, axis, measure, width }: Props) {
  const { panels, scale } = useMemo(
    () => panelsOf(answer, words, sources, axis, measure),
    [answer, words, sources, axis, measure],
  );
  const at = useMemo(() => placeTexts(answer, words, axis), [answer, words, axis]);
  const frame = panelFrame(panels.length, width);
  // Names that touch each other are no names: a key has room for more of them.
  const labelled =
    frame.labelled && panels.every(({ series }) => series.length <= mostNames(frame.height));
  return (
    <>
      <div
        className={styles.panels}
        style={{ gridTemplateColumns: frame.beside ? "1fr 1fr" : "1fr" }}
      >
        {panels.map((panel) => (
          <div key={panel.metric}>
            {panels.length > 1 ? <h3>{panel.title}</h3> : null}
            <LinesChart
              series={panel.series}
              curves={panel.curves}
              width={frame.width}
              height={frame.height}
              divisor={measure === "ratio" ? 1 : scale.divisor}
              labelled={labelled}
              {...axesOf(
                panels,
                { text: at, title: words.dimensionTitle(axis) },
                measure,
                scale,
                frame.width - (labelled ? LABELS + 44 : 60),
              )}
              tip={(x, points) => (
                <PointsTip
                  at={at(x)}
                  points={points}
                  scale={scale}
                  isRatio={measure === "ratio"}
                  words={words}
                />
              )}
            />
          </div>
        ))}
      </div>
      <Fits
        panels={panels}
        at={at}
        y={measure === "ratio" ? { divisor: 1, symbol: "" } : scale}
        x={placeScale(panels, words, axis)}
      />
      <ChartKey entries={keyOf(panels, labelled, measure)} />
    </>
  );
}

/** Each fitted curve in full: equation, how well it fits, and where it holds. */
function Fits({
  panels,
  at,
  x,
  y,
}: {
  panels: Panel[];
  at: (x: number) => string;
  x: Scale;
  y: Scale;
}) {
  const fitted = panels.filter((panel) => panel.curves.length > 0);
  if (fitted.length === 0) return null;
  return (
    <ul className={styles.fits}>
      {fitted.flatMap((panel) =>
        panel.curves.map((curve) => (
          <li key={`${panel.metric}${curve.id}`}>
            <bdi>
              {panel.title}, {curve.label}
            </bdi>
            : {modelName(curve.model)} fit <code>{equationIn(curve, x.divisor, y.divisor)}</code> in{" "}
            {[y.symbol, x.symbol].filter(Boolean).join(" and ")}, r² {significant(curve.r2)},{" "}
            {counted(curve.n, "point")} from {at(curve.low)} to {at(curve.high)}
          </li>
        )),
      )}
    </ul>
  );
}

/** The unit of x in equations: that of the axis, or what it counts. */
function placeScale(panels: Panel[], words: Words, axis: string): Scale {
  const unit = words.dimension(axis)?.unit;
  if (!unit) return { divisor: 1, symbol: uncapitalised(words.dimensionTitle(axis)) };
  return scaleFor(
    unit,
    panels.flatMap((panel) => panel.curves.map(({ high }) => high)),
  );
}

/** "power", "Theil-Sen". */
const modelName = (model: string) => (model === "theil_sen" ? "Theil-Sen" : model);

/** Panels of one answer share their axes: they are there to be compared. */
function axesOf(
  panels: Panel[],
  { text, title }: { text: (x: number) => string; title: string },
  measure: Measure,
  scale: Scale,
  width: number,
) {
  const points = panels.flatMap((panel) => panel.series.flatMap((series) => series.points));
  const xs = [...new Set(points.map((point) => point.x))].toSorted((a, b) => a - b);
  const [low = 1, high = 1] = [xs[0], xs.at(-1)];
  const log = isLog(low, high);
  const curves = panels.flatMap((panel) => panel.curves.flatMap((curve) => curve.points));
  const values = [
    ...points.flatMap((point) => [point.value, ...(point.band ?? point.whisker ?? [])]),
    ...curves.map(({ y }) => y),
  ];
  // A lone place still needs an axis with two ends.
  const room = low === high ? (log ? 2 : 1) : 0;
  const domain: [number, number] = [low - (room && low / 2), high + (room && high / 2)];
  const x = {
    log,
    places: xs,
    domain,
    ticks: log ? logTicks(xs, width, 52) : evenTicks(xs, width),
    tick: text,
    title,
  };
  if (measure === "ratio") {
    const y = ratioAxis(values, 6);
    return {
      x,
      y: { ...y, log: true, tick: (value: number) => String(Math.round(value * 100)), title: "%" },
    };
  }
  const y = zeroAxis(Math.max(0, ...values) / scale.divisor);
  return { x, y: { ...y, tick: (value: number) => String(value), title: scale.symbol } };
}

/** A place of the axis in words: "2 MB", "8", "26.4". */
function placeTexts(answer: Answer, words: Words, axis: string): (x: number) => string {
  const values = new Map([...placesOf(answer, axis)].map(([value, place]) => [place, value]));
  return (x) => words.value(axis, values.get(x) ?? x);
}

/** The places themselves, every second, third … of them where they would touch. */
function evenTicks(xs: number[], width: number): number[] {
  const each = Math.max(1, Math.ceil((xs.length * 36) / Math.max(width, 1)));
  return xs.filter((_, place) => place % each === 0);
}

function keyOf(panels: Panel[], labelled: boolean, measure: Measure): KeyEntry[] {
  const series = panels.flatMap((panel) => panel.series);
  const entries: KeyEntry[] = [];
  const curves = panels.flatMap((panel) => panel.curves);
  if (!labelled) {
    for (const one of series) {
      if (entries.some(({ id }) => id === one.id)) continue;
      entries.push({
        id: one.id,
        sign: one.hollow ? (
          <MarkSign mark={one.mark} colour={one.colour} hollow />
        ) : (
          <LineSign
            colour={one.colour}
            dash={curves.some(({ id }) => id === one.id) ? "" : one.dash}
            mark={one.mark}
          />
        ),
        text: `${one.label}${one.dagger}`,
      });
    }
  }
  if (series.some((one) => one.hollow)) {
    entries.push({
      id: "hollow",
      sign: <MarkSign mark="circle" hollow />,
      text: "hollow †: published",
    });
  }
  if (series.some((one) => !one.hollow && one.points.some((point) => point.band))) {
    entries.push({
      id: "band",
      sign: <BandSign />,
      text: measure === "ratio" ? "95 % interval" : "p10 to p90 of the samples, line: median",
    });
  }
  if (series.some((one) => one.points.some((point) => point.whisker))) {
    entries.push({
      id: "whisker",
      sign: <WhiskerSign />,
      text: "mean ± one standard deviation of the samples, mark: median",
    });
  }
  if (curves.length > 0) {
    entries.push({ id: "curve", sign: <CurveSign />, text: "fitted curve, within its points" });
  }
  if (curves.some(({ beyond }) => beyond.length > 0)) {
    entries.push({ id: "beyond", sign: <CurveSign dashed />, text: "dashed: extrapolated" });
  }
  return entries;
}
