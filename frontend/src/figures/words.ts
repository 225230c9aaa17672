import type {
  Catalog,
  CatalogDimension,
  CatalogMetric,
  Key,
  Role,
  Scalar,
  Trait,
} from "../api/types";
import { count, counted, isolated, nominal, quantity } from "../ui/format";

/** The catalogue's titles, with a readable answer for every name that it does not know. */
export interface Words {
  metric(name: string): CatalogMetric | undefined;
  metricTitle(name: string): string;
  /** What it is of, where a name would have to be guessed from: reads, writes … */
  roles(metric: string): readonly Role[];
  dimension(name: string): CatalogDimension | undefined;
  /** Whether it is one of those that are treated alike: optional ones, axes … */
  has(dimension: string, trait: Trait): boolean;
  dimensionTitle(name: string): string;
  value(dimension: string, value: Scalar | undefined): string;
  isNumber(dimension: string): boolean;
  /** Whether a metric's figures can be filtered by it: dimensions of samples belong to some only. */
  speaksOf(metric: string, dimension: string): boolean;
  /** What a number of its values is called: "chips". */
  several(dimension: string): string;
  /** Place of a value in the catalogue's own order; unlisted ones come after the listed. */
  rank(dimension: string, value: Scalar | undefined): number;
  dimensionRank(name: string): number;
  flag(code: string): { severity: "doubt" | "caution"; sentence: string };
}

const LABEL = "label:";

export function wordsOf(catalog: Catalog): Words {
  const metrics = new Map(catalog.metrics.map((metric) => [metric.name, metric]));
  const dimensions = new Map(catalog.dimensions.map((dimension) => [dimension.name, dimension]));
  const places = new Map(catalog.dimensions.map((dimension, place) => [dimension.name, place]));
  const flags = new Map(catalog.flags.map((flag) => [flag.code, flag]));

  const words: Words = {
    metric: (name) => metrics.get(name),
    metricTitle: (name) => metrics.get(name)?.title ?? name,
    roles: (name) => metrics.get(name)?.roles ?? [],
    dimension: (name) => dimensions.get(name),
    has: (name, trait) => dimensions.get(name)?.traits.includes(trait) ?? false,
    dimensionTitle: (name) =>
      dimensions.get(name)?.title ??
      isolated(name.startsWith(LABEL) ? name.slice(LABEL.length) : name),
    isNumber: (name) => dimensions.get(name)?.kind === "number",
    value(name, value) {
      const dimension = dimensions.get(name);
      if (value === null || value === undefined || value === "") {
        return dimension?.absent ?? `${words.dimensionTitle(name)} not stated`;
      }
      // "Not known" and "Other" alone would not say what.
      if (value === "unknown") return `${words.dimensionTitle(name)} not known`;
      if (value === "other") return `Other ${uncapitalised(words.dimensionTitle(name))}`;
      if (typeof value === "boolean" || dimension?.kind === "boolean") {
        return dimension?.values?.[String(value)] ?? (String(value) === "true" ? "Yes" : "No");
      }
      if (dimension?.kind === "number") {
        const number = Number(value);
        if (Number.isNaN(number)) return String(value);
        if (dimension.unit === "B" || dimension.unit === "bit/s")
          return nominal(number, dimension.unit);
        if (dimension.each) return counted(number, dimension.each.one, dimension.each.many);
        return dimension.unit ? quantity(number, dimension.unit) : count(number);
      }
      return dimension?.values?.[String(value)] ?? isolated(String(value));
    },
    several: (name) => dimensions.get(name)?.plural ?? `values of ${words.dimensionTitle(name)}`,
    speaksOf(name, dimension) {
      if (dimensions.get(dimension)?.of !== "sample") return true;
      const metric = metrics.get(name);
      return [...(metric?.required ?? []), ...(metric?.optional ?? [])].includes(dimension);
    },
    rank(name, value) {
      if (value === null || value === undefined) return Number.POSITIVE_INFINITY;
      const place = Object.keys(dimensions.get(name)?.values ?? {}).indexOf(String(value));
      return place < 0 ? Number.MAX_SAFE_INTEGER : place;
    },
    dimensionRank: (name) => places.get(name) ?? Number.MAX_SAFE_INTEGER,
    flag: (code) =>
      flags.get(code) ?? {
        severity: "caution",
        sentence: flags.get("unknown_warning")?.sentence ?? `carries the warning “${code}”`,
      },
  };
  return words;
}

/** By the catalogue's order of values where it has one, else by number or text; absent last. */
export function compareValues(
  words: Words,
  dimension: string,
  a: Scalar | undefined,
  b: Scalar | undefined,
): number {
  const byRank = words.rank(dimension, a) - words.rank(dimension, b);
  if (byRank !== 0 && !Number.isNaN(byRank)) return byRank;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

/** The question's dimensions in the catalogue's order: a link keeps them sorted by name. */
export function readingOrder(words: Words, dimensions: string[]): string[] {
  return dimensions.toSorted((a, b) => words.dimensionRank(a) - words.dimensionRank(b));
}

/** A value away from its heading or axis, where a bare number would not say of what: "Threads 4". */
export function caseValue(words: Words, name: string, value: Scalar | undefined): string {
  const text = words.value(name, value);
  return typeof value === "number" && /^[\d\u2009]+$/.test(text)
    ? `${words.dimensionTitle(name)} ${text}`
    : text;
}

/** A group's name without its first `skip` dimensions: "APFS encrypted", "Image, AES-256, ASIF". */
export function caseLabel(words: Words, dimensions: string[], key: Key): string {
  const parts = dimensions
    .filter((name) => {
      const absent = key[name] === null || key[name] === undefined;
      if (!absent || !words.has(name, "optional")) return true;
      return words.dimension(name)?.expected_of.includes(String(key.storage));
    })
    .map((name) => caseValue(words, name, key[name]));
  return parts.join(" · ");
}

/** Joined as in a sentence: "a", "a and b", "a, b and c". */
export function listed(parts: string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Lower case at the start, unless the word is a name or an abbreviation (USB4, macOS, APFS). */
export function uncapitalised(text: string): string {
  return /^[A-Z][a-z]+([^\w/+]|$)/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}

const PLURAL: Record<string, string> = {
  was: "were",
  is: "are",
  has: "have",
  does: "do",
  comes: "come",
  carries: "carry",
  names: "name",
};

/** A flag's sentence about several runs: "was hot" becomes "were hot". */
export function plural(sentence: string): string {
  const [verb = "", ...rest] = sentence.split(" ");
  return [PLURAL[verb] ?? verb, ...rest].join(" ").replaceAll(" its ", " their ");
}
