import type { Answer, Facets, Key, Lane } from "../../api/types";
import { colourOf } from "../../figures/charts/colours";
import { countedIn, oldToNew } from "../../figures/counted";
import type { Words } from "../../figures/words";
import type { Clause } from "../../links/clause";
import type { Question } from "../../links/question";
import type { Bar, Finding } from "../../questions/finding";
import { asked, type Topic, type Topics } from "../../questions/view";
import { counted } from "../../ui/format";

/** A topic's finding with its question. */
export interface AskedFinding extends Finding {
  topic: Topic;
  question: Question;
}

/** The findings of all topics, in order, and that of the latest macOS. */
export function findingsOf(topics: Topics, facets?: Pick<Facets, "dimensions">): AskedFinding[] {
  const findings = topics.flatMap((topic) =>
    (topic.findings ?? []).map((finding) => ({
      ...finding,
      topic,
      question: questionOf(topic, finding),
    })),
  );
  const [before, latest] = facets ? oldToNew(countedIn(facets, "os_version")).slice(-2) : [];
  return before && latest ? [...findings, ofUpdate(topics[0], before, latest)] : findings;
}

/** What an update changed on the Macs that measured under both versions. */
function ofUpdate(topic: Topic, before: string, latest: string): AskedFinding {
  const metric = "disk.write_average";
  const where: Clause[] = [
    { dimension: "storage", op: "is", value: "internal" },
    { dimension: "os_version", op: "is", value: latest },
  ];
  return {
    title: `What did macOS ${latest} change?`,
    view: "",
    where,
    metric,
    of: ["chip"],
    ranked: true,
    news: true,
    topic,
    question: {
      metrics: [metric],
      by: ["chip", "os_version"],
      where,
      relativeTo: [{ dimension: "os_version", op: "is", value: before }],
      weight: "machine",
      flagged: "exclude",
    },
  };
}

/** Number of findings that the overview shows. */
export const SHOWN = 3;

/**
 * How large a difference is for certain: the logarithm of the ratio between the near ends of the
 * confidence intervals of the highest and the lowest figure; 0 without two.
 */
export function certainSize(bars: readonly Bar[]): number {
  const intervals = bars.flatMap(({ interval, base }) =>
    interval ? [interval, ...(base > 0 ? [[base, base]] : [])] : [],
  );
  const [lows, highs] = [0, 1].map((end) => intervals.map((interval) => interval[end] ?? 0));
  return Math.max(0, Math.log(Math.max(...(lows ?? [])) / Math.min(...(highs ?? []))) || 0);
}

/** The smallest certain difference, of 1 %, that is news: one of many chips differs by chance. */
const NOTABLE = Math.log(1.01);

/**
 * News first, then what one condition costs or gains, then everything else; the largest certain
 * difference first in each. Findings without one keep their order.
 */
export function ranked<F extends AskedFinding & { bars: Bar[] }>(findings: readonly F[]): F[] {
  const rank = ({ news, bars }: F) => {
    if (certainSize(bars) < NOTABLE) return 0;
    return 1 + Number(isRelative(bars)) + Number(news ?? false);
  };
  return findings.toSorted(
    (a, b) => rank(b) - rank(a) || certainSize(b.bars) - certainSize(a.bars),
  );
}

/** Whether the bars are differences from a reference. */
export const isRelative = (bars: readonly Bar[]) => bars.some(({ base }) => base > 0);

function questionOf(topic: Topic, { view: id, where }: Finding): Question {
  const view = topic.views.find((candidate) => candidate.id === id) ?? topic.views[0];
  const nothing = { by: [], metrics: [], relativeTo: [] };
  return asked(view, { ...nothing, where, weight: "machine", flagged: "exclude" });
}

/** Maximum number of bars. */
export const MOST = 6;
/** Minimum number of measured bars at which published ones are hidden. */
const ENOUGH = 3;

/** The finding's bars, all from one method, because different methods aren't comparable. */
export function barsOf(finding: AskedFinding, { figure }: Answer, words: Words): Bar[] {
  const lanes = figure.charts.flatMap(({ cases = [], up }) =>
    cases.flatMap((row) =>
      row.lanes.flatMap((lane) =>
        lane.metric === finding.metric ? [{ row, lane, base: up.base ?? 0 }] : [],
      ),
    ),
  );
  const method = methodOf(lanes.map(({ lane }) => lane));
  const bars = new Map<string, Bar>();
  for (const { row, lane, base } of lanes) {
    if (typeof lane.value !== "number" || (lane.method && methodId(lane) !== method)) continue;
    const label = labelOf(finding, row.key ?? {}, words);
    // A computed figure takes precedence over a printed one.
    if (label === undefined || bars.has(label)) continue;
    bars.set(label, {
      key: row.key ?? {},
      label,
      value: lane.value - base,
      base,
      // Published figures and the variation within one Mac say nothing of other Macs.
      interval: lane.hollow || lane.within ? undefined : (lane.interval ?? undefined),
      text: lane.full ?? lane.text,
      colour: colourOf(row),
      hollow: lane.hollow ?? false,
      dagger: lane.dagger ?? "",
      weight: lane.weight ?? "",
    });
  }
  const sorted = [...bars.values()];
  if (isRelative(sorted)) return farthest(sorted.toSorted((a, b) => a.value - b.value));
  if (finding.ranked) return spread(sorted.toSorted((a, b) => b.value - a.value));
  // Bars along a parameter are of one line, the one that the title is about.
  const line = ({ key }: Bar) => JSON.stringify({ ...key, [finding.of[0] ?? ""]: null });
  return spread(sorted.filter((bar) => line(bar) === line(sorted[0] ?? bar)));
}

/** The first and the last bar, which titles name, and others evenly between them. */
export function spread(bars: Bar[]): Bar[] {
  const step = (bars.length - 1) / (MOST - 1);
  const positions = new Set(Array.from({ length: MOST }, (_, at) => Math.round(at * step)));
  return bars.filter((_, index) => positions.has(index));
}

/** The first and the last bar, which titles name, and of the others the largest differences. */
export function farthest(bars: Bar[]): Bar[] {
  const byDistance = bars.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value));
  const shown = new Set([...bars.slice(0, 1), ...bars.slice(-1), ...byDistance]);
  const most = new Set([...shown].slice(0, MOST));
  return bars.filter((bar) => most.has(bar));
}

/** A label such as "Internal SSD, FileVault" or "3 threads"; undefined if a value is missing. */
export function labelOf({ of: dimensions }: Finding, key: Key, words: Words): string | undefined {
  const [first = "", ...rest] = dimensions;
  if (key[first] === null || key[first] === undefined) return undefined;
  const each = words.dimension(first)?.each;
  if (each) return counted(Number(key[first]), each.one, each.many);
  const name = words.value(first, key[first]);
  const others = rest.map((dimension) => words.valueInside(dimension, key[dimension]));
  return [name, ...others].join(", ");
}

const methodId = ({ hollow, cells }: Lane) => `${String(hollow)} ${cells?.method}`;

const weightOf = (lanes: Lane[]) =>
  lanes.length + (lanes.length >= ENOUGH && !lanes[0]?.hollow ? 1000 : 0);

function methodOf(lanes: Lane[]): string | undefined {
  const byMethod = Map.groupBy(
    lanes.filter(({ method }) => method),
    methodId,
  );
  return [...byMethod].toSorted(([, a], [, b]) => weightOf(b) - weightOf(a))[0]?.[0];
}
