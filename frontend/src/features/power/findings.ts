import type { Clause } from "../../links/clause";
import type { Finding } from "../../questions/finding";
import { wholePercent } from "../../ui/format";

const is = (dimension: string, value: string): Clause => ({ dimension, op: "is", value });

export const FINDINGS: readonly Finding[] = [
  {
    title: "How fast do cores run together?",
    view: "frequency",
    where: [is("tier", "Performance"), is("active_cores", "1..12")],
    metric: "cores.frequency",
    of: ["active_cores"],
    bars: 3,
    say: (bars) => {
      const one = bars.find(({ key }) => key.active_cores === 1);
      const many = bars.at(-1);
      if (!one || !many || one === many) return "";
      return `With ${String(many.key.active_cores)} Performance cores active, each runs at ${wholePercent(many.value / one.value)} of the frequency of one alone.`;
    },
  },
];
