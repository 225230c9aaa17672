import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";
import { FINDINGS } from "./findings";

const AUTOMATIC: Clause[] = [{ dimension: "power_mode", op: "is", value: "automatic" }];
const ESTIMATED =
  "macOS estimates power from counters; it is not measured at the plug. Sampling adds overhead, so these runs aren’t used for timing.";
const SAMPLED = "sudo macmeter power";
const MODES =
  "Each figure is the difference between one power mode and the automatic mode, on the same Mac with the same number of threads or cores.";

export const POWER: Topic = {
  path: "/power",
  title: "Power",
  findings: FINDINGS,
  pages: [{ path: "/power/residency", title: "Frequency by residency" }],
  views: [
    {
      id: "frequency",
      title: "Scaling: frequency by cores",
      preset: { metrics: ["cores.frequency"], by: ["active_cores", "tier"], relativeTo: [] },
      about: [
        "Cores in a cluster share one frequency. The more of them are active, the lower macOS sets it.",
        "This is the frequency of active cores; idle cores don’t lower it. Multiplied by residency it shows how much work a core could do, which % CPU alone does not.",
        "Figures that don’t state how many cores were active are in the table but not in the chart.",
      ],
      command: SAMPLED,
    },
    {
      id: "frequency-threads",
      title: "Scaling: frequency by threads",
      preset: {
        metrics: ["cores.frequency"],
        by: ["active_cores", "threads", "tier"],
        relativeTo: [],
      },
      // Samples without a number of threads have no position on this axis.
      needs: [{ dimension: "threads", op: "not", value: "" }],
      about: [
        "The same frequencies by number of threads, separated by the number of active cores: the two need not match.",
      ],
      command: SAMPLED,
    },
    {
      id: "total",
      title: "Scaling: power by threads",
      preset: {
        metrics: ["power.cpu_total"],
        by: ["core_context", "kernel", "threads"],
        relativeTo: [],
      },
      fit: "linear",
      about: [
        "Mean power of all CPU cores while the threads ran. Each core context has a line of its own; its slope is what one more thread draws.",
        "Power per added thread, the peak power of one core and the total power with one thread are three definitions with three values for the same code. Each is a metric of its own here.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "energy",
      title: "Scaling: energy by threads",
      preset: {
        metrics: ["energy.per_thread"],
        by: ["core_context", "kernel", "threads"],
        relativeTo: [],
      },
      fit: "linear",
      about: [
        "Power multiplied by time, for the work of one thread. A slow core can use less energy than a fast one for the same work.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "added",
      title: "Scaling: power of P and E cores",
      preset: {
        metrics: ["power.per_added_thread"],
        by: ["core_context", "kernel"],
        relativeTo: [],
      },
      about: [
        "The slope of CPU power over the number of threads: what one more thread draws, without what the chip draws anyway.",
        "Threads on different tiers are separate cases: one slope across two tiers would describe neither.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "energy-added",
      title: "Scaling: energy of P and E cores",
      preset: {
        metrics: ["energy.per_added_thread"],
        by: ["core_context", "kernel", "loops"],
        relativeTo: [],
      },
      about: [
        "The slope of the energy over the number of threads: what the work of one more thread costs where it lands. A slow core can use less for the same work than a fast one.",
        "Different numbers of loops are different work and separate cases.",
        ESTIMATED,
      ],
      command: SAMPLED,
    },
    {
      id: "core-max",
      title: "Scaling: peak power per core",
      preset: { metrics: ["power.core_max"], by: ["core_context", "kernel"], relativeTo: [] },
      about: [
        "The highest power that one core drew. It is neither the power per added thread nor the total with one thread: three definitions, three values for the same code.",
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
        "A ratio printed in an article stays a ratio, marked with a dagger. It is never converted to a frequency.",
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
        "Kernels differ: those that run on the coprocessors slow down more than those on the cores.",
      ],
      command: "macmeter cores",
    },
  ],
};
