import type { Topic } from "../../questions/view";
import { ArticleQuestion } from "./ArticleQuestion";
import { FINDINGS } from "./findings";

export const THREADS: Topic = {
  path: "/threads",
  title: "Threads",
  findings: FINDINGS,
  open: ["threads", "virtual", "article", "chip", "qos", "source"],
  views: [
    {
      id: "time",
      title: "Time",
      preset: {
        metrics: ["compression.duration"],
        by: ["core_context", "threads", "virtual"],
        relativeTo: [],
        fit: "power",
      },
      about: [
        "The time that a file takes to be compressed by a given number of threads. Were each further thread worth as much as the first, the exponent of the fitted power would be −1; what is missing from it is the price of sharing.",
        "The curve is fitted by least squares to the logarithms of the medians, one point each, and drawn over the range of its points only.",
        "Times of files of different sizes, or by different methods, are different series and never fitted together.",
        "Threads are not cores: macOS moves them, and a thread at low quality of service stays on the Efficiency cores. Inside a virtual machine threads run on virtual CPUs.",
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
        fit: "linear",
      },
      about: [
        "Bytes read for each second of compression. A straight line means that every further thread adds the same; its slope is what one thread adds.",
        "Lines part where threads go beyond the fastest cores: each part has a fit of its own, as threads on Efficiency cores add less than those before them.",
        "A ratio that an article prints stays a ratio: it is shown with its dagger and never turned into a speed.",
      ],
      command: "macmeter compress",
    },
    {
      id: "virtual",
      title: "VM against host",
      preset: {
        metrics: ["compression.duration"],
        by: ["threads", "virtual"],
        relativeTo: [{ dimension: "virtual", op: "is", value: "false" }],
      },
      about: [
        "The time in a virtual machine divided by its host’s with the same number of threads: more than 100 % is slower.",
        "Where a guest names the Mac it runs on, they are a pair; other machines are compared unpaired, and it says so.",
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
      // Images would need a version of macOS to be fixed, under which few have both figures.
      needs: [
        { dimension: "storage", op: "not", value: "disk_image" },
        { dimension: "threads", op: "is", value: "14" },
      ],
      about: [
        "One point a target: how fast files are compressed there with a number of threads, against how fast the target is written to. Where points leave the diagonal and stay level, the threads are the limit and no longer the storage.",
        "A target needs both figures to have a point; those with one of them are in the table alone.",
        "Filters by threads speak of the rate only: the speed of a disk has no number of threads.",
      ],
      command: "macmeter compress PATH",
    },
  ],
};
