import type { MachineDetail } from "../api/types";
import { type Clause, printClause } from "../links/clause";
import { caseValue, type Words } from "./words";

/** A metric and its parameters, as one choice of a list. */
export interface Choice {
  id: string;
  metric: string;
  where: Clause[];
  name: string;
}

interface Measured {
  metric: string;
  title: string;
  parameters: Record<string, string | number | boolean | null>;
}

export function choiceOf({ metric, title, parameters }: Measured, words: Words): Choice {
  const where = Object.entries(parameters).map(
    ([dimension, value]): Clause => ({
      dimension,
      op: "is",
      value: value === null ? "" : String(value),
    }),
  );
  const named = Object.entries(parameters).map(([name, value]) => caseValue(words, name, value));
  return {
    id: [metric, ...where.map(printClause)].join("@"),
    metric,
    where,
    name: [title, ...named].join(", "),
  };
}

/** Everything that the machine has measured; whole runs' figures come first. */
export function choicesOf(measured: MachineDetail["measured"], words: Words): Choice[] {
  const all = measured.flatMap(({ metric, title, parameters }) =>
    parameters.map((one) => choiceOf({ metric, title, parameters: one }, words)),
  );
  return all.toSorted((a, b) => Math.sign(a.where.length) - Math.sign(b.where.length));
}
