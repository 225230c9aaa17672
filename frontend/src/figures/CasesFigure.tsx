import { useMemo } from "react";
import type { Answer } from "../api/types";
import CasesChart from "./charts/CasesChart";
import type { Lane } from "./charts/rows";
import { ratioAxis, zeroAxis } from "./charts/scale";
import type { Cases, Measure } from "./cases";
import { BandSign, ChartKey, IntervalSign, type KeyEntry, MarkSign } from "./Key";
import { LaneTip } from "./Tips";
import type { Words } from "./words";

interface Props {
  answer: Answer;
  words: Words;
  cases: Cases;
  measure: Measure;
  width: number;
}

export default function CasesFigure({ answer, words, cases, measure, width }: Props) {
  const { rows, scale } = cases;
  const lanes = useMemo(() => rows.flatMap((row) => row.lanes), [rows]);
  const divisor = measure === "ratio" ? 1 : scale.divisor;
  const reach = lanes.flatMap((lane) => [
    ...(lane.value === undefined ? [] : [lane.value / divisor]),
    ...(lane.interval ?? []).map((value) => value / divisor),
    ...(lane.band ?? []).map((value) => value / divisor),
  ]);
  const axis =
    measure === "ratio"
      ? ratioAxis(reach, width < 600 ? 5 : 8)
      : zeroAxis(Math.max(0, ...reach), width < 600 ? 4 : 5);
  const tick = (value: number) => String(measure === "ratio" ? Math.round(value * 100) : value);
  return (
    <>
      <CasesChart
        rows={rows}
        width={width}
        axis={axis}
        divisor={divisor}
        base={measure === "ratio" ? 1 : 0}
        tick={tick}
        title={measure === "ratio" ? "%" : scale.symbol}
        tip={(row, lane) => <LaneTip row={row} lane={lane} words={words} scale={scale} />}
      />
      <ChartKey entries={keyOf(lanes, answer.results.length)} />
    </>
  );
}

/** What the marks stand for: a picture of the chart must explain itself. */
function keyOf(lanes: Lane[], metrics: number): KeyEntry[] {
  const drawn = lanes.filter((lane) => lane.value !== undefined);
  const entries: KeyEntry[] = [];
  if (metrics > 1) {
    for (const lane of drawn) {
      if (!entries.some(({ id }) => id === lane.metric)) {
        entries.push({ id: lane.metric, sign: <MarkSign mark={lane.mark} />, text: lane.name });
      }
    }
  }
  if (drawn.some((lane) => lane.hollow)) {
    entries.push({
      id: "hollow",
      sign: <MarkSign mark="circle" hollow />,
      text: "hollow †: published",
    });
  }
  const bands = drawn.filter((lane) => lane.band);
  if (bands.length > 0) {
    entries.push({
      id: "band",
      sign: <BandSign />,
      text: bands.every((lane) => lane.hollow)
        ? "lowest to highest figure"
        : "p10 to p90 of the samples",
    });
  }
  const sure = drawn.filter((lane) => lane.interval);
  if (sure.length > 0) {
    const within = sure.every((lane) => lane.within)
      ? ", within this machine"
      : sure.some((lane) => lane.within)
        ? "; of one machine, within it"
        : "";
    const text = `95 % interval of the median${within}`;
    entries.push({ id: "interval", sign: <IntervalSign />, text });
  }
  if (drawn.some((lane) => lane.doubted)) {
    entries.push({
      id: "doubted",
      sign: <MarkSign mark="circle" crossed />,
      text: "crossed: only doubted runs",
    });
  }
  return entries;
}
