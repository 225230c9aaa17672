import type { Group, MetricResult, PublishedFigure } from "../api/types";
import {
  decimalsFor,
  divisorOf,
  fixed,
  inUnit,
  percent,
  printedIn,
  printedParts,
  type Scale,
  scaleFor,
  significant,
  withUnit,
} from "../ui/format";

/** The unit of a metric's column and axis: chosen by its medians, so that the table stays even. */
export function columnScale(result: MetricResult): Scale {
  const values = result.groups.map((group) => group.median);
  for (const figure of result.published) {
    if (figure.kind === "range") values.push(figure.high ?? 0);
  }
  return scaleFor(result.unit, values);
}

/** One scale for several metrics of one unit, which share a chart and a column. */
export function sharedScale(results: MetricResult[]): Scale {
  const scales = results.map(columnScale);
  return scales.toSorted((a, b) => b.divisor - a.divisor)[0] ?? { symbol: "", divisor: 1 };
}

/**
 * The digits of a group's median. A published figure shows exactly what was printed; the median of
 * several stays in their unit and claims at most one decimal more than they do.
 */
export function medianText(
  group: Pick<Group, "median" | "printed" | "qualifier">,
  unit: string,
  scale: Scale,
): string {
  const printed = (group.printed ?? []).flatMap((text) => printedParts(text) ?? []);
  const [first] = printed;
  if (!first) return inUnit(group.median, scale);
  if (group.printed?.length === 1) {
    const digits = printedIn(group.printed[0] ?? "", scale.symbol);
    return group.qualifier ? `${group.qualifier} ${digits}` : digits;
  }
  const symbol = printed.every((part) => part.unit === first.unit) ? first.unit : scale.symbol;
  const divisor = divisorOf(unit, symbol);
  if (divisor === undefined) return inUnit(group.median, scale);
  const most = Math.max(...printed.map(({ digits }) => digits.split(".")[1]?.length ?? 0));
  const value = group.median / divisor;
  const exact = fixed(value, Math.min(decimalsFor(value), most + 1));
  const digits = Number(fixed(value, most)) === Number(exact) ? fixed(value, most) : exact;
  return symbol === scale.symbol ? digits : withUnit(digits, symbol);
}

/** "7.41–7.80"; nothing where there is no range. */
export function rangeText(
  low: number | null | undefined,
  high: number | null | undefined,
  scale: Scale,
): string {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  return `${inUnit(low, scale)}–${inUnit(high, scale)}`;
}

export function ratioRangeText(
  low: number | null | undefined,
  high: number | null | undefined,
): string {
  if (low === null || low === undefined || high === null || high === undefined) return "";
  return `${significant(low * 100)}–${significant(high * 100)}`;
}

/** A published ratio or range as printed, with the author's own reservation: "about 98 %". */
export function publishedText(figure: PublishedFigure, symbol: string): string {
  const digits = printedIn(figure.printed, symbol);
  return figure.qualifier && figure.qualifier !== "as printed"
    ? `${figure.qualifier} ${digits}`
    : digits;
}

/** A printed ratio away from a percent column, with its sign: "97 %". */
export function printedRatio(figure: PublishedFigure): string {
  const digits = publishedText(figure, "%");
  return /%/.test(digits) || !/%/.test(figure.printed) ? digits : withUnit(digits, "%");
}

/** A ratio in percent, without its sign: a column or axis carries it once. */
export function ratioText(value: number): string {
  return significant(value * 100);
}

/** Whether a ratio tells anything: never "no difference", only what could have been seen. */
export function verdictText({ verdict }: Pick<NonNullable<Group["ratio"]>, "verdict">): string {
  switch (verdict.answer) {
    case "different":
      return "different";
    case "no_evidence":
      return typeof verdict.smallest_visible === "number"
        ? `no evidence of a difference; ${percent(verdict.smallest_visible - 1)} would have shown`
        : "no evidence of a difference";
    case "not_enough":
      return "not enough to tell";
  }
}
