import type { Key } from "../../api/types";

const STORAGE = new Set([
  "internal",
  "thunderbolt5",
  "thunderbolt4",
  "thunderbolt3",
  "usb4",
  "usb3",
  "disk_image",
  "virtual_disk",
  "ebs",
  "network",
  "sd_card",
]);

/** The hue of a storage kind; kinds we do not know share that of `other`. */
export function storageColour(storage: string): string {
  return `var(--storage-${STORAGE.has(storage) ? storage.replaceAll("_", "-") : "other"})`;
}

const TIERS: Record<string, string> = {
  Super: "super",
  Performance: "performance",
  Efficiency: "efficiency",
  "Performance+Efficiency": "performance-efficiency",
};

/** The hue of a core tier, or of a core context by its tier. */
export function tierColour(context: string): string {
  return `var(--tier-${TIERS[context.split("/")[0] ?? ""] ?? "other"})`;
}

/** The hue of a chip's family: of "M4" and of "Apple M4 Pro". */
export function familyColour(chip: string): string {
  const family = /\bM[1-5]\b/.exec(chip)?.[0];
  return family ? `var(--family-${family.toLowerCase()})` : "var(--ink-2)";
}

const COLOURED = ["storage", "core_context", "tier", "chip_family", "chip"];

/** The dimension of a group that its colour follows. */
export function colouredBy(key: Key): string | undefined {
  return COLOURED.find((name) => name in key && (name === "storage" || key[name] !== null));
}

/** The colour of a group: its storage kind's, core tier's or chip family's, whichever is told apart. */
export function groupColour(key: Key): string {
  const name = colouredBy(key);
  const value = name === undefined ? null : key[name];
  if (name === "storage")
    return typeof value === "string" ? storageColour(value) : "var(--storage-other)";
  if (typeof value !== "string") return "var(--ink-2)";
  return name === "core_context" || name === "tier" ? tierColour(value) : familyColour(value);
}

/** Dashes tell series of one colour apart; the first is a full line. */
export const DASHES = ["", "6 3", "2 2.5", "9 3 2 3"] as const;
