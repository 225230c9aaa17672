import type { CaseRow, Lane } from "./charts/rows";
import type { Series, SeriesPoint } from "./charts/series";
import { counted, type Scale, withUnit } from "../ui/format";
import { shortened } from "./charts/labels";
import styles from "./AnswerFigure.module.css";
import { MarkSign } from "./Key";
import { rangeText, ratioRangeText, verdictText } from "./figures";
import { mixesText } from "./mixes";
import { caseLabel, type Words } from "./words";

interface LaneProps {
  row: CaseRow;
  lane: Lane;
  words: Words;
  scale: Scale;
}

/** What stands behind one mark, in words. */
export function LaneTip({ row, lane, words, scale }: LaneProps) {
  const { group, figure } = lane;
  const ratio = group?.ratio && lane.value === group.ratio.value ? group.ratio : undefined;
  const isRatio = ratio !== undefined || figure?.kind === "ratio";
  const facts: [string, string][] = [];
  const mixed = group ? mixesText(words, [group]) : "";
  if (mixed) facts.push(["mixes", mixed.replace(/^Mixes /, "")]);
  facts.push([
    isRatio ? "ratio" : figure ? "range" : "median",
    withUnit(lane.text, isRatio ? "%" : scale.symbol) + lane.dagger,
  ]);
  if (lane.interval) {
    facts.push([
      lane.within ? "95 % interval within this machine" : "95 % interval",
      isRatio
        ? withUnit(ratioRangeText(...lane.interval), "%")
        : withUnit(rangeText(...lane.interval, scale), scale.symbol),
    ]);
  }
  if (lane.band && group) {
    facts.push([
      group.published ? "lowest–highest" : "p10–p90",
      withUnit(rangeText(...lane.band, scale), scale.symbol),
    ]);
  }
  if (ratio) {
    facts.push(["pairing", lane.weight]);
    facts.push(["verdict", verdictText(ratio)]);
  }
  if (ratio)
    facts.push([
      "compared with",
      caseLabel(words, Object.keys(ratio.reference_key), ratio.reference_key),
    ]);
  if (group) {
    const counts = [
      ...(group.machines > 0 ? [counted(group.machines, "machine")] : []),
      counted(group.runs, "run"),
      counted(group.samples, "sample"),
    ];
    facts.push(["from", counts.join(", ")]);
    facts.push(["method", `${group.method} ${group.method_version}`]);
  }
  const cited = group?.citations?.[0] ?? figure?.citation;
  if (cited) facts.push(["source", `${cited.author}, “${cited.title}”`]);
  for (const code of group?.flags.map((flag) => flag.code) ?? figure?.flags ?? []) {
    const { severity, sentence } = words.flag(code);
    facts.push([severity, sentence]);
  }
  return (
    <>
      <p className={styles.tipTitle}>
        <bdi>{caseLabel(words, Object.keys(row.key), row.key) || row.label}</bdi>
        {lane.name ? `, ${lane.name}` : ""}
      </p>
      <dl>
        {facts.map(([name, text]) => (
          <Fact key={`${name}${text}`} name={name} text={text} />
        ))}
      </dl>
    </>
  );
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
  points: { series: Series; point: SeriesPoint }[];
  scale: Scale;
  isRatio: boolean;
  words: Words;
}

/** More than these would cover the chart that they are of: the table has them all. */
const MOST_POINTS = 8;
/** From so many on there is room for the figures alone. */
const MANY_POINTS = 4;

/** All series at one place of the horizontal axis, the largest first as they stand in the chart. */
export function PointsTip({ at, points, scale, isRatio, words }: PointsProps) {
  const sorted = points.toSorted((a, b) => b.point.value - a.point.value);
  const shown = sorted.slice(0, MOST_POINTS);
  const names = shortened(
    shown.map(({ series }) => series.label),
    190,
  );
  return (
    <>
      <p className={styles.tipTitle}>{at}</p>
      <ul className={styles.points}>
        {shown.map(({ series, point }, place) => (
          <li key={series.id}>
            <MarkSign mark={series.mark} colour={series.colour} hollow={series.hollow} />
            <bdi>{names[place]}</bdi>
            <b>
              {withUnit(point.text, isRatio ? "%" : scale.symbol)}
              {series.dagger}
            </b>
            {points.length < MANY_POINTS ? (
              <span className="under">
                {behind(series, point, scale, isRatio, words).join(", ")}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
      {sorted.length > shown.length ? (
        <p>and {sorted.length - shown.length} more in the table</p>
      ) : null}
    </>
  );
}

/** What is mixed first, then the spread and how many machines it is of. */
function behind(
  series: Series,
  point: SeriesPoint,
  scale: Scale,
  isRatio: boolean,
  words: Words,
): string[] {
  const spread =
    point.band && !series.hollow
      ? isRatio
        ? `95 % ${ratioRangeText(...point.band)}`
        : `p10–p90 ${rangeText(...point.band, scale)}`
      : "";
  return [mixesText(words, [point.group]), spread, point.weight].filter(Boolean);
}
