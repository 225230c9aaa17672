import type { Clause } from "../../links/clause";
import type { Finding } from "../../questions/finding";

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

export const FINDINGS: readonly Finding[] = [
  {
    title: "How fast do cores run together?",
    view: "frequency",
    where: [is("tier", "Performance"), is("active_cores", "1..12")],
    metric: "cores.frequency",
    of: ["active_cores"],
  },
];
