import { lazy } from "react";
import type { Topic } from "../../questions/view";
import { LabelChoice } from "./LabelChoice";

export const WORKLOADS: Topic = {
  path: "/workloads",
  title: "Workloads",
  beside: LabelChoice,
  after: lazy(() => import("./RunByRun")),
  open: ["test", "chip", "os_version", "power_mode", "virtual", "source"],
  views: [
    {
      id: "names",
      title: "By name",
      preset: { metrics: ["workload.duration"], by: ["test"], relativeTo: [] },
      about: [
        "The wall time of a command that somebody cares about, repeated. Only its given name is known here: the command line never leaves the Mac.",
        "Labels that were given with a run tell configurations apart: choose one under the chart to see durations by its values. Run by run they stand further down, with the p50 and p90 of each configuration.",
        "A figure is the median of machines’ medians; p10 and p90 are of all repetitions together.",
      ],
      command: "macmeter workload --name NAME --repeat 10 --label KEY=VALUE -- COMMAND",
    },
  ],
};
