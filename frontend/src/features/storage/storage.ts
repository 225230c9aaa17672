import type { Clause } from "../../links/clause";
import type { Topic } from "../../questions/view";
import { FileVaultQuestion } from "./FileVaultQuestion";
import { Limits } from "./Limits";
import { FINDINGS } from "./findings";

/** Images change with the version of macOS: they have a view of their own. */
const NO_IMAGE: Clause = { dimension: "storage", op: "not", value: "disk_image" };
const AVERAGES = ["disk.read_average", "disk.write_average"];

const VIEWS: Topic["views"] = [
  {
    id: "cases",
    title: "By case",
    preset: { metrics: AVERAGES, by: ["encryption", "image_format", "storage"], relativeTo: [] },
    needs: [NO_IMAGE],
    about: [
      "A run writes files of 16 sizes from 2 MB to 2 GB in shuffled order, clears the cache and checks that it is clear, then reads them back. Its average is the bytes of a set over the sum of its file times, without the final flush to the device.",
      "Apple silicon always encrypts its internal storage. FileVault off there means hardware encryption, never none.",
      "Disk images of different formats are different cases: they are written in different ways and never make one series.",
      "A read that comes from the cache can look faster than the link it came over. Such runs are doubted and left out.",
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
    // Where nobody says whether it was encrypted, there is no cost of encryption to be told.
    needs: [
      { dimension: "encryption", op: "not", value: "" },
      { dimension: "encryption", op: "not", value: "unknown" },
      NO_IMAGE,
    ],
    about: [
      "Each figure is the speed of an encrypted volume or image divided by that of the same kind without encryption; 100 % means no cost.",
      "Paired ratios compare the same machine and device encrypted and not, and are the median over such pairs. Unpaired ones compare different machines or devices, and say so.",
      "A ratio that an article prints stays a ratio: it is shown with its dagger and never turned into a speed.",
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
    needs: [NO_IMAGE, { dimension: "storage", op: "not", value: "virtual_disk" }],
    about: [
      "Small files cost more for each byte: opening and closing them takes its time. The line is the median, the band holds the middle 80 % of the samples.",
      "A line breaks where a size was not measured. Published figures for single sizes are points and never joined.",
    ],
    command: "macmeter disk",
  },
  {
    id: "images",
    title: "Images by macOS",
    preset: {
      metrics: AVERAGES,
      by: ["encryption", "image_format", "os_version"],
      relativeTo: [],
    },
    needs: [{ dimension: "storage", op: "is", value: "disk_image" }],
    about: [
      "macOS has changed how images are written more than once: the same format is another one in the next version. A line joins versions of one format with one encryption, never two formats.",
      "A sparse bundle writes nearly as fast as the disk below it and still compresses at little more than half of that speed: a speed of writing is not the speed of work.",
      "Figures whose macOS is not stated are in the table and not in the chart.",
    ],
    command: "macmeter disk --image asif --image sparsebundle --image raw",
  },
  {
    id: "docks",
    title: "Docks, several drives",
    preset: { metrics: AVERAGES, by: ["simultaneous", "storage", "via"], relativeTo: [] },
    // Nothing stands between a Mac and what is inside it.
    needs: ["internal", "disk_image", "virtual_disk"].map((value) => ({
      dimension: "storage",
      op: "not",
      value,
    })),
    about: [
      "Each storage kind directly, through a dock or hub, and with several drives at once. A dock can cut the writes of a Thunderbolt 3 drive to a fifth.",
      "Runs through a dock, or with several drives at once, have methods of their own and are never pooled with others.",
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
      "Three speeds of one thread and one large file: reading it alone, computing its SHA-256 while reading, and SHA-256 of data that is in memory already.",
      "The lower of reading alone and hashing from memory is the ceiling of hashing while reading: whatever it stays near to is what limits. Below both, each waits for the other.",
    ],
    command: "macmeter hash",
    beside: Limits,
  },
  {
    id: "virtual",
    title: "VM against host",
    preset: {
      metrics: AVERAGES,
      by: ["chip", "virtual"],
      relativeTo: [{ dimension: "virtual", op: "is", value: "false" }],
    },
    needs: [{ dimension: "storage", op: "is", value: "virtual_disk" }],
    about: [
      "A VM’s speed divided by that of the storage its disk lies on, measured by its own host. Where that is not known it is the host’s internal SSD. Unpaired ratios compare other machines, and say so.",
      "A virtual disk’s reads may come from the host’s cache, which a guest can neither empty nor see: runs in a VM carry that caution.",
    ],
    command: "macmeter disk",
  },
];

export const STORAGE: Topic = {
  path: "/storage",
  title: "Storage",
  findings: FINDINGS,
  views: VIEWS,
  open: ["storage", "encryption", "image_format", "chip_family", "virtual", "source"],
};
