const TIERS = new Set(["Super", "Performance", "Efficiency"]);

/** The palette's name for a core tier read from a trace: figures include their own. */
export const tierColour = (tier: string) =>
  `tier-${TIERS.has(tier) ? tier.toLowerCase() : "other"}`;

/** Dashes distinguish series of one colour; the first is solid. */
export const DASHES = ["", "6 3", "2 2.5", "9 3 2 3"] as const;

/** The CSS colour for a figure's colour name: "storage-usb4", "tier-super", "ink-2". */
export const colourOf = ({ colour = "ink-2" }: { colour?: string }): string => `var(--${colour})`;
