import { type Clause, parseClause, printClause } from "./clause";
import {
  clauses,
  distinct,
  isCrude,
  LIKE,
  oneOf,
  type Question,
  UnreadableQuestion,
} from "./question";
import { printSearch, type SearchLists } from "./search";

/** One side of a comparison: the runs that match its filters. */
export interface Side {
  where: Clause[];
  /** The reader's name for it; otherwise it is named by its filters. */
  label?: string;
}

/**
 * A comparison of sides in an address, in the API's own grammar: `side=2:storage:usb4` is a filter
 * of the second side, `metric=disk.write_speed@file_size:2000000` a metric with its parameters.
 */
export interface Sides extends Pick<Question, "weight" | "flagged" | "crude"> {
  metrics: string[];
  sides: Side[];
  /** Filters of all sides. */
  where: Clause[];
  /** Number of the side that the others are divided by. */
  baseline: number;
}

export const FEWEST_SIDES = 2;
export const MOST_SIDES = 8;
export const MOST_METRICS = 16;

/** Parse sides. There may be too few to compare: the page asks for more. */
export function parseSides(search: SearchLists): Sides {
  const crude = isCrude(search) && (search.side?.length ?? 0) > 0;
  const byNumber = new Map<number, Side>();
  for (const [number, text] of numbered("side", search.side)) {
    const side = byNumber.get(number) ?? { where: [] };
    byNumber.set(number, side);
    if (text === "") continue;
    const clause = parseClause(text);
    if (!clause) throw unreadable("side", `${number}:${text}`);
    side.where.push(clause);
  }
  const sides = Array.from({ length: byNumber.size }, (_, index) => byNumber.get(index + 1));
  if (!sides.every((side) => side !== undefined)) {
    throw new UnreadableQuestion("?side", "Number the sides 1, 2, 3 and so on, without gaps.");
  }
  for (const [number, label] of numbered("label", search.label)) {
    const side = sides[number - 1];
    if (!side) throw unreadable("label", `${number}:${label}`);
    if (label.trim() !== "") side.label = label.trim();
  }
  const baseline = Number(search.baseline?.at(-1) ?? 1);
  if (!(baseline === 1 || sides[baseline - 1])) {
    throw new UnreadableQuestion("?baseline", "The baseline must be the number of a side.");
  }
  return {
    metrics: distinct(search.metric),
    sides,
    where: clauses("?where", search.where),
    baseline,
    weight: oneOf("weight", search.weight, ["machine", "run"]),
    flagged: oneOf("flagged", search.flagged, ["exclude", "include"]),
    ...(crude ? { crude } : {}),
  };
}

function numbered(parameter: string, texts: string[] = []): [number, string][] {
  return texts.map((text) => {
    const match = /^([1-8]):(.*)$/su.exec(text);
    if (!match) throw unreadable(parameter, text);
    return [Number(match[1]), match[2] ?? ""];
  });
}

function unreadable(parameter: string, text: string): UnreadableQuestion {
  return new UnreadableQuestion(
    `?${parameter}`,
    `“${text}” is not a valid ${parameter}. Start with the number of a side, 1 to ${MOST_SIDES}, for example 1:storage:usb4.`,
  );
}

/** Canonical form: defaults dropped, in the server's order. */
export function sidesSearch({ metrics, sides, where, baseline, weight, flagged, crude }: Sides) {
  const search: SearchLists = {};
  const put = (name: string, values: string[]) => {
    if (values.length > 0) search[name] = values;
  };
  put("metric", distinct(metrics));
  put(
    "side",
    sides.flatMap((side, index) => {
      const texts = distinct(side.where.map(printClause));
      return (texts.length > 0 ? texts : [""]).map((text) => `${index + 1}:${text}`);
    }),
  );
  put(
    "label",
    sides.flatMap(({ label }, index) => (label ? [`${index + 1}:${label}`] : [])),
  );
  put("where", distinct(where.map(printClause)));
  if (baseline !== 1) put("baseline", [String(baseline)]);
  if (flagged !== "exclude") put("flagged", [flagged]);
  if (weight !== "machine") put("weight", [weight]);
  if (!crude) put("version", [LIKE]);
  return search;
}

export function printSides(sides: Sides): string {
  return printSearch(sidesSearch(sides));
}

/** A metric's name and its own parameters. */
export function metricParts(text: string): { name: string; fixed: Clause[] } {
  const [name = "", ...fixed] = text.split("@");
  return { name, fixed: fixed.flatMap((clause) => parseClause(clause) ?? []) };
}

export function printMetric(name: string, fixed: Clause[]): string {
  return [name, ...distinct(fixed.map(printClause))].join("@");
}

/** The sides without one of them; the baseline stays the same side if it remains. */
export function withoutSide(asked: Sides, number: number): Sides {
  const sides = asked.sides.filter((_, index) => index !== number - 1);
  const { baseline } = asked;
  return {
    ...asked,
    sides,
    baseline: baseline === number ? 1 : baseline > number ? baseline - 1 : baseline,
  };
}

/** The sides with one of them replaced. */
export function withSide(asked: Sides, number: number, side: Side): Sides {
  return { ...asked, sides: asked.sides.map((old, index) => (index === number - 1 ? side : old)) };
}
