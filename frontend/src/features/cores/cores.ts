import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";

const ONE_THREAD: Clause = { dimension: "threads", op: "is", value: "1" };
const M1: Clause[] = [
  { dimension: "chip_family", op: "is", value: "M1" },
  { dimension: "core_context", op: "is", value: "Performance/high" },
];
const KERNELS =
  "Seven kernels stay inside the core: int64, fp64 and neon in assembly of our own, the others through Accelerate. None of them says how fast a program is, each says what one kind of arithmetic costs.";
const CONTEXTS =
  "macOS pins no thread to a core. Performance/high means threads at high quality of service, no more than there are Performance cores; Efficiency/background means low quality of service, which keeps them on the lowest tier.";

export const CORES: Topic = {
  path: "/cores",
  title: "Cores",
  open: ["kernel", "core_context", "chip", "threads", "source"],
  views: [
    {
      id: "m1",
      title: "Against the M1",
      preset: {
        metrics: ["cores.loop_rate"],
        by: ["chip", "core_context", "kernel"],
        relativeTo: M1,
      },
      needs: [ONE_THREAD],
      about: [
        "Loops a second of one thread, as a percentage of what the M1 family’s Performance cores do with the same kernel: those are 100 %.",
        KERNELS,
        CONTEXTS,
        "A single thread flatters: with five, each takes longer. The view by threads shows it.",
      ],
      command: "macmeter cores",
    },
    {
      id: "rate",
      title: "Loops a second",
      preset: {
        metrics: ["cores.loop_rate"],
        by: ["chip", "core_context", "kernel"],
        relativeTo: [],
      },
      needs: [ONE_THREAD],
      about: [KERNELS, CONTEXTS],
      command: "macmeter cores",
    },
    {
      id: "added",
      title: "Rate of an added thread",
      preset: {
        metrics: ["cores.added_loop_rate"],
        by: ["chip", "core_context", "kernel"],
        relativeTo: [],
      },
      about: [
        "The slope of the total rate over threads beyond the fastest tier’s cores: what a lower tier adds at high quality of service. It is derived, since no thread can be put there.",
        KERNELS,
      ],
      command: "macmeter cores",
    },
    {
      id: "added-time",
      title: "Time of an added thread",
      preset: {
        metrics: ["cores.added_thread_time"],
        by: ["core_context", "kernel", "loops"],
        relativeTo: [],
      },
      about: [
        "The slope of the summed thread times over the number of threads: what one more thread’s work takes where it lands. Articles print these slopes; they are derived and no measured time.",
        "Efficiency/high is what a thread gets that spills over when the Performance cores are full.",
        KERNELS,
        "Different numbers of loops are different cases.",
      ],
      command: "macmeter cores",
    },
    {
      id: "times",
      title: "Time by threads",
      preset: {
        metrics: ["cores.slowest_thread", "cores.total_time"],
        by: ["core_context", "kernel", "threads"],
        relativeTo: [],
        fit: "linear",
      },
      about: [
        "Every thread does the same work, so on cores of their own all would end together. The time until all have ended and that of the slowest thread part where cores are shared.",
        "Lines are fitted for each core context apart: across the boundary of a tier a line would be that of neither.",
        "Times for different numbers of loops are never one series.",
        CONTEXTS,
      ],
      command: "macmeter cores",
    },
    {
      id: "thread",
      title: "One thread",
      preset: {
        metrics: ["cores.thread_time"],
        by: ["core_context", "kernel", "loops"],
        relativeTo: [],
      },
      about: [
        "The time that one thread takes for a stated number of loops: articles print these. Different numbers of loops are different cases.",
        "Efficiency/high is derived: a thread at high quality of service lands on Efficiency cores only when the Performance cores are full.",
      ],
      command: "macmeter cores",
    },
  ],
};
