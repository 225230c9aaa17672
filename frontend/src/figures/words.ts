import type { Catalog, CatalogDimension, CatalogMetric, Role, Scalar, Trait } from "../api/types";
import { isolated } from "../ui/format";

/** The catalogue's titles, with a readable fallback for unknown names. */
export interface Words {
  metric(name: string): CatalogMetric | undefined;
  metricTitle(name: string): string;
  /** Its title within a sentence. */
  metricInside(name: string): string;
  /** "Read and write speed": what ends all titles is said once. */
  metricsTitle(names: readonly string[]): string;
  /** Its roles (reads, writes …), which would otherwise be guessed from its name. */
  roles(metric: string): readonly Role[];
  dimension(name: string): CatalogDimension | undefined;
  /** Whether a dimension has a trait: optional, axis … */
  has(dimension: string, trait: Trait): boolean;
  /** Dimensions with this trait, in the catalogue's order. */
  having(trait: Trait): string[];
  /** The dimensions whose filters are open on that page, in this order. */
  openOn(page: string): string[];
  dimensionTitle(name: string): string;
  dimensionInside(name: string): string;
  /** The catalogue's name of a value, or the value itself if unknown. */
  value(dimension: string, value: Scalar | undefined): string;
  isNumber(dimension: string): boolean;
  /**
   * Whether a metric can be filtered by this dimension: dimensions of samples apply to some only.
   */
  speaksOf(metric: string, dimension: string): boolean;
  valueInside(dimension: string, value: Scalar | undefined): string;
  /** Its position in the catalogue. */
  dimensionRank(name: string): number;
  /** Maximum number of dimensions that a question groups by. */
  mostGrouped: number;
  flag(code: string): { severity: "doubt" | "caution"; sentence: string };
}

const LABEL = "label:";

export function wordsOf(catalog: Catalog): Words {
  const metrics = new Map(catalog.metrics.map((metric) => [metric.name, metric]));
  const dimensions = new Map(catalog.dimensions.map((dimension) => [dimension.name, dimension]));
  const ranks = new Map(catalog.dimensions.map((dimension, index) => [dimension.name, index]));
  const flags = new Map(catalog.flags.map((flag) => [flag.code, flag]));

  const words: Words = {
    mostGrouped: catalog.most_grouped,
    metric: (name) => metrics.get(name),
    metricTitle: (name) => metrics.get(name)?.title ?? name,
    metricInside: (name) => metrics.get(name)?.inside ?? name,
    metricsTitle: (names) =>
      withSharedTail(
        names.map((name, index) =>
          index === 0 ? words.metricTitle(name) : words.metricInside(name),
        ),
      ),
    roles: (name) => metrics.get(name)?.roles ?? [],
    dimension: (name) => dimensions.get(name),
    has: (name, trait) => dimensions.get(name)?.traits.includes(trait) ?? false,
    having: (trait) =>
      catalog.dimensions.filter(({ traits }) => traits.includes(trait)).map(({ name }) => name),
    openOn: (page) => [...words.having("filters_first"), ...(catalog.open_filters[page] ?? [])],
    dimensionTitle: (name) =>
      dimensions.get(name)?.title ??
      isolated(name.startsWith(LABEL) ? name.slice(LABEL.length) : name),
    isNumber: (name) => dimensions.get(name)?.kind === "number",
    dimensionInside: (name) => dimensions.get(name)?.inside ?? words.dimensionTitle(name),
    value: (name, value) =>
      dimensions.get(name)?.words[String(value ?? "")] ?? isolated(String(value ?? "")),
    valueInside: (name, value) =>
      dimensions.get(name)?.words_inside[String(value ?? "")] ?? words.value(name, value),
    speaksOf(name, dimension) {
      if (dimensions.get(dimension)?.of !== "sample") return true;
      const metric = metrics.get(name);
      return [...(metric?.required ?? []), ...(metric?.optional ?? [])].includes(dimension);
    },
    dimensionRank: (name) => ranks.get(name) ?? Number.MAX_SAFE_INTEGER,
    flag: (code) => flags.get(code) ?? { severity: "caution", sentence: code },
  };
  return words;
}

const LIST = new Intl.ListFormat("en-GB");

/** Titles joined, without what they all end with, and that once. */
function withSharedTail(titles: string[]): string {
  const split = titles.map((title) => title.split(" "));
  const fewest = Math.min(...split.map((words) => words.length));
  let shared = 0;
  while (titles.length > 1 && shared < fewest - 1) {
    if (new Set(split.map((words) => words.at(-1 - shared))).size > 1) break;
    shared++;
  }
  const heads = split.map((words) => words.slice(0, words.length - shared).join(" "));
  return [listed(heads), ...(shared > 0 ? (split[0]?.slice(-shared) ?? []) : [])].join(" ");
}

/** Parts joined as in a sentence: "a", "a and b", "a, b and c". */
export function listed(parts: string[]): string {
  return LIST.format(parts);
}
