import type { Answer, Citation, MetricResult } from "../api/types";

/** An article behind published figures of an answer, under the number its daggers carry. */
export interface Source {
  number: number;
  citation: Citation;
  /** The figures' ids within our collection of published results: m005, m006 ... */
  rows: string[];
}

export type Sources = ReadonlyMap<string, Source>;

function* citations(result: MetricResult): Generator<Citation> {
  for (const group of result.groups) yield* group.citations ?? [];
  for (const figure of result.published) yield figure.citation;
}

/** Numbered in the order in which the answer names them. */
export function sourcesOf(answer: Answer): Sources {
  const sources = new Map<string, Source>();
  for (const result of answer.results) {
    for (const citation of citations(result)) {
      const source = sources.get(citation.article);
      if (!source) {
        sources.set(citation.article, {
          number: sources.size + 1,
          citation,
          rows: [citation.row],
        });
      } else if (!source.rows.includes(citation.row)) {
        source.rows.push(citation.row);
      }
    }
  }
  return sources;
}

/** The numbers of the articles behind `cited`, in order. */
export function daggersOf(sources: Sources, cited: readonly Citation[]): number[] {
  const numbers = cited.flatMap(({ article }) => sources.get(article)?.number ?? []);
  return [...new Set(numbers)].toSorted((a, b) => a - b);
}

/** "†", or "†1,3" where several articles are cited; empty where none is. */
export function daggerText(sources: Sources, cited: readonly Citation[]): string {
  const numbers = daggersOf(sources, cited);
  if (numbers.length === 0) return "";
  return sources.size === 1 ? "†" : `†${numbers.join(",")}`;
}
