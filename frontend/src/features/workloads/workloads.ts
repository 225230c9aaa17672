import { lazy } from "react";
import type { Topic } from "../../questions/view";
import { LabelChoice } from "./LabelChoice";

export const WORKLOADS: Topic = {
  path: "/workloads",
  title: "Workloads",
  beside: LabelChoice,
  after: lazy(() => import("./RunByRun")),
  views: [
    {
      id: "names",
      title: "By name",
      preset: { metrics: ["workload.duration"], by: ["test"], relativeTo: [] },
      about: [
        "The wall time of a command, repeated. Only the name it was given is known here; the command line never leaves the Mac.",
        "Labels given with a run distinguish configurations: choose one under the chart to group durations by it. Single runs are further down, with the p50 and p90 of each configuration.",
        "A figure is the median of the Macs’ medians; p10 and p90 cover all repetitions.",
      ],
      command: "macmeter workload --name NAME --repeat 10 --label KEY=VALUE -- COMMAND",
    },
  ],
};
