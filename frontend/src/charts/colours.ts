import type { Key } from "../api/types";

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

/** The colour of a group: its storage kind's where the question tells kinds apart, else ink. */
export function groupColour(key: Key): string {
  if (!("storage" in key)) return "var(--ink-2)";
  return typeof key.storage === "string" ? storageColour(key.storage) : "var(--storage-other)";
}

/** Dashes tell series of one colour apart; the first is a full line. */
export const DASHES = ["", "6 3", "2 2.5", "9 3 2 3"] as const;
