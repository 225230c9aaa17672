const TIERS = new Set(["Super", "Performance", "Efficiency"]);

/** The palette's name for a core tier that a page reads in a trace: figures bring theirs. */
export const tierColour = (tier: string) =>
  `tier-${TIERS.has(tier) ? tier.toLowerCase() : "other"}`;

/** Dashes tell series of one colour apart; the first is a full line. */
export const DASHES = ["", "6 3", "2 2.5", "9 3 2 3"] as const;

/** The colour that a figure names: "storage-usb4", "tier-super", "ink-2". */
export const colourOf = ({ colour = "ink-2" }: { colour?: string }): string => `var(--${colour})`;
