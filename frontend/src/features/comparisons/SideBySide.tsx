import { useMemo } from "react";
import { markOf } from "../../charts/marks";
import { counted, inUnit, percent, scaleFor } from "../../format";
import type { Answer, Group } from "../../api/types";
import { caseLabel, readingOrder, type Words } from "../answer/words";
import { RatioChart, type RatioPart } from "../compare/RatioChart";
import { type Change, changesOf, changeText } from "./changes";
import { DataTable } from "../../ui/DataTable";
import styles from "./SideBySide.module.css";

interface Props {
  frozen: Answer;
  live: Answer;
  words: Words;
}

/** Each figure as it was frozen and as it is today. */
export function SideBySide({ frozen, live, words }: Props) {
  const changes = useMemo(() => changesOf(frozen, live), [frozen, live]);
  const metrics = Map.groupBy(changes, ({ metric }) => metric);
  const dimensions = readingOrder(words, frozen.question.by);
  const label = (change: Change) =>
    `${caseLabel(words, dimensions, change.key) || "All"}${change.published ? " †" : ""}`;
  const parts = [...metrics].map(
    ([metric, all], place): RatioPart => ({
      title: words.metricTitle(metric),
      rows: all.map((change) => ({
        id: change.id,
        label: label(change),
        ratio: change.ratio,
        text: told(change),
        mark: markOf(metric, place),
        hollow: change.published,
      })),
    }),
  );
  return (
    <section className={styles.both} aria-labelledby="both">
      <h2 id="both">Frozen and live, side by side</h2>
      <RatioChart
        parts={parts}
        name="live figures relative to frozen ones"
        reference="the frozen figure; right of it, the live one is larger"
      />
      <DataTable name="Frozen and live figures" className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col" className="number">
              Frozen
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Live
            </th>
            <th scope="col">n</th>
            <th scope="col" className="number">
              Change
            </th>
          </tr>
        </thead>
        {[...metrics].map(([metric, all]) => (
          <Metric
            key={metric}
            metric={metric}
            changes={all}
            words={words}
            relative={frozen.question.relative_to.length > 0}
            label={label}
          />
        ))}
      </DataTable>
    </section>
  );
}

interface MetricProps {
  metric: string;
  changes: Change[];
  words: Words;
  relative: boolean;
  label: (change: Change) => string;
}

function Metric({ metric, changes, words, relative, label }: MetricProps) {
  const groups = changes.flatMap(({ frozen, live }) => [frozen, live]).filter((group) => !!group);
  const scale = scaleFor(
    words.metric(metric)?.unit ?? "",
    groups.map(({ median }) => median),
  );
  const figure = (group: Group | undefined) => {
    if (!group) return "–";
    if (!relative) return inUnit(group.median, scale);
    return group.ratio ? percent(group.ratio.value) : "–";
  };
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={6} className={styles.metric}>
          {words.metricTitle(metric)}{" "}
          <span className="quiet">{relative ? "relative" : scale.symbol}</span>
        </th>
      </tr>
      {changes.map((change) => (
        <tr key={change.id}>
          <th scope="row">
            <bdi>{label(change)}</bdi>
          </th>
          <td className="number">{figure(change.frozen)}</td>
          <td>{sizeText(change.frozen)}</td>
          <td className="number">{figure(change.live)}</td>
          <td>{sizeText(change.live)}</td>
          <td className="number">{told(change)}</td>
        </tr>
      ))}
    </tbody>
  );
}

function sizeText(group: Group | undefined): string {
  return group ? `${counted(group.machines, "machine")}, ${counted(group.runs, "run")}` : "–";
}

function told({ frozen, live, ratio }: Change): string {
  if (!frozen) return "new since";
  if (!live) return "gone since";
  return ratio === undefined ? "–" : changeText(ratio);
}
