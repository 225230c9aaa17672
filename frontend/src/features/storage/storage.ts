import type { Clause } from "../../links/clause";
import type { Topic } from "../views/view";

const AVERAGES = ["disk.read_average", "disk.write_average"];

const VIEWS: Topic["views"] = [
  {
    id: "cases",
    title: "By case",
    preset: { metrics: AVERAGES, by: ["encryption", "image_format", "storage"], relativeTo: [] },
    about: [
      "A run writes files of 16 sizes from 2 MB to 2 GB in shuffled order, clears the cache and checks that it is clear, then reads them back. Its average is the bytes of a set over the sum of its file times, without the final flush to the device.",
      "Apple silicon always encrypts its internal storage. FileVault off there means hardware encryption, never none.",
      "Disk images of different formats are different cases: they are written in different ways and never make one series.",
      "A read that comes from the cache can look faster than the link it came over. Such runs are doubted and left out.",
    ],
  },
  {
    id: "encryption",
    title: "Cost of encryption",
    preset: {
      metrics: AVERAGES,
      by: ["encryption", "image_format", "storage"],
      relativeTo: [{ dimension: "encryption", op: "is", value: "none" }],
    },
    about: [
      "Each figure is the speed of an encrypted volume or image divided by that of the same kind without encryption; 100 % means no cost.",
      "Paired ratios compare the same machine and device encrypted and not, and are the median over such pairs. Unpaired ones compare different machines or devices, and say so.",
      "A ratio that an article prints stays a ratio: it is shown with its dagger and never turned into a speed.",
    ],
  },
  {
    id: "sizes",
    title: "By file size",
    preset: {
      metrics: ["disk.read_speed", "disk.write_speed"],
      by: ["file_size", "image_format", "storage"],
      relativeTo: [],
    },
    about: [
      "Small files cost more for each byte: opening and closing them takes its time. The line is the median, the band holds the middle 80 % of the samples.",
      "A line breaks where a size was not measured. Published figures for single sizes are points and never joined.",
    ],
  },
];

/** A dock halves what a drive can do: to begin with, drives are compared without one. */
const DIRECT: Clause = { dimension: "via", op: "is", value: "" };

export const STORAGE: Topic = {
  path: "/storage",
  title: "Storage",
  views: VIEWS,
  open: ["storage", "encryption", "image_format", "chip_family", "virtual", "source"],
  where: [DIRECT],
};
