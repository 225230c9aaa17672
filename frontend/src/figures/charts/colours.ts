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

/** Dashes tell series of one colour apart; the first is a full line. */
export const DASHES = ["", "6 3", "2 2.5", "9 3 2 3"] as const;

/** The colour that a figure names: "storage-usb4", "tier-super", "ink-2". */
export const colourOf = ({ colour = "ink-2" }: { colour?: string }): string => `var(--${colour})`;
