import type { Answer, Key } from "../../api/types";
import type { Lane } from "../../figures/charts/rows";
import { significant, withUnit } from "../../ui/format";
import type { Clause } from "../../links/clause";
import type { Question } from "../../links/question";
import { casesOf, type Measure } from "../../figures/cases";
import { sourcesOf } from "../../figures/sources";
import { uncapitalised, type Words } from "../../figures/words";
import { POWER } from "../power/power";
import { STORAGE } from "../storage/storage";
import { THREADS } from "../threads/threads";
import { asked, type Topic } from "../../questions/view";

/** A question whose answer the overview tells in a sentence and a few bars. */
export interface Finding {
  title: string;
  topic: Topic;
  question: Question;
  /** The one of the question's metrics that is told. */
  metric: string;
  /** The dimensions that name a bar, every other one being fixed. */
  of: readonly string[];
  /** Bars in the order of their values, largest first, and not of what they are. */
  ranked?: boolean;
  /** How many bars there will be, as far as that can be told before: their room is kept free. */
  bars: number;
  say: (bars: Bar[]) => string;
}

export interface Bar {
  key: Key;
  label: string;
  /** In base units, or a ratio. */
  value: number;
  text: string;
  colour: string;
  hollow: boolean;
  dagger: string;
  weight: string;
}

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });
const not = (dimension: string, value: string): Clause => ({ dimension, op: "not", value });

function of(topic: Topic, id: string, where: Clause[]): Pick<Finding, "topic" | "question"> {
  const view = topic.views.find((one) => one.id === id) ?? topic.views[0];
  const nothing = { by: [], metrics: [], relativeTo: [] };
  const question = { ...nothing, where, weight: "machine", flagged: "exclude" } as const;
  return { topic, question: asked(view, { ...question, where }) };
}

/** A sentence claims no tenths of a percent. */
const percent = (ratio: number) => withUnit(String(Math.round(ratio * 100)), "%");

const ends = (bars: Bar[]) => [bars[0], bars.at(-1)] as const;

export const FINDINGS: readonly Finding[] = [
  {
    title: "How fast is each kind of storage?",
    ...of(STORAGE, "cases", [
      not("storage", "disk_image"),
      not("storage", "virtual_disk"),
      not("encryption", "apfs_encrypted"),
    ]),
    metric: "disk.write_average",
    of: ["storage", "encryption"],
    ranked: true,
    bars: 6,
    say: (bars) => {
      const [fast, slow] = ends(bars);
      if (!fast || !slow || bars.length < 2) return "";
      return `${fast.label} writes ${significant(fast.value / slow.value, 2)} times as fast as ${slow.label}.`;
    },
  },
  {
    title: "What does encryption cost an external drive?",
    ...of(STORAGE, "encryption", [is("encryption", "apfs_encrypted")]),
    metric: "disk.write_average",
    of: ["storage"],
    ranked: true,
    bars: 3,
    say: (bars) => {
      const [most, least] = ends(bars);
      if (!most || !least) return "";
      const range =
        bars.length < 2
          ? percent(least.value)
          : `${Math.round(least.value * 100)} to ${percent(most.value)}`;
      return `APFS encryption leaves ${range} of the write speed without it.`;
    },
  },
  {
    title: "How well do threads scale?",
    ...of(THREADS, "time", [is("virtual", "false")]),
    metric: "compression.duration",
    of: ["threads"],
    bars: 6,
    say: (bars) => {
      const one = bars.find(({ key }) => key.threads === 1);
      const many = bars.at(-1);
      const threads = Number(many?.key.threads);
      if (!one || !many || threads < 2) return "";
      return `${threads} threads finish in ${percent(many.value / one.value)} of the single-thread time (ideal: ${percent(1 / threads)}).`;
    },
  },
  {
    title: "How fast do cores run together?",
    ...of(POWER, "frequency", [is("tier", "Performance"), is("active_cores", "1..12")]),
    metric: "cores.frequency",
    of: ["active_cores"],
    bars: 3,
    say: (bars) => {
      const one = bars.find(({ key }) => key.active_cores === 1);
      const many = bars.at(-1);
      if (!one || !many || one === many) return "";
      return `With ${String(many.key.active_cores)} Performance cores active, each runs at ${percent(many.value / one.value)} of the frequency of one alone.`;
    },
  },
];

const MOST = 6;
/** From so many bars on, what was measured here is told and not what articles print. */
const ENOUGH = 3;

/** The finding's bars, all by one method: unlike methods beside one another would tell nothing. */
export function barsOf(finding: Finding, answer: Answer, words: Words): Bar[] {
  const measure: Measure = finding.question.relativeTo.length > 0 ? "ratio" : "figure";
  const results = answer.results.filter(({ metric }) => metric === finding.metric);
  const told = { ...answer, results };
  const { rows, scale } = casesOf(told, words, sourcesOf(told), measure);
  const lanes = rows.flatMap((row) => row.lanes.map((lane) => ({ row, lane })));
  const method = methodOf(lanes.map(({ lane }) => lane));
  const bars = new Map<string, Bar>();
  for (const { row, lane } of lanes) {
    if (lane.value === undefined || (lane.group && methodId(lane) !== method)) continue;
    const label = labelOf(finding, row.key, words);
    // Of two figures of one thing the one worked out here goes before the printed one.
    if (label === undefined || bars.has(label)) continue;
    bars.set(label, {
      key: row.key,
      label,
      value: lane.value,
      text: measure === "ratio" ? lane.text.replace(/ ?%$/, "") : lane.text,
      colour: row.colour,
      hollow: lane.hollow,
      dagger: lane.dagger,
      weight: lane.weight,
    });
  }
  const unit = measure === "ratio" ? "%" : scale.symbol;
  const found = [...bars.values()].map((bar) => ({
    ...bar,
    text: /[a-zA-Z%]$/.test(bar.text) ? bar.text : withUnit(bar.text, unit),
  }));
  if (finding.ranked) found.sort((a, b) => b.value - a.value);
  return found.slice(0, MOST);
}

/** "Internal SSD, FileVault", "3 threads"; nothing where it is not stated what it is. */
function labelOf({ of: dimensions }: Finding, key: Key, words: Words): string | undefined {
  const [first = "", ...rest] = dimensions;
  if (key[first] === null || key[first] === undefined) return undefined;
  const name = words.value(first, key[first]);
  if (words.isNumber(first)) {
    const counted = uncapitalised(words.dimensionTitle(first));
    return `${name} ${counted.replace(/s?$/, name === "1" ? "" : "s")}`;
  }
  const others = rest.map((dimension) => uncapitalised(words.value(dimension, key[dimension])));
  return [name, ...others].join(", ");
}

const methodId = (lane: Lane) =>
  `${String(lane.hollow)} ${lane.group?.method} ${lane.group?.method_version}`;

const weightOf = (found: Lane[]) =>
  found.length + (found.length >= ENOUGH && !found[0]?.hollow ? 1000 : 0);

function methodOf(lanes: Lane[]): string | undefined {
  const counted = Map.groupBy(
    lanes.filter(({ group }) => group),
    methodId,
  );
  return [...counted].toSorted(([, a], [, b]) => weightOf(b) - weightOf(a))[0]?.[0];
}
