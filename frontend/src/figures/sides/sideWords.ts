import type { Answer, Figure, Scalar } from "../../api/types";
import { type Clause, printClause } from "../../links/clause";
import type { Question } from "../../links/question";
import { MOST_SIDES, type Side, type Sides } from "../../links/sides";
import { clauseOf } from "../runsLink";

/** The default comparison: the kinds of storage with most figures. */
export const START: Sides = {
  metrics: ["disk.read_average", "disk.write_average"],
  sides: ["internal", "thunderbolt5", "usb4"].map((value) => ({
    where: [{ dimension: "storage", op: "is", value }],
  })),
  where: [],
  baseline: 1,
  weight: "machine",
  flagged: "exclude",
};

/** The question for its starting point, so that each kind of storage has similar machines. */
export const START_QUESTION: Question = {
  metrics: START.metrics,
  by: ["storage"],
  where: START.sides.flatMap(({ where }) => where),
  relativeTo: [],
  weight: START.weight,
  flagged: START.flagged,
};

const P_CORE = "core_context:Performance/high";

/**
 * All metrics at once: one or two for each thing that the agent measures, at settings that all
 * chips have.
 */
export const EVERYTHING: readonly string[] = [
  "compression.speed@threads:1",
  "compression.speed@threads:8",
  "cores.loop_rate@core_context:Efficiency/background@kernel:fp64@threads:1",
  ...["fp64", "int64", "neon"].map(
    (kernel) => `cores.loop_rate@${P_CORE}@kernel:${kernel}@threads:1`,
  ),
  "disk.read_average",
  "disk.stream_read_speed",
  "disk.write_average",
  "hash.sha256_memory_speed",
  "hash.sha256_speed",
  `power.per_added_thread@${P_CORE}@kernel:fp64`,
];

/**
 * These sides compared on everything, in the usual setup: on the internal SSD or without storage.
 */
export function onEverything(sides: Side[], where: Clause[] = []): Sides {
  const usual = Object.entries({ storage: "internal", power_mode: "automatic" }).flatMap(
    ([dimension, value]) => [value, ""].map((one): Clause => ({ dimension, op: "is", value: one })),
  );
  return { ...START, metrics: [...EVERYTHING], sides, where: [...where, ...usual] };
}

/** What the words of these verdicts mean. */
export function wordsUsed(areas: NonNullable<Figure["sides"]>["areas"]): string[] {
  const figures = areas.flatMap(({ rows }) => rows.flatMap((row) => row.figures));
  const isSaid = (start: string) => figures.some(({ verdict }) => verdict?.startsWith(start));
  return [
    figures.some(({ clear, interval }) => clear && interval)
      ? "Faster, slower: the 95\u202f% interval leaves out 0."
      : "",
    isSaid("No difference seen")
      ? "No difference seen: the 95\u202f% interval includes 0; a difference that would have shown is found in about four of five such comparisons."
      : "",
    isSaid("Inconclusive: n") ? "Inconclusive: fewer than 6 Macs on a side." : "",
  ].filter(Boolean);
}

/** A group of an answer: its filters and its name. */
export interface Choice {
  id: string;
  name: string;
  where: Clause[];
}

/** The cases of a figure that can be compared, each once. */
export function choicesOf({ charts }: Figure): Choice[] {
  const choices = new Map<string, Choice>();
  for (const { cases = [] } of charts) {
    let heading = "";
    for (const { key, label, heading: ownHeading } of cases) {
      heading = ownHeading || heading;
      const where = Object.entries(key ?? {}).map(clauseOfKey);
      const id = where.map(printClause).join("&");
      const name = [heading, label].filter(Boolean).join(" · ");
      if (!choices.has(id)) choices.set(id, { id, name, where });
    }
  }
  return [...choices.values()];
}

const clauseOfKey = ([dimension, value]: [string, Scalar]): Clause => ({
  dimension,
  op: "is",
  value: value === null ? "" : String(value),
});

/** The comparison of those rows under the answer's own filters. */
export function sidesOf(answer: Answer, choices: Choice[]): Sides {
  const grouped = new Set(answer.question.by);
  return {
    ...START,
    metrics: answer.question.metrics,
    sides: choices.slice(0, MOST_SIDES).map(({ where, name }) => ({
      where,
      // Not the name of a Mac: a saved comparison has other readers than its fleet.
      ...(where.some(({ dimension }) => dimension === "machine") ? {} : { label: labelOf(name) }),
    })),
    // The rows' own filters replace the answer's filters on their dimensions.
    where: answer.question.where.map(clauseOf).filter(({ dimension }) => !grouped.has(dimension)),
    weight: answer.question.weight,
    flagged: answer.question.flagged,
  };
}

const MOST_LETTERS = 80;

/** A name as a valid label of the API: not empty, not too long, without line breaks. */
function labelOf(name: string): string | undefined {
  return name.replaceAll(/\s+/g, " ").slice(0, MOST_LETTERS).trim() || undefined;
}
