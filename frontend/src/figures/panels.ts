import type { Answer, Group, MetricResult, Scalar } from "../api/types";
import { DASHES, groupColour } from "./charts/colours";
import { MARKS, type Mark } from "./charts/marks";
import type { Curve, Panel, Series, SeriesPoint } from "./charts/series";
import { counted, type Scale } from "../ui/format";
import { bandOf, isDoubted, type Measure } from "./cases";
import { medianText, ratioText, sharedScale } from "./figures";
import { beyondOf, pointsOf } from "./curves";
import { mixOf } from "./mixes";
import { daggerText, type Sources } from "./sources";
import { caseLabel, compareKeys, readingOrder, type Words } from "./words";

/**
 * The dimension that makes the horizontal axis: versions of macOS, which have an order, or the
 * first that counts or measures something.
 */
export function axisDimension(words: Words, by: string[]): string | undefined {
  if (by.some((name) => words.has(name, "cases"))) return undefined;
  if (by.includes(VERSIONS)) return VERSIONS;
  return readingOrder(words, by).find((name) => words.has(name, "axis"));
}

export const VERSIONS = "os_version";

/** Places along the axis: numbers are their own, versions stand in their order, evenly. */
export function placesOf(answer: Answer, axis: string): Map<Scalar, number> {
  const values = answer.results
    .flatMap(({ groups }) => groups.map(({ key }) => key[axis]))
    .filter((value) => value !== null && value !== undefined);
  const order = [...new Set(values)].toSorted((a, b) =>
    String(a).localeCompare(String(b), "en", { numeric: true }),
  );
  return new Map(
    order.map((value, place) => [value, typeof value === "number" ? value : place + 1]),
  );
}

interface Drawing {
  measure: Measure;
  scale: Scale;
  /** Whether bars of one standard deviation belong to the metric. */
  deviates: boolean;
}

function pointOf(
  group: Group,
  { unit }: MetricResult,
  x: number,
  { measure, scale, deviates }: Drawing,
): SeriesPoint | undefined {
  const weight = group.machines > 0 ? counted(group.machines, "machine") : "";
  const mix = mixOf(group);
  const doubted = isDoubted(group);
  if (measure === "figure") {
    const whisker = deviates ? whiskerOf(group) : undefined;
    const band = whisker ? undefined : bandOf(group);
    const text = medianText(group, unit, scale);
    return { x, value: group.median, text, band, whisker, weight, mix, doubted, group };
  }
  if (!group.ratio) return undefined;
  const { value, ci_low: low, ci_high: high } = group.ratio;
  const interval: [number, number] | undefined =
    typeof low === "number" && typeof high === "number" ? [low, high] : undefined;
  return {
    x,
    value,
    text: ratioText(value),
    band: interval,
    interval,
    weight,
    mix,
    doubted,
    group,
  };
}

function whiskerOf({ mean, spread, published }: Group): [number, number] | undefined {
  const sd = spread?.sd;
  return typeof sd === "number" && !published ? [mean - sd, mean + sd] : undefined;
}

/**
 * An answer as one panel a metric, its groups joined into series along `axis`. Colour follows
 * storage, as everywhere; what colour can't tell, dash and mark do.
 */
export function panelsOf(
  answer: Answer,
  words: Words,
  sources: Sources,
  axis: string,
  measure: Measure,
): { panels: Panel[]; scale: Scale } {
  const scale = sharedScale(answer.results);
  const rest = readingOrder(words, answer.question.by).filter((name) => name !== axis);
  const places = placesOf(answer, axis);
  const ends = [...places.values()];
  const axisEnds = [Math.min(...ends), Math.max(...ends)] as const;
  const placeOf = (group: Group) => places.get(group.key[axis] ?? null);
  const panels = answer.results.map((result) => {
    const groups = result.groups
      .filter((group) => placeOf(group) !== undefined)
      .toSorted(
        (a, b) =>
          Number(a.published) - Number(b.published) ||
          compareKeys(words, rest, a.key, b.key) ||
          (placeOf(a) ?? 0) - (placeOf(b) ?? 0),
      );
    const usual = usualMethod(groups);
    const series = new Map<string, Series>();
    const worn = new Map<string, number>();
    const deviates = words.roles(result.metric).includes("deviates");
    for (const group of groups) {
      const id = seriesId(rest, group);
      const point = pointOf(group, result, placeOf(group) ?? 0, { measure, scale, deviates });
      if (!point) continue;
      let one = series.get(id);
      if (!one) {
        const colour = groupColour(group.key);
        const turn = group.published ? 0 : (worn.get(colour) ?? 0);
        if (!group.published) worn.set(colour, turn + 1);
        const name = caseLabel(words, rest, group.key) || "All runs";
        one = {
          id,
          label:
            group.published || methodOf(group) === usual
              ? name
              : `${name}, ${otherMethod(group.method, usual)}`,
          colour,
          dash: DASHES[turn % DASHES.length] ?? "",
          mark: markFor(series.size),
          hollow: group.published,
          dagger: "",
          points: [],
        };
        series.set(id, one);
      }
      one.points.push(point);
    }
    for (const one of series.values()) {
      one.dagger = daggerText(
        sources,
        one.points.flatMap(({ group }) => group.citations ?? []),
      );
    }
    return {
      metric: result.metric,
      title: words.metricTitle(result.metric),
      series: [...series.values()],
      curves: measure === "figure" ? curvesOf(result, rest, series, axisEnds) : [],
    };
  });
  return { panels, scale };
}

/** What a series shares: the rest of the key, its kind of source and its method. */
function seriesId(
  rest: string[],
  { key, published, ...method }: Pick<Group, "key" | "published" | "method" | "method_version">,
): string {
  return JSON.stringify([rest.map((name) => key[name]), published, methodOf(method)]);
}

/** Fits are of the figures themselves (a ratio has none), drawn from end to end of the axis. */
function curvesOf(
  result: MetricResult,
  rest: string[],
  series: ReadonlyMap<string, Series>,
  ends: readonly [number, number],
): Curve[] {
  const log = isLog(...ends);
  return result.fits.flatMap((fit) => {
    const of = series.get(seriesId(rest, fit));
    if (!of) return [];
    const { id, colour } = of;
    const { model, coefficients, r2, low, high, points: n } = fit;
    return [
      {
        id,
        label: `${of.label}${of.dagger}`,
        colour,
        model,
        coefficients,
        r2,
        low,
        high,
        n,
        points: pointsOf(fit, log),
        beyond: beyondOf(fit, ends, log),
      },
    ];
  });
}

/** Places that span decades stand on a logarithmic axis. */
export function isLog(low: number, high: number): boolean {
  return low > 0 && high / low >= 50;
}

/** "quick" beside graded-files, for graded-files-quick. */
function otherMethod(method: string, usual: string | undefined): string {
  const name = usual?.split(" ")[0];
  return name && method.startsWith(`${name}-`) ? method.slice(name.length + 1) : method;
}

/** The method of most runs: only the others have to name theirs. */
export function usualMethod(groups: Group[]): string | undefined {
  const runs = new Map<string, number>();
  for (const group of groups) {
    if (!group.published) runs.set(methodOf(group), (runs.get(methodOf(group)) ?? 0) + group.runs);
  }
  return [...runs].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
}

export function methodOf({
  method,
  method_version,
}: Pick<Group, "method" | "method_version">): string {
  return `${method} ${method_version}`;
}

function markFor(place: number): Mark {
  return MARKS[place % MARKS.length] ?? "circle";
}
