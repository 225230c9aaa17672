import type { Answer, Group, Key, MetricResult, PublishedFigure } from "../api/types";
import { colouredBy, groupColour } from "./charts/colours";
import { marksOf } from "./charts/marks";
import type { CaseRow, Lane } from "./charts/rows";
import { counted, type Scale } from "../ui/format";
import { medianText, printedRatio, publishedText, ratioText, sharedScale } from "./figures";
import { daggerText, type Sources } from "./sources";
import {
  caseLabel,
  caseValue,
  compareKeys,
  readingOrder,
  sharedTail,
  uncapitalised,
  type Words,
} from "./words";

/** What a chart draws: the figures themselves or their ratios to a reference. */
export type Measure = "figure" | "ratio";

export interface Cases {
  rows: CaseRow[];
  scale: Scale;
  /** Groups that a ratio was asked for and that have nothing to be compared with. */
  withoutRatio: number;
}

const keyId = (key: Key) => JSON.stringify(Object.entries(key).toSorted());

function isPlain(range: [number | null | undefined, number | null | undefined]) {
  const [low, high] = range;
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return [low, high] satisfies [number, number];
}

/** p10 to p90 of the samples; of a handful of published figures, the lowest and the highest. */
export function bandOf(group: Group): [number, number] | undefined {
  const { spread, published, min, max } = group;
  if (!spread) return undefined;
  // Lowest and highest are machines': one machine has but one, and yet samples that differ.
  const [low, high] = published ? [min, max] : [spread.p10, spread.p90];
  return low === high ? undefined : [low, high];
}

/**
 * Whether every run of the group carries a doubt: a cross through the median of 51 runs, of which
 * two are doubted, would say that nothing in it holds.
 */
export function isDoubted({ flags, runs }: Pick<Group, "flags" | "runs">): boolean {
  return flags.some((flag) => flag.severity === "doubt" && flag.runs >= runs);
}

function machinesText(group: Group): string {
  // A published figure is one article's word: its machine says less than how it was measured.
  if (group.published) return group.runs > 1 ? counted(group.runs, "figure") : "";
  return counted(group.machines, "machine");
}

function groupLane(
  result: MetricResult,
  group: Group,
  measure: Measure,
  common: Pick<Lane, "name" | "mark">,
  scale: Scale,
  sources: Sources,
): Lane | undefined {
  const lane: Lane = {
    id: [result.metric, keyId(group.key), group.published, group.method, group.method_version].join(
      "|",
    ),
    metric: result.metric,
    ...common,
    text: "",
    hollow: group.published,
    doubted: isDoubted(group),
    dagger: daggerText(sources, group.citations ?? []),
    weight: "",
    group,
  };
  if (measure === "figure") {
    return {
      ...lane,
      value: group.median,
      text: medianText(group, result.unit, scale),
      band: bandOf(group),
      interval: isPlain([group.ci_low, group.ci_high]),
      within: group.interval === "within this machine",
      weight: machinesText(group),
    };
  }
  const { ratio } = group;
  if (!ratio) return undefined;
  return {
    ...lane,
    value: ratio.value,
    text: ratioText(ratio.value),
    interval: isPlain([ratio.ci_low, ratio.ci_high]),
    weight: typeof ratio.pairs === "number" ? counted(ratio.pairs, "pair") : ratio.pairing,
  };
}

function publishedLane(
  words: Words,
  result: MetricResult,
  figure: PublishedFigure,
  measure: Measure,
  common: Pick<Lane, "name" | "mark">,
  scale: Scale,
  sources: Sources,
): Lane | undefined {
  const lane: Lane = {
    id: [result.metric, figure.run_id, figure.citation.row, "printed"].join("|"),
    metric: result.metric,
    ...common,
    text: "",
    hollow: true,
    doubted: figure.flags.some((code) => words.flag(code).severity === "doubt"),
    dagger: daggerText(sources, [figure.citation]),
    weight: "as printed",
    figure,
  };
  if (figure.kind === "range") {
    if (measure === "ratio" || typeof figure.low !== "number" || typeof figure.high !== "number") {
      return undefined;
    }
    return {
      ...lane,
      value: (figure.low + figure.high) / 2,
      band: [figure.low, figure.high],
      text: publishedText(figure, scale.symbol),
    };
  }
  if (measure === "figure") {
    return { ...lane, text: printedRatio(figure), of: `of ${referenceText(words, figure)}` };
  }
  return { ...lane, value: figure.value ?? undefined, text: publishedText(figure, "%") };
}

