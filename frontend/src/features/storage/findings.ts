import type { Clause } from "../../links/clause";
import type { Finding } from "../../questions/finding";

const not = (dimension: string, value: string): Clause => ({ dimension, op: "not", value });

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
  },
  {
    title: "What does encryption cost an external drive?",
    view: "encryption",
    where: [{ dimension: "encryption", op: "is", value: "apfs_encrypted" }],
    metric: "disk.write_average",
    of: ["storage"],
    ranked: true,
  },
];
