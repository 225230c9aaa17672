import type { Clause } from "../../links/clause";
import type { Bar, Finding } from "../../questions/finding";
import { fixed, twoDigits, wholePercent } from "../../ui/format";

const not = (dimension: string, value: string): Clause => ({ dimension, op: "not", value });

const ends = (bars: Bar[]) => [bars[0], bars.at(-1)] as const;

export const FINDINGS: readonly Finding[] = [
  {
    title: "How fast is each kind of storage?",
    view: "cases",
    where: [
      not("storage", "disk_image"),
      not("storage", "virtual_disk"),
      not("encryption", "apfs_encrypted"),
    ],
    metric: "disk.write_average",
    of: ["storage", "encryption"],
    ranked: true,
    bars: 6,
    say: (bars) => {
      const [fast, slow] = ends(bars);
      if (!fast || !slow || bars.length < 2) return "";
      return `${fast.label} writes ${twoDigits(fast.value / slow.value)} times as fast as ${slow.label}.`;
    },
  },
  {
    title: "What does encryption cost an external drive?",
    view: "encryption",
    where: [{ dimension: "encryption", op: "is", value: "apfs_encrypted" }],
    metric: "disk.write_average",
    of: ["storage"],
    ranked: true,
    bars: 3,
    say: (bars) => {
      const [most, least] = ends(bars);
      if (!most || !least) return "";
      const range =
        bars.length < 2
          ? wholePercent(least.value)
          : `${fixed(least.value * 100, 0)} to ${wholePercent(most.value)}`;
      return `APFS encryption leaves ${range} of the write speed without it.`;
    },
  },
];