/** What a printed ratio is a ratio to, in lower case: "not encrypted". */
function referenceText(words: Words, figure: PublishedFigure): string {
  const to = figure.to ?? {};
  return Object.keys(to)
    .map((name) => uncapitalised(caseValue(words, name, to[name])))
    .join(", ");
}

/** True for the group that the others are compared with: its ratio to itself says nothing. */
function isReference(answer: Answer, key: Key): boolean {
  return answer.question.relative_to.every(
    ({ dimension, value }) => dimension in key && String(key[dimension]) === String(value),
  );
}

/**
 * An answer as rows of cases, each with a lane for every figure that it has. Chart and table are
 * both drawn from these rows, so that they can't differ.
 */
export function casesOf(answer: Answer, words: Words, sources: Sources, measure: Measure): Cases {
  const dimensions = readingOrder(words, answer.question.by);
  const scale = sharedScale(answer.results);
  const { heads } = sharedTail(answer.results.map(({ metric }) => words.metricTitle(metric)));
  const marks = marksOf(
    answer.results.map(({ metric }) => metric),
    words.roles,
  );
  const rows = new Map<string, CaseRow>();
  let withoutRatio = 0;

  const put = (key: Key, lane: Lane) => {
    const id = keyId(key);
    const row = rows.get(id) ?? {
      id,
      key,
      heading: "",
      swatch: dimensions[0] !== undefined && dimensions[0] === colouredBy(key),
      label: "",
      colour: groupColour(key),
      lanes: [],
    };
    row.lanes.push(lane);
    rows.set(id, row);
  };

  answer.results.forEach((result, place) => {
    const common = {
      name: answer.results.length > 1 ? uncapitalised(heads[place] ?? result.metric) : "",
      mark: marks.get(result.metric) ?? "circle",
    };
    for (const group of result.groups.toSorted(
      (a, b) => Number(a.published) - Number(b.published),
    )) {
      if (measure === "ratio" && isReference(answer, group.key)) continue;
      const lane = groupLane(result, group, measure, common, scale, sources);
      if (lane) put(group.key, lane);
      else withoutRatio++;
    }
    for (const figure of result.published) {
      const lane = publishedLane(words, result, figure, measure, common, scale, sources);
      if (lane) put(figure.key, lane);
    }
  });

  const sorted = [...rows.values()].toSorted((a, b) =>
    compareKeys(words, dimensions, a.key, b.key),
  );
  for (const row of sorted) tellMethods(row.lanes);
  return { rows: named(words, dimensions, sorted), scale, withoutRatio };
}

/** Where a case has one metric by several methods, each lane tells what is special to its own. */
function tellMethods(lanes: Lane[]): void {
  for (const lane of lanes) {
    const { group } = lane;
    if (!group) continue;
    const alike = lanes.flatMap((other) =>
      other.name === lane.name && other.group?.published === group.published ? [other.group] : [],
    );
    if (alike.length < 2) continue;
    const methods = new Set(alike.map(({ method }) => method)).size;
    if (methods === 1) {
      lane.method = `version ${group.method_version}`;
      continue;
    }
    const nameOf = ({ method, method_version }: Group) =>
      methods < alike.length ? `${method} ${method_version}` : method;
    lane.method = nameOf(group).slice(sharedStart(alike.map(nameOf)));
  }
}

/** Length of what names of methods begin with in common, whole words only. */
function sharedStart(names: string[]): number {
  const words = names.map((name) => `${name}-`.split(/(?<=[- ])/));
  let length = 0;
  for (const [place, word] of (words[0] ?? []).entries()) {
    if (!words.every((other) => other[place] === word)) break;
    length += word.length;
  }
  return length;
}

/** Headings from the first dimension when there are more, labels from the rest. */
function named(words: Words, dimensions: string[], rows: CaseRow[]): CaseRow[] {
  const [first, ...rest] = dimensions;
  let previous = "";
  return rows.map((row) => {
    if (first === undefined) return { ...row, label: "All runs" };
    if (rest.length === 0) return { ...row, label: caseValue(words, first, row.key[first]) };
    const value = caseValue(words, first, row.key[first]);
    const heading = value === previous ? "" : value;
    previous = value;
    return { ...row, heading, label: caseLabel(words, rest, row.key) };
  });
}
