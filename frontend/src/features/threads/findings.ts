import type { Finding } from "../../questions/finding";
import { wholePercent } from "../../ui/format";

export const FINDINGS: readonly Finding[] = [
  {
    title: "How well do threads scale?",
    view: "time",
    where: [{ dimension: "virtual", op: "is", value: "false" }],
    metric: "compression.duration",
    of: ["threads"],
    bars: 6,
    say: (bars) => {
      const one = bars.find(({ key }) => key.threads === 1);
      const many = bars.at(-1);
      const threads = Number(many?.key.threads);
      if (!one || !many || threads < 2) return "";
      return `${threads} threads finish in ${wholePercent(many.value / one.value)} of the single-thread time (ideal: ${wholePercent(1 / threads)}).`;
    },
  },
];
