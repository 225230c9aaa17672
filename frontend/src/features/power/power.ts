import type { Topic } from "../views/view";

export const POWER: Topic = {
  path: "/power",
  title: "Power",
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
    },
    {
      id: "added",
      title: "Each added thread",
      preset: {
        metrics: ["power.per_added_thread"],
        by: ["core_context", "kernel"],
        relativeTo: [],
      },
      about: [
        "The slope of CPU power over the number of threads: what one more thread draws, without what the chip draws anyway.",
        "Threads of different tiers are different cases: a slope across their boundary would be that of neither.",
        "Power is estimated by the system from its counters and is not measured at the plug.",
      ],
    },
  ],
};
