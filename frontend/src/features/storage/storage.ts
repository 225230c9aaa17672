import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";
import { FileVaultQuestion } from "./FileVaultQuestion";
import { Limits } from "./Limits";
import { FINDINGS } from "./findings";

/** Images change with macOS versions: they have their own view. */
const NO_IMAGE: Clause = { dimension: "storage", op: "not", value: "disk_image" };
/** A guest's disk is compared with its host in its own view. */
const NO_GUEST: Clause = { dimension: "storage", op: "not", value: "virtual_disk" };
/** Drives that share a host are slower than alone: they also have their own view. */
const ALONE: Clause = { dimension: "method", op: "not", value: "simultaneous" };
/** A long write outlasts a drive’s fast cache: its speed is a metric of its own. */
const NOT_SUSTAINED: Clause = { dimension: "method", op: "not", value: "sustained-write" };
const AVERAGES = ["disk.read_average", "disk.write_average"];

const VIEWS: Topic["views"] = [
  {
    id: "cases",
    title: "By case",
    preset: { metrics: AVERAGES, by: ["encryption", "image_format", "storage"], relativeTo: [] },
    needs: [ALONE, NOT_SUSTAINED, NO_IMAGE, NO_GUEST],
    about: [
      "A run writes files of 16 sizes, from 2 MB to 2 GB, in shuffled order, clears the cache, checks that it is empty, and reads the files back. The average is the size of a set divided by the sum of its file times, without the final flush to the device.",
      "Apple silicon always encrypts its internal storage. FileVault off still means hardware encryption.",
      "Each disk image format is listed separately, because macOS writes each in a different way.",
      "A read from the cache can look faster than the connection allows. Such runs are doubted and left out.",
      "Sustained writes, which outlast a drive’s fast cache, have a view of their own.",
    ],
    command: "macmeter disk",
  },
  {
    id: "ranking",
    title: "Ranking",
    preset: { metrics: ["disk.write_average"], by: ["chip"], relativeTo: [] },
    needs: [NOT_SUSTAINED, { dimension: "storage", op: "is", value: "internal" }],
    sort: "-value",
    about: [
      "How fast the internal storage of each chip’s Macs is written to, the fastest first. The interval says how far a rank can be trusted: where two overlap, either may be the faster.",
      "Storage is faster the larger it is. Group by model, or filter by capacity, to compare like with like.",
    ],
    command: "macmeter disk",
  },
  {
    id: "encryption",
    title: "Cost of encryption",
    preset: {
      metrics: AVERAGES,
      by: ["encryption", "image_format", "storage"],
      relativeTo: [{ dimension: "encryption", op: "is", value: "none" }],
    },
    // Without a known encryption its cost is unknown.
    needs: [
      { dimension: "encryption", op: "not", value: "" },
      { dimension: "encryption", op: "not", value: "unknown" },
      NOT_SUSTAINED,
      NO_IMAGE,
    ],
    about: [
      "Each figure is the difference between the speed of an encrypted volume or image and that of the same kind without encryption. 0 % means that encryption costs nothing.",
      "Paired ratios compare the same Mac and drive with and without encryption; the figure is the median over pairs. Unpaired ratios compare different Macs or drives, and are marked.",
      "A ratio printed in an article stays a ratio, marked with a dagger. It is never converted to a speed.",
    ],
    command: "macmeter disk PATH",
    beside: FileVaultQuestion,
  },
  {
    id: "sizes",
    title: "By file size",
    preset: {
      metrics: ["disk.read_speed", "disk.write_speed"],
      by: ["encryption", "file_size", "storage"],
      relativeTo: [],
    },
    needs: [NO_IMAGE, NO_GUEST],
    about: [
      "Small files take longer per byte, because each has to be opened and closed. The line is the median; the band covers the middle 80 % of the samples.",
      "A line breaks where a size was not measured. Published figures for single sizes are points and are not joined.",
    ],
    command: "macmeter disk",
  },
  {
    id: "sustained",
    title: "Sustained writes",
    preset: { metrics: ["disk.sustained_write_speed"], by: ["elapsed", "storage"], relativeTo: [] },
    needs: [NO_IMAGE, NO_GUEST],
    about: [
      "The speed in each second of one long write. Many drives write their first gigabytes to a fast part of their flash, and slow down when that is full.",
      "How soon depends on the size and the free space of a drive: lines over several drives show where most of them slow down.",
    ],
    command: "macmeter disk --method sustained-write",
  },
  {
    id: "images",
    title: "Images by macOS",
    preset: {
      metrics: AVERAGES,
      by: ["image_format", "os_version"],
      relativeTo: [],
    },
    needs: [
      NOT_SUSTAINED,
      { dimension: "storage", op: "is", value: "disk_image" },
      { dimension: "encryption", op: "is", value: "none" },
    ],
    about: [
      "macOS has changed how it writes images more than once, so a format can behave differently in the next version. Each line follows one format; split by encryption to see what that costs.",
      "A sparse bundle writes nearly as fast as the disk under it, yet compresses files at little more than half that speed: write speed alone doesn’t predict other work.",
      "Figures that don’t state a macOS version are in the table but not in the chart.",
    ],
    command: "macmeter disk --image asif --image sparsebundle --image raw",
  },
  {
    id: "docks",
    title: "Docks and multiple drives",
    preset: { metrics: AVERAGES, by: ["simultaneous", "storage", "via"], relativeTo: [] },
    // Internal storage has no connection.
    needs: [
      NOT_SUSTAINED,
      ...["internal", "disk_image", "virtual_disk"].map(
        (value): Clause => ({ dimension: "storage", op: "not", value }),
      ),
    ],
    about: [
      "Each kind of storage connected directly, through a dock or hub, and with several drives at once. A dock can cut the write speed of a Thunderbolt 3 drive to a fifth.",
      "Runs through a dock or with several drives at once are never pooled with other runs.",
    ],
    command: "macmeter disk PATH PATH",
  },
  {
    id: "hash",
    title: "Hashing",
    preset: {
      metrics: ["disk.stream_read_speed", "hash.sha256_memory_speed", "hash.sha256_speed"],
      by: ["encryption", "storage"],
      relativeTo: [],
    },
    about: [
      "Three speeds, each with one thread and one large file: reading it, hashing it (SHA-256) while reading, and hashing data that is already in memory.",
      "Hashing while reading can’t be faster than the slower of the other two: the one it comes close to is the limit. If it stays well below both, reading and hashing wait for each other.",
    ],
    command: "macmeter hash",
    beside: Limits,
  },
  {
    id: "virtual",
    title: "VM vs. host",
    preset: {
      metrics: AVERAGES,
      by: ["chip", "virtual"],
      relativeTo: [{ dimension: "virtual", op: "is", value: "false" }],
    },
    needs: [NOT_SUSTAINED, { dimension: "storage", op: "is", value: "virtual_disk" }],
    about: [
      "A VM’s speed divided by the speed of the storage that holds its disk, measured by its own host. If that storage is unknown, the host’s internal SSD is used. Unpaired ratios compare different Macs, and are marked.",
      "Reads from a virtual disk may come from the host’s cache, which the guest can neither clear nor see. Runs in a VM carry that caution.",
    ],
    command: "macmeter disk",
  },
];

export const STORAGE: Topic = {
  path: "/storage",
  title: "Storage",
  findings: FINDINGS,
  views: VIEWS,
};
