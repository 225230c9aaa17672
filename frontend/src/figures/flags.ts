import type { Answer, CountedFlag, Group, MetricResult, PublishedFigure } from "../api/types";
import type { Words } from "./words";

/** A flag that appears in an answer, under the letter that stands for it in the table. */
export interface FlagNote {
  letter: string;
  code: string;
  severity: "doubt" | "caution";
  sentence: string;
  /** Runs that carry it, over all groups of the first metric that has it. */
  runs: number;
}

export type FlagNotes = ReadonlyMap<string, FlagNote>;

/** The flags of a printed figure, counted like those of a group: it is one run. */
export function flagsOf(figure: PublishedFigure, words: Words): CountedFlag[] {
  return figure.flags.map((code) => ({ code, severity: words.flag(code).severity, runs: 1 }));
}

/** Groups of the same runs, which differ in a dimension of samples only; a published figure is a run. */
export function sameRuns(result: MetricResult, words: Words): Map<string, Group[]> {
  return Map.groupBy(result.groups, ({ key, published, method, method_version }) => {
    const ofRuns = Object.entries(key).filter(
      ([name]) => published || words.dimension(name)?.of !== "sample",
    );
    return JSON.stringify([ofRuns, published, method, method_version]);
  });
}

/**
 * Runs behind an answer. Groups that differ in a dimension of samples (file sizes) are of the same
 * runs, and further metrics mostly are too.
 */
export function runsOf(answer: Answer, words: Words): number {
  // An answer that was frozen before it counted them is asked for its groups.
  if (answer.runs != null) return answer.runs;
  const totals = answer.results.map((result) => {
    const groups = [...sameRuns(result, words).values()];
    const measured = groups.reduce(
      (sum, same) => sum + Math.max(...same.map(({ runs }) => runs)),
      0,
    );
    return measured + new Set(result.published.map(({ run_id }) => run_id)).size;
  });
  return Math.max(0, ...totals);
}

function mostOfEach(groups: Group[]): CountedFlag[] {
  const most = new Map<string, CountedFlag>();
  for (const flag of groups.flatMap((group) => group.flags)) {
    if (flag.runs > (most.get(flag.code)?.runs ?? 0)) most.set(flag.code, flag);
  }
  return [...most.values()];
}

/** a, b … z, aa, ab … */
export function letterOf(place: number): string {
  const last = String.fromCharCode(97 + (place % 26));
  return place < 26 ? last : letterOf(Math.floor(place / 26) - 1) + last;
}

/** Doubts first, then cautions, each by how often it occurs. */
export function flagNotes(answer: Answer, words: Words): FlagNotes {
  const runs = new Map<string, number>();
  const most = (code: string, counted: number) => {
    runs.set(code, Math.max(runs.get(code) ?? 0, counted));
  };
  for (const result of answer.results) {
    const here = new Map<string, number>();
    const add = (flags: CountedFlag[]) => {
      for (const flag of flags) here.set(flag.code, (here.get(flag.code) ?? 0) + flag.runs);
    };
    for (const groups of sameRuns(result, words).values()) add(mostOfEach(groups));
    for (const figure of result.published) add(flagsOf(figure, words));
    for (const [code, counted] of here) most(code, counted);
  }
  const sorted = [...runs]
    .map(([code, counted]) => ({ code, runs: counted, ...words.flag(code) }))
    .toSorted(
      (a, b) =>
        Number(a.severity === "caution") - Number(b.severity === "caution") ||
        b.runs - a.runs ||
        a.code.localeCompare(b.code),
    );
  return new Map(sorted.map((note, place) => [note.code, { ...note, letter: letterOf(place) }]));
}
