import type { Answer, Key, Lane } from "../../api/types";
import { colourOf } from "../../figures/charts/colours";
import type { Words } from "../../figures/words";
import type { Question } from "../../links/question";
import type { Bar, Finding } from "../../questions/finding";
import { asked, type Topic, type Topics } from "../../questions/view";
import { counted } from "../../ui/format";

/** A topic's finding with its question. */
export interface AskedFinding extends Finding {
  topic: Topic;
  question: Question;
}

/** The findings of all topics, in order. */
export function findingsOf(topics: Topics): AskedFinding[] {
  return topics.flatMap((topic) =>
    (topic.findings ?? []).map((finding) => ({
      ...finding,
      topic,
      question: questionOf(topic, finding),
    })),
  );
}

function questionOf(topic: Topic, { view: id, where }: Finding): Question {
  const view = topic.views.find((one) => one.id === id) ?? topic.views[0];
  const nothing = { by: [], metrics: [], relativeTo: [] };
  return asked(view, { ...nothing, where, weight: "machine", flagged: "exclude" });
}
const MOST = 6;
/** Minimum number of measured bars at which published ones are hidden. */
const ENOUGH = 3;

/** The finding's bars, all from one method, because different methods aren't comparable. */
export function barsOf(finding: AskedFinding, { figure }: Answer, words: Words): Bar[] {
  const lanes = figure.charts.flatMap(({ cases = [], up }) =>
    cases.flatMap((of) =>
      of.lanes.flatMap((lane) =>
        lane.metric === finding.metric ? [{ of, lane, base: up.base ?? 0 }] : [],
      ),
    ),
  );
  const method = methodOf(lanes.map(({ lane }) => lane));
  const bars = new Map<string, Bar>();
  for (const { of, lane, base } of lanes) {
    if (typeof lane.value !== "number" || (lane.method && methodId(lane) !== method)) continue;
    const label = labelOf(finding, of.key ?? {}, words);
    // A computed figure takes precedence over a printed one.
    if (label === undefined || bars.has(label)) continue;
    bars.set(label, {
      key: of.key ?? {},
      label,
      value: Math.abs(lane.value - base),
      text: lane.full ?? lane.text,
      colour: colourOf(of),
      hollow: lane.hollow ?? false,
      dagger: lane.dagger ?? "",
      weight: lane.weight ?? "",
    });
  }
  const found = [...bars.values()];
  if (finding.ranked) found.sort((a, b) => b.value - a.value);
  return found.slice(0, MOST);
}

/** A label such as "Internal SSD, FileVault" or "3 threads"; undefined if a value is missing. */
function labelOf({ of: dimensions }: Finding, key: Key, words: Words): string | undefined {
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
