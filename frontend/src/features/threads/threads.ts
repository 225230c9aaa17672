import type { Clause } from "../../links/clause";
import type { Topic } from "../views/view";

export const THREADS: Topic = {
  path: "/threads",
  title: "Threads",
  open: ["threads", "virtual", "article", "chip", "qos", "source"],
  views: [
    {
      id: "time",
      title: "Time",
      preset: {
        metrics: ["compression.duration"],
        by: ["threads", "virtual"],
        relativeTo: [],
        fit: "power",
      },
      about: [
        "The time that a file takes to be compressed by a given number of threads. Were each further thread worth as much as the first, the exponent of the fitted power would be −1; what is missing from it is the price of sharing.",
        "The curve is fitted by least squares to the logarithms of the medians, one point each, and drawn over the range of its points only.",
        "Times of files of different sizes, or by different methods, are different series and never fitted together.",
        "Threads are not cores: macOS moves them, and a thread at low quality of service stays on the Efficiency cores. Inside a virtual machine threads run on virtual CPUs.",
      ],
    },
    {
      id: "rate",
      title: "Rate",
      preset: {
        metrics: ["compression.speed"],
        by: ["threads", "virtual"],
        relativeTo: [],
        fit: "linear",
      },
      about: [
        "Bytes read for each second of compression. A straight line means that every further thread adds the same; its slope is what one thread adds.",
        "A line through few points bends at the boundary of a core tier without showing it: threads on Efficiency cores add less than those before them.",
        "A ratio that an article prints stays a ratio: it is shown with its dagger and never turned into a speed.",
      ],
    },
  ],
};

/** The figures through which one article draws its own curves, for whoever wants to check them. */
export const ARTICLE: Clause[] = [
  { dimension: "article", op: "is", value: "a004-more-threads" },
  { dimension: "threads", op: "is", value: "1..5" },
];
