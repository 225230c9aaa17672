import type { Finding } from "../../questions/finding";

export const FINDINGS: readonly Finding[] = [
  {
    title: "How well do threads scale?",
    view: "time",
    where: [{ dimension: "virtual", op: "is", value: "false" }],
    metric: "compression.duration",
    of: ["threads"],
  },
];
