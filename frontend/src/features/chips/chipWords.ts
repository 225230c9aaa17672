import type { Chip, Chips, CitedArticle } from "../../api/types";
import { count } from "../../ui/format";
import { listed, type Words } from "../../figures/words";

export function familiesOf({ chips }: Chips): string[] {
  return [...new Set(chips.map(({ family }) => family))];
}

/** The chips, or facts of chips, of one family; all of them without a family. */
export function ofFamily<T extends { family: string }>(
  items: T[],
  family: string | undefined,
): T[] {
  return family === undefined ? items : items.filter((item) => item.family === family);
}

/** Cited articles, numbered in the order in which the page's tables cite them. */
export function chipSources(chips: Chips, family: string | undefined): CitedArticle[] {
  const facts = ofFamily(chips.facts, family);
  const cited = [
    ...ofFamily(chips.chips, family).flatMap((chip) => chip.sources),
    ...facts.map((fact) => fact.article),
  ];
  const articles = [...new Set(cited)].flatMap(
    (slug) => chips.sources.find((source) => source.article === slug) ?? [],
  );
  return articles.map(({ article, title, text }, index) => ({
    dagger: articles.length > 1 ? `†${index + 1}` : "†",
    article,
    title,
    text,
    rows: facts.filter((fact) => fact.article === article).map(({ row }) => row),
  }));
}

/** "5 + 5"; empty if no source states it. */
export function clustersText(clusters: number[] | null): string {
  return (clusters ?? []).map((cores) => count(cores)).join(" + ");
}

/** Hertz as megahertz with every digit: chips use exact frequencies. */
export function megahertz(frequency: number | null): string {
  return frequency === null ? "" : count(frequency / 1e6);
}

/** "Thunderbolt 3, 4 and 5, USB4". */
export function linksText(chip: Chip, words: Words): string {
  const names = (chip.thunderbolt ?? []).map((link) => words.value("storage", link));
  const prefix = "Thunderbolt ";
  const generations = names.flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );
  const others = names.filter((name) => !name.startsWith(prefix));
  const thunderbolt = generations.length > 0 ? [`${prefix}${listed(generations)}`] : [];
  return [...thunderbolt, ...others].join(", ");
}

const COLUMNS = [
  "chip",
  "binned",
  "tier",
  "cores",
  "clusters",
  "min_frequency_hz",
  "max_frequency_hz",
  "gpu_cores",
  "memory_max_bytes",
  "thunderbolt",
  "sum_of_core_frequencies_hz",
  "sources",
] as const;

/** One line per tier of each chip; a cell is empty if no source states it. */
export function chipsCsv(chips: Chip[]): string {
  const lines = chips.flatMap((chip) =>
    chip.tiers.map((tier) => [
      chip.chip,
      chip.binned,
      tier.name,
      tier.cores,
      clustersText(tier.clusters),
      tier.min_frequency,
      tier.max_frequency,
      chip.gpu_cores,
      chip.memory_max_bytes,
      (chip.thunderbolt ?? []).join(" "),
      chip.cycles,
      chip.sources.join(" "),
    ]),
  );
  return [COLUMNS, ...lines].map((cells) => cells.map((cell) => cell ?? "").join(",")).join("\r\n");
}
