import { describe, expect, it } from "vitest";
import type { Chip, Chips } from "../../api/types";
import { wordsOf } from "../../figures/words";
import { chipSources, chipsCsv, clustersText, linksText, megahertz } from "./chipWords";

const words = wordsOf({
  metrics: [],
  flags: [],
  open_filters: {},
  most_grouped: 3,
  dimensions: [
    {
      name: "storage",
      title: "Storage",
      inside: "storage",
      words_inside: {},
      plural: "kinds of storage",
      kind: "text",
      of: "run",
      unit: null,
      about: null,
      traits: [],
      absent: null,
      expected_of: [],
      each: null,
      values: { thunderbolt3: "Thunderbolt 3", thunderbolt5: "Thunderbolt 5", usb4: "USB4" },
      words: { thunderbolt3: "Thunderbolt 3", thunderbolt5: "Thunderbolt 5", usb4: "USB4" },
    },
  ],
});

const chip: Chip = {
  chip: "Apple M9",
  family: "M9",
  variant: "base",
  tiers: [
    { name: "Super", cores: 4, clusters: [2, 2], min_frequency: null, max_frequency: 4.5e9 },
    { name: "Efficiency", cores: 2, clusters: null, min_frequency: null, max_frequency: null },
  ],
  cores: 6,
  cycles: null,
  binned: null,
  gpu_cores: null,
  memory_max_bytes: null,
  thunderbolt: ["thunderbolt3", "usb4", "thunderbolt5"],
  note: null,
  sources: ["b", "a"],
};

describe("a chip in words", () => {
  it("leaves out what nobody states", () => {
    expect(clustersText([5, 5])).toBe("5 + 5");
    expect(clustersText(null)).toBe("");
    expect(megahertz(4_512_000_000)).toBe("4,512");
    expect(megahertz(null)).toBe("");
    expect(linksText(chip, words)).toBe("Thunderbolt 3 and 5, USB4");
    expect(linksText({ ...chip, thunderbolt: null }, words)).toBe("");
  });
  it("is a line a tier in the CSV, with empty cells", () => {
    expect(chipsCsv([chip]).split("\r\n").slice(1)).toEqual([
      "Apple M9,,Super,4,2 + 2,,4500000000,,,thunderbolt3 usb4 thunderbolt5,,b a",
      "Apple M9,,Efficiency,2,,,,,,thunderbolt3 usb4 thunderbolt5,,b a",
    ]);
  });
  it("cites in the order in which it is read, its family's articles only", () => {
    const article = (slug: string) => ({
      article: slug,
      title: slug,
      author: "",
      publisher: "",
      published: null,
      text: slug,
    });
    const all: Chips = { chips: [chip], facts: [], sources: ["a", "b", "c"].map(article) };
    expect(chipSources(all, undefined).map(({ article: slug }) => slug)).toEqual(["b", "a"]);
    expect(chipSources(all, "M1")).toEqual([]);
  });
});
