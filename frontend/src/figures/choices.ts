import type { MachineDetail, RunDetail } from "../api/types";
import { type Clause, printClause } from "../links/clause";

/** A metric with its parameters, as one option of a list. */
export interface Choice {
  id: string;
  metric: string;
  where: Clause[];
  name: string;
}

type Parameters = Record<string, string | number | boolean | null>;

function choiceOf(metric: string, parameters: Parameters, name: string): Choice {
  const where = Object.entries(parameters).map(
    ([dimension, value]): Clause => ({
      dimension,
      op: "is",
      value: value === null ? "" : String(value),
    }),
  );
  return { id: [metric, ...where.map(printClause)].join("@"), metric, where, name };
}

/** Put figures of whole runs first. */
const wholeFirst = (choices: Choice[]) =>
  choices.toSorted((a, b) => Math.sign(a.where.length) - Math.sign(b.where.length));

/**
 * The one to begin with: of a whole run. Averages of quick runs have few peers, so instead of these
 * it is the largest file, which full runs have too.
 */
export const firstOf = (choices: readonly Choice[]): Choice | undefined =>
  (choices[0]?.metric.startsWith("disk.quick_")
    ? choices.findLast(({ metric }) => metric === "disk.write_speed")
    : undefined) ?? choices[0];

/** Everything the machine has measured. */
export function choicesOf({ measured, words }: Pick<MachineDetail, "measured" | "words">) {
  return wholeFirst(
    measured.flatMap(({ metric, parameters }, index) =>
      parameters.map((values, i) => choiceOf(metric, values, words.measured[index]?.[i] ?? metric)),
    ),
  );
}

/** Every result of a run. */
export function choicesOfRun({ results, words }: Pick<RunDetail, "results" | "words">) {
  return wholeFirst(
    results.map(({ metric, parameters }, index) =>
      choiceOf(metric, parameters, words.results[index]?.name ?? metric),
    ),
  );
}
