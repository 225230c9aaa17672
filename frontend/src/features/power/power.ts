import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";
import { FINDINGS } from "./findings";

const AUTOMATIC: Clause[] = [{ dimension: "power_mode", op: "is", value: "automatic" }];
const ESTIMATED =
  "Power is estimated by the system from its counters and is not measured at the plug. Sampling it disturbs what it measures, so that these runs are never timed ones.";
const SAMPLED = "sudo macmeter power";
const MODES =
  "Each figure is that of another power mode divided by that of the automatic one, on the same machine with the same number of threads or cores; 100 % means no difference.";

export const POWER: Topic = {
  path: "/power",
  title: "Power",
  findings: FINDINGS,
  pages: [{ path: "/power/residency", title: "Frequency by residency" }],
  open: ["tier", "active_cores", "core_context", "kernel", "chip", "power_mode", "source"],
  views: [
    {
      id: "frequency",
      title: "Frequency",
      preset: { metrics: ["cores.frequency"], by: ["active_cores", "tier"], relativeTo: [] },
      about: [
        "Cores of a cluster share one frequency. The more of them are active, the lower macOS sets it.",
        "A frequency is what active cores run at; idle ones do not lower it. Multiplied by residency it tells how much work a core could do, which % CPU alone does not.",
        "Figures that do not state how many cores were active are in the table and not in the chart.",
      ],
      command: SAMPLED,
    },
    {
      id: "frequency-threads",
      title: "Frequency by threads",
      preset: {
        metrics: ["cores.frequency"],
        by: ["active_cores", "threads", "tier"],
        relativeTo: [],
      },
      about: [
        "The same frequencies along the number of threads that ran, with the number of cores that were active told apart: threads need not be cores.",
      ],
      command: SAMPLED,
    },
    {
      id: "total",
      title: "Power by threads",
      preset: {
        metrics: ["power.cpu_total"],
        by: ["core_context", "kernel", "threads"],
        relativeTo: [],
        fit: "linear",
      },
      about: [
        "Mean power of all CPU cores while the threads ran. The line is fitted for each core context apart; its slope is what one more thread draws.",
        "An article’s slope of each added thread, the highest power of one core and the total with one thread are three definitions with three values for the same code: each has its own metric here.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "energy",
      title: "Energy by threads",
      preset: {
        metrics: ["energy.per_thread"],
        by: ["core_context", "kernel", "threads"],
        relativeTo: [],
        fit: "linear",
      },
      about: [
        "Power times the time that the work took, for one thread’s work. A slow core can cost less energy than a fast one for the same work.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "added",
      title: "Power of an added thread",
      preset: {
        metrics: ["power.per_added_thread"],
        by: ["core_context", "kernel"],
        relativeTo: [],
      },
      about: [
        "The slope of CPU power over the number of threads: what one more thread draws, without what the chip draws anyway.",
        "Threads of different tiers are different cases: a slope across their boundary would be that of neither.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "energy-added",
      title: "Energy of an added thread",
      preset: {
        metrics: ["energy.per_added_thread"],
        by: ["core_context", "kernel", "loops"],
        relativeTo: [],
      },
      about: [
        "The slope of the energy over the number of threads: what one more thread’s work costs where it lands. A slow core can cost less for the same work than a fast one.",
        "Different numbers of loops are different work, and different cases.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "core-max",
      title: "Peak power per core",
      preset: { metrics: ["power.core_max"], by: ["core_context", "kernel"], relativeTo: [] },
      about: [
        "The highest power that one core drew, which is neither the slope of each added thread nor the total with one thread: the same code has three values by three definitions.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "modes-power",
      title: "Low Power Mode: power",
      preset: {
        metrics: ["power.cpu_total"],
        by: ["kernel", "power_mode", "threads"],
        relativeTo: AUTOMATIC,
      },
      about: [MODES, ESTIMATED],
      command: SAMPLED,
    },
    {
      id: "modes-frequency",
      title: "Low Power Mode: frequency",
      preset: {
        metrics: ["cores.frequency"],
        by: ["active_cores", "power_mode", "tier"],
        relativeTo: AUTOMATIC,
      },
      about: [
        MODES,
        "A ratio that an article prints stays a ratio: it is shown with its dagger and never turned into a frequency.",
      ],
      command: SAMPLED,
    },
    {
      id: "modes-time",
      title: "Low Power Mode: time",
      preset: {
        metrics: ["cores.thread_time"],
        by: ["kernel", "loops", "power_mode"],
        relativeTo: AUTOMATIC,
      },
      needs: [{ dimension: "core_context", op: "is", value: "Performance/high" }],
      about: [
        MODES,
        "Kernels differ: those that the coprocessors do are slowed more than those of the cores.",
      ],
      command: "macmeter cores",
    },
  ],
};
