/** How figures are made, told section by section; each has an anchor that charts link to. */
export interface Method {
  id: string;
  title: string;
  /** Names that runs carry, as a run page shows them. */
  names: string[];
  /** The suite whose metrics it makes; none for what applies to all. */
  suite?: string;
  lead: string;
  steps?: string[];
  traps: string[];
}

export const METHODS: readonly Method[] = [
  {
    id: "every-run",
    title: "Every run",
    names: [],
    lead: "A run is one suite, on one machine, in one environment, by one method. A method has a name and a version, and anything that could change its figures raises the version: figures of two versions are never one series.",
    steps: [
      "Before it starts, the agent looks at power source and mode, temperature, load, Spotlight and Time Machine, free space, Rosetta, and whether it runs in a virtual machine.",
      "The order of what it measures is shuffled from a seed that the run records, so that a slow drift does not look like an effect.",
      "While it runs, it watches for sleep, heat and a change of power source.",
      "What could spoil a figure is kept with the run as a flag. A doubt keeps the run out of answers until you ask for it; a caution leaves it in, marked and counted.",
      "No host name, serial number, hardware UUID or user name is read into a run. “macmeter preview” prints exactly what would be sent.",
    ],
    traps: [
      "A run on battery, hot or beside a backup is not averaged away: it says so, in every chart and export.",
      "A fact that the agent could not read is absent. Nothing is guessed, and nothing absent is taken for zero.",
    ],
  },
  {
    id: "disk",
    title: "Writing and reading graded files",
    names: ["graded-files", "graded-files-quick"],
    suite: "disk",
    lead: "Sixteen file sizes from 2 MB to 2 GB make a set of 5.33 GB; five sets are written and read back. The quick form is one set up to 200 MB, under a name of its own.",
    steps: [
      "All files of all sets are written in one shuffled order with data that does not compress, past the system’s cache. A file’s time ends before the last flush to the device; the flush is timed too and has its own metric.",
      "The cache is emptied: by unmounting and mounting the volume again where that is possible, by invalidating the files’ pages where it is not.",
      "That it is empty is checked, page by page. A run with more than one page in a hundred still in memory is doubted: it may have read from the cache.",
      "The files are read in the order in which they were written.",
      "A set’s average is its bytes over the sum of its file times. Single file sizes have their own metrics, with the size as a parameter.",
    ],
    traps: [
      "Asking macOS not to cache does not empty what is cached already. On a Mac with much memory a read straight after a write measures memory.",
      "In a virtual machine the host may still cache what the guest has dropped. Such runs carry a caution.",
      "The average of a run and the speed of its 2 GB files are different figures, and neither is the speed of one file.",
      "Many drives write their first gigabytes into a fast part of their flash. What comes after is slower: see the sustained write speed.",
      "FileVault off on the internal storage of Apple silicon is not “unencrypted”: that storage is always encrypted by hardware.",
      "A sparse bundle can write at nearly the speed of its disk and still compress at little more than half of it.",
      "A dock or hub can take four fifths of a drive’s write speed. Drives are compared without one to begin with.",
      "No transfer can be faster than its link: 5 GB/s for Thunderbolt 3 and USB4, 10 GB/s for Thunderbolt 5. What seems so came from a cache, and is doubted.",
    ],
  },
  {
    id: "disk-more",
    title: "Streams, long writes, latency, several drives",
    names: ["stream-read", "sustained-write", "latency", "simultaneous"],
    suite: "disk",
    lead: "Four further methods on the same targets, each a series of its own.",
    steps: [
      "stream-read reads one large file from its start to its end, with the cache emptied and checked.",
      "sustained-write notes the throughput of each second of one long write.",
      "latency times single transfers of 4 KiB at random places, one at a time and 32 at once, reading and writing.",
      "simultaneous runs the graded files on several targets at once, for what a dock or hub is worth.",
    ],
    traps: [
      "Two drives measured together are not comparable with one: how many were busy is a dimension of every such figure.",
      "On a cloud volume the first touch of each block can be many times slower than the second.",
    ],
  },
  {
    id: "images",
    title: "Disk images",
    names: ["graded-files"],
    suite: "disk",
    lead: "The agent makes the image itself, in a stated format, encryption and size, attaches it, measures on it as on any volume, and takes it away.",
    traps: [
      "Format, encryption, macOS version and state (new, part filled, emptied) are part of the figure. Images of different formats are never joined in one line, nor are versions of macOS that changed how an image is written.",
      "The volume that holds the image has an encryption of its own, kept beside the image’s.",
    ],
  },
  {
    id: "hash",
    title: "Hashing",
    names: ["stream-sha256"],
    suite: "hash",
    lead: "A file of 16 GB is streamed from the target and its SHA-256 computed in the same pass. The same file read without hashing, and the same bytes hashed from memory, are the two ceilings: whichever is lower is what limits.",
    traps: [
      "The speed from memory belongs to the core, the speed of reading to the storage. The figure between them says nothing about either alone.",
      "Where another library computes the digest, as on Linux, the method’s name says so.",
    ],
  },
  {
    id: "compression",
    title: "Compression by threads",
    names: ["thread-sweep"],
    suite: "compression",
    lead: "The same data, made from a recorded seed and part text, part binary, is compressed in independent blocks by 1, 2, 3 … threads up to the number of cores: once in memory, and once from file to file.",
    steps: [
      "In memory the processor alone is measured; from file to file the storage may become the limit, and the two together tell where.",
      "Threads that were asked for and threads that were seen are both kept.",
      "A curve through the medians is fitted: a power for the time, a straight line for the rate. Its equation, range and r² stand under the chart; beyond its own points it is dashed.",
    ],
    traps: [
      "The rate grows in a line and bends where threads leave the fastest cores.",
      "Inside a virtual machine the number of virtual CPUs is the limit, and stands for the threads where those are not known.",
      "Times for files of different sizes are different series and never fitted together.",
      "Above about 3 GB/s of writing, faster storage hardly helps compression.",
    ],
  },
  {
    id: "cores",
    title: "Inside the core",
    names: ["in-core", "staggered"],
    suite: "cores",
    lead: "Short loops that never leave registers or the first cache, from 64-bit integers to matrix multiplication, on 1, 2, 3 … threads, at high and at background priority.",
    steps: [
      "The number of loops is chosen beforehand so that each thread takes two to three seconds. The cost of the empty loop is measured and taken off, and the result of the arithmetic is checked.",
      "macOS pins no thread to a core. At high priority threads fill the fastest tier first and then spill over; at background priority they stay on the lowest. A context says what was asked for.",
      "A lower tier at high priority is therefore only the slope beyond the fastest tier’s cores, and is marked as derived.",
      "Shown as loops a second, and as a percentage of the fastest tier of an M1.",
    ],
    traps: [
      "One thread flatters: five threads can take 17 % longer than one.",
      "Where the threads really ran is known only where power sampling is allowed. Otherwise it is assumed, and said so.",
      "An empty loop of one cycle is slowed most by whoever shares the core, and what it loses would come back as speed. Its cost is that of the fastest of many stretches of a few microseconds.",
      "Times for different numbers of loops are never one series. Published ones differ between 5 × 10⁸ and 2 × 10⁹.",
    ],
  },
  {
    id: "power",
    title: "Power and frequency",
    names: ["sampled"],
    suite: "power",
    lead: "Sampled ten times a second by macOS’s own powermetrics, as root, in phases: quiet, loading, loaded, unloading, quiet. Means and deviations are those of the loaded phase.",
    traps: [
      "Sampling disturbs what is timed: power runs are apart from timed runs, and no speed is taken from them.",
      "Power has three meanings for the same code: what each added thread draws, what a core draws at most, and what the whole processor draws with one thread. They differ by almost two to one, and the metric’s name says which is meant.",
      "The system estimates power from counters. It is not measured at the plug.",
      "100 % CPU is time, not work: at a low frequency it can be a quarter of what the core could do.",
      "It does not work inside a virtual machine, and says so.",
    ],
  },
  {
    id: "workload",
    title: "Custom workloads",
    names: ["repeat-command"],
    suite: "workload",
    lead: "Any command, under a name that its owner gives it, repeated; the command line itself is never sent. Shown are the median and the 90th percentile of its time, and each repetition in its order.",
    traps: [
      "The first repetition warms caches up and is left out, unless the run says that it was kept.",
      "What differs between two configurations must be in a label, or nobody can ask for it.",
    ],
  },
  {
    id: "imports",
    title: "Imports and scores",
    names: ["fio", "sysbench", "hyperfine", "geekbench", "amorphousdiskmark"],
    suite: "score",
    lead: "The output of other tools can be read in. Such runs say “imported”, name the tool and its version, and keep a method name of their own, so that they never mix with what the agent measured.",
    traps: [
      "MiB and MB are different units, and some tools print the one and mean the other: each reader knows its tool.",
      "Points of a benchmark compare within that benchmark and version alone.",
    ],
  },
  {
    id: "published",
    title: "Published figures",
    names: [],
    lead: "Taken from articles, digit by digit as printed, each with its citation and its author’s reservations. They stand apart from measured figures everywhere: hollow marks, a dagger that leads to the article, never in one median with a measurement.",
    traps: [
      "A printed ratio stays a ratio, a printed range a range. No speed is made of either.",
      "A claim is not a measurement: what a vendor promises, what an author expects, and anything “over” or “up to” is listed and not drawn.",
      "A Mac that an article does not name counts no machine.",
    ],
  },
  {
    id: "statistics",
    title: "From samples to an answer",
    names: [],
    lead: "A run’s value is the median of its samples, a machine’s value the median of its runs, a figure the median over machines. A Mac that measured a hundred times has one vote.",
    steps: [
      "The spread is the 10th and 90th percentile of all samples together.",
      "The interval says where the median would fall 95 times in 100 if other machines like these had been measured. It needs six machines; below that there is none.",
      "A ratio is the median over pairs, one a machine, which agree in everything but what is compared; where there are none it says “unpaired”.",
      "A figure says first what it mixes: chips, power modes or anything else that changes its value. A line joins only points that mix the same.",
      "Two groups are different, or there is no evidence of a difference (with the smallest one that could have been seen), or there is not enough measured to tell. They are never called equal.",
      "A comparison of several figures is a geometric mean of ratios, over the figures that all sides have, which it names.",
      "Doubted and withdrawn runs are left out and counted, with the reason.",
    ],
    traps: [
      "Two groups with intervals that overlap may differ all the same: read the verdict, which looks at their ratio.",
      "Three machines against three can never show a difference: no such test is made.",
      "A change of level on a machine’s page means that at most 1 in 100 steady lines would show one by chance, even where each value resembles the one before. That holds for each line: a machine with 30 lines shows a false one more often. It needs 14 days with runs, 7 on either side (5 in a line of 21 days or more). At 20 days it finds half of the steps of five standard deviations, at 50 days most of those of two.",
      "The same data gives the same digits: nothing is drawn at random.",
    ],
  },
];
