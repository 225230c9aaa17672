import type { Topic } from "../../questions/view";
import { ArticleQuestion } from "./ArticleQuestion";
import { FINDINGS } from "./findings";

export const THREADS: Topic = {
  path: "/threads",
  title: "Threads",
  findings: FINDINGS,
  views: [
    {
      id: "time",
      title: "Time",
      preset: {
        metrics: ["compression.duration"],
        by: ["core_context", "threads", "virtual"],
        relativeTo: [],
      },
      fit: "power",
      about: [
        "The time it takes to compress a file with a given number of threads. With perfect scaling, the exponent of the fitted power would be −1; the difference is the cost of sharing.",
        "A fitted curve is a least-squares fit to the logarithms of the medians, drawn only over the range of its points.",
        "Times for files of different sizes, or by different methods, are separate series and never fitted together.",
        "Threads are not cores: macOS moves threads between cores, and threads at low quality of service stay on the Efficiency cores. In a virtual machine, threads run on virtual CPUs.",
      ],
      command: "macmeter compress",
      beside: ArticleQuestion,
    },
    {
      id: "rate",
      title: "Rate",
      preset: {
        metrics: ["compression.speed"],
        by: ["core_context", "threads", "virtual"],
        relativeTo: [],
      },
      fit: "linear",
      about: [
        "Bytes of input compressed per second. A straight line means that each extra thread adds the same amount, which is the slope.",
        "A line bends where threads no longer fit on the fastest cores. Each part gets a fit of its own, because threads on Efficiency cores add less.",
        "A ratio printed in an article stays a ratio, marked with a dagger. It is never converted to a speed.",
      ],
      command: "macmeter compress",
    },
    {
      id: "ranking",
      title: "Ranking",
      preset: { metrics: ["compression.speed"], by: ["chip"], relativeTo: [] },
      needs: [
        { dimension: "threads", op: "is", value: "4" },
        { dimension: "virtual", op: "is", value: "false" },
      ],
      sort: "-value",
      about: [
        "How fast each chip compresses with four threads, which all of them have Performance cores for. The fastest is first.",
        "With more threads, chips with more cores lead by more: change the filter to see.",
      ],
      command: "macmeter compress",
    },
    {
      id: "virtual",
      title: "VM vs. host",
      preset: {
        metrics: ["compression.duration"],
        by: ["threads", "virtual"],
        relativeTo: [{ dimension: "virtual", op: "is", value: "false" }],
      },
      about: [
        "The difference between the time in a virtual machine and its host’s time with the same number of threads. Above 0 % is slower.",
        "A VM that names its host is paired with it. Other ratios compare different machines, and are marked as unpaired.",
      ],
      command: "macmeter compress",
    },
    {
      id: "storage",
      title: "Rate and storage",
      preset: {
        metrics: ["compression.speed", "disk.write_average"],
        by: ["encryption", "image_format", "storage"],
        relativeTo: [],
      },
      // Images would need a fixed macOS version, and few of one version have both figures.
      needs: [
        { dimension: "storage", op: "not", value: "disk_image" },
        { dimension: "threads", op: "is", value: "14" },
      ],
      about: [
        "One point per target: how fast files are compressed there, against how fast the target can be written to. Where points leave the diagonal and level off, the limit is the threads and not the storage.",
        "A target needs both figures to be drawn; targets with only one are in the table.",
        "Thread filters apply to the rate only: the speed of a disk has no number of threads.",
      ],
      command: "macmeter compress PATH",
    },
  ],
};
