import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";

const ONE_THREAD: Clause = { dimension: "threads", op: "is", value: "1" };
/**
 * One kernel is enough to compare chips: kernels hardly differ in that. Filters and grouping show
 * the others.
 */
const ONE_KERNEL: Clause = { dimension: "kernel", op: "is", value: "fp64" };
/** A VM's cores are its host's, under a less specific name. */
const ON_HOSTS: Clause = { dimension: "virtual", op: "is", value: "false" };
const M1: Clause[] = [
  { dimension: "chip_family", op: "is", value: "M1" },
  { dimension: "core_context", op: "is", value: "Performance/high" },
];
const KERNELS =
  "Seven kernels run entirely inside the core: int64, fp64 and neon in our own assembly, the others through Accelerate. Each shows what one kind of arithmetic costs; none predicts the speed of a program.";
const CONTEXTS =
  "macOS doesn’t pin threads to cores. Performance/high means high quality of service with no more threads than Performance cores; Efficiency/background means low quality of service, which keeps threads on the lowest tier.";

export const CORES: Topic = {
  path: "/cores",
  title: "Cores",
  views: [
    {
      id: "m1",
      title: "Against the M1",
      preset: {
        metrics: ["cores.loop_rate"],
        by: ["chip", "core_context"],
        relativeTo: M1,
      },
      needs: [ONE_KERNEL, ONE_THREAD, ON_HOSTS],
      about: [
        "Loops per second of one thread, as the difference from the M1 family’s Performance cores with the same kernel.",
        KERNELS,
        CONTEXTS,
        "One thread alone looks better than it is: with five, each takes longer. See “Time by threads”.",
      ],
      command: "macmeter cores",
    },
    {
      id: "kernels",
      title: "Chips by kernel",
      preset: {
        metrics: ["cores.loop_rate"],
        by: ["chip", "core_context", "kernel"],
        relativeTo: [],
      },
      needs: [ONE_THREAD, ON_HOSTS],
      about: [
        "Loops per second of one thread. Each kernel has a scale of its own, because their loops do different amounts of work: compare down a column, not across.",
        KERNELS,
        CONTEXTS,
      ],
      command: "macmeter cores",
    },
    {
      id: "ranking",
      title: "Ranking",
      preset: { metrics: ["cores.loop_rate"], by: ["chip"], relativeTo: [] },
      needs: [
        ONE_KERNEL,
        ONE_THREAD,
        { dimension: "core_context", op: "is", value: "Performance/high" },
      ],
      sort: "-value",
      about: [
        "Loops per second of one thread on a Performance core, the fastest chip first.",
        KERNELS,
        CONTEXTS,
      ],
      command: "macmeter cores",
    },
    {
      id: "added",
      title: "Throughput per extra thread",
      preset: {
        metrics: ["cores.added_loop_rate"],
        by: ["chip", "core_context", "kernel"],
        relativeTo: [],
      },
      about: [
        "The slope of the total rate once threads outnumber the fastest tier’s cores: what a lower tier adds at high quality of service. It is derived, because macOS can’t be made to run a thread there.",
        KERNELS,
      ],
      command: "macmeter cores",
    },
    {
      id: "added-time",
      title: "Extra time per added thread",
      preset: {
        metrics: ["cores.added_thread_time"],
        by: ["core_context", "kernel", "loops"],
        relativeTo: [],
      },
      about: [
        "The slope of the summed thread times over the number of threads: how long the work of one more thread takes where it lands. Articles print these slopes; they are derived and not measured.",
        "Efficiency/high is for threads that spill over when the Performance cores are full.",
        KERNELS,
        "Different numbers of loops are separate cases.",
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
      },
      fit: "linear",
      about: [
        "Every thread does the same work, so on separate cores all would finish together. The total time and that of the slowest thread diverge where cores are shared.",
        "Each core context has a line of its own: one line across two tiers would describe neither.",
        "Times for different numbers of loops are never joined in one series.",
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
        "The time one thread takes for a stated number of loops, as articles print it. Different numbers of loops are separate cases.",
        "Efficiency/high is derived: a thread at high quality of service runs on an Efficiency core only when the Performance cores are full.",
      ],
      command: "macmeter cores",
    },
  ],
};
