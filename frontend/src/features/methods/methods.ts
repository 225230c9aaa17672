/** A section on how figures are measured, with an anchor that charts link to. */
export interface Method {
  id: string;
  title: string;
  /** Method names in runs, as a run page shows them. */
  names: string[];
  /** The suite of its metrics; absent for a section that applies to all. */
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
    lead: "A run is one suite of tests on one Mac, in one environment, with one method. Each method has a name and a version. Anything that could change its figures raises the version, and figures of different versions are never combined.",
    steps: [
      "Before it starts, the agent checks power source and mode, temperature, load, Spotlight and Time Machine, free space, Rosetta, and whether it runs in a virtual machine.",
      "The order of measurements is shuffled from a seed recorded with the run, so that a slow drift doesn’t look like an effect.",
      "While it runs, it watches for sleep, heat and a change of power source.",
      "Anything that could spoil a figure is recorded with the run as a flag. A doubt keeps the run out of answers until you ask for it; a caution leaves it in, marked and counted.",
      "No host name, serial number, hardware UUID or user name is read into a run. “macmeter preview” prints exactly what would be sent.",
    ],
    traps: [
      "A run on battery, at high temperature or during a backup is marked in every chart and export.",
      "A fact that the agent could not read is left out. It is never guessed, nor taken for zero.",
    ],
  },
  {
    id: "disk",
    title: "Writing and reading files of many sizes",
    names: ["graded-files", "graded-files-quick"],
    suite: "disk",
    lead: "Files of sixteen sizes, from 2 MB to 2 GB, make a set of 5.33 GB; five sets are written and read back. The quick form is one set up to 200 MB.",
    steps: [
      "All files are written in shuffled order with incompressible data, bypassing the system’s cache. A file’s time ends before the last flush to the device; the flush is a metric of its own.",
      "The cache is cleared by remounting the volume where possible, otherwise by invalidating the files’ pages.",
      "Every page is then checked. A run with more than one page in a hundred still in memory is doubted, because it may have read from the cache.",
      "The files are read in the order in which they were written.",
      "A set’s average is its size divided by the sum of its file times. Single file sizes have metrics of their own.",
      "The files of a quick run are measured in the same way, so their speeds count with those of full runs. Its averages have metrics of their own.",
    ],
    traps: [
      "Asking macOS not to cache does not clear what is already cached. On a Mac with plenty of memory, a read straight after a write measures memory.",
      "In a virtual machine, the host may still cache what the guest has dropped. Such runs carry a caution.",
      "A run’s average and the speed of its 2 GB files are different figures, and neither is the speed of a single file.",
      "Many drives write their first gigabytes to a fast part of their flash. After that they slow down: see the sustained write speed.",
      "With FileVault off, the internal storage of Apple silicon is still encrypted by hardware.",
      "A sparse bundle can write at nearly the speed of its disk, yet compress files at little more than half of it.",
      "A dock or hub can cost four fifths of a drive’s write speed. By default, drives are compared without one.",
      "No transfer is faster than its link: 5 GB/s for Thunderbolt 3 and USB4, 10 GB/s for Thunderbolt 5. Anything faster came from a cache, and is doubted. So is internal storage that is far faster than anything published of its chip.",
    ],
  },
  {
    id: "disk-more",
    title: "Streams, long writes, latency, several drives",
    names: ["stream-read", "sustained-write", "latency", "simultaneous", "trim"],
    suite: "disk",
    lead: "Five more methods on the same targets, never combined with one another.",
    steps: [
      "stream-read reads one large file from its start to its end, with the cache emptied and checked.",
      "sustained-write records the throughput of every second of one long write.",
      "latency times single transfers at random places, one at a time and 32 at once: reads of 4 KiB and, since version 2, writes of 16 KiB.",
      "trim frees a file and times how long the file system takes to tell its device of the free space (Linux).",
      "simultaneous runs the graded files on several targets at once, to show what a dock or hub can carry.",
    ],
    traps: [
      "macOS caches every write under 16 KiB, whatever a tool asks for. Version 1 of latency wrote 4 KiB; its writes on Macs are doubted.",
      "Two drives measured together are not comparable with one. Every figure states how many were busy.",
      "On a cloud volume, the first access to a block can be many times slower than the second.",
    ],
  },
  {
    id: "images",
    title: "Disk images",
    names: ["graded-files"],
    suite: "disk",
    lead: "The agent creates an image of a given format, encryption and size, attaches it, measures it like any volume, and deletes it.",
    traps: [
      "Format, encryption, macOS version and state (new, part filled, emptied) are part of the figure. A line never joins images of different formats, or versions of macOS that write images differently.",
      "The volume that holds the image has its own encryption, recorded separately.",
    ],
  },
  {
    id: "hash",
    title: "Hashing",
    names: ["stream-sha256"],
    suite: "hash",
    lead: "A file of 16 GB is streamed from the target and its SHA-256 computed in the same pass. Reading the file without hashing, and hashing the same bytes from memory, are the two ceilings: the lower one is the limit.",
    traps: [
      "In-memory speed depends on the core, read speed on the storage. The combined figure says nothing about either alone.",
      "If another library computes the digest, as on Linux, the method’s name says so.",
    ],
  },
  {
    id: "compression",
    title: "Compression by threads",
    names: ["thread-sweep"],
    suite: "compression",
    lead: "The same data, part text and part binary from a recorded seed, is compressed in independent blocks by 1, 2, 3 … threads up to the number of cores: once in memory, and once from file to file.",
    steps: [
      "In memory, only the processor is measured. From file to file, storage may become the limit; comparing the two shows where.",
      "Both the requested and the observed number of threads are recorded.",
      "“Fit curves” draws a curve through the medians: a power for the time, a straight line for the rate. Its equation, range and r² are under the chart; it ends at its last point.",
    ],
    traps: [
      "The rate grows linearly and bends where threads no longer fit on the fastest cores.",
      "In a virtual machine, the number of virtual CPUs is the limit, and is used where the number of threads is unknown.",
      "Times for files of different sizes are never fitted together.",
      "Above a write speed of about 3 GB/s, faster storage hardly helps compression.",
    ],
  },
  {
    id: "cores",
    title: "Inside the core",
    names: ["in-core", "staggered"],
    suite: "cores",
    lead: "Short loops that never leave the registers or first-level cache, from 64-bit integers to matrix multiplication, on 1, 2, 3 … threads, at high and background priority.",
    steps: [
      "The number of loops is chosen so that each thread takes two to three seconds. The cost of an empty loop is measured and subtracted, and the result of the arithmetic is checked.",
      "macOS doesn’t pin threads to cores. At high priority, threads fill the fastest tier first and then spill over; at background priority they stay on the lowest. The context states what was requested.",
      "A lower tier at high priority can therefore only be derived, from the slope beyond the fastest tier’s cores.",
      "Results are loops per second, and a percentage of the fastest tier of an M1.",
    ],
    traps: [
      "One thread alone looks better than it is: five threads can take 17 % longer than one.",
      "Where the threads really ran is known only if power sampling is allowed. Otherwise it is assumed, and marked.",
      "Other work on the core slows an empty loop most, which would make a kernel look faster. The cost of an empty loop is therefore that of the fastest of many stretches of a few microseconds.",
      "Times for different numbers of loops are never joined. Published ones range from 5 × 10⁸ to 2 × 10⁹ loops.",
    ],
  },
  {
    id: "power",
    title: "Power and frequency",
    names: ["sampled"],
    suite: "power",
    lead: "The agent samples macOS’s powermetrics ten times a second, as root, in phases: quiet, loading, loaded, unloading, quiet. Means and deviations are of the loaded phase.",
    traps: [
      "Sampling adds overhead, so power runs aren’t used for timing.",
      "Power can mean what each added thread draws, the peak of one core, or what the whole processor draws with one thread. For the same code they differ by almost two to one; the metric’s name says which is meant.",
      "macOS estimates power from counters. It is not measured at the plug. powermetrics’ own manual says that its values “may be inaccurate - hence they should not be used for any comparison between devices”.",
      "100 % CPU is time, not work: at a low frequency it can be a quarter of what the core could do.",
      "Sampling doesn’t work in a virtual machine.",
    ],
  },
  {
    id: "workload",
    title: "Custom workloads",
    names: ["repeat-command"],
    suite: "workload",
    lead: "Any command, repeated, under a name you give it. The command line is never sent. Results are the median and the 90th percentile of its time. The run’s page shows every repetition in order.",
    traps: [
      "The first repetition warms the caches and is left out, unless the run says otherwise.",
      "Put what differs between two configurations in a label, so that it can be filtered.",
    ],
  },
  {
    id: "imports",
    title: "Imports and scores",
    names: ["fio", "sysbench", "hyperfine", "geekbench", "amorphousdiskmark"],
    suite: "score",
    lead: "The agent can import the output of other tools. Such runs are marked “imported”, name the tool and its version, and have their own methods, so that they never mix with what the agent measured.",
    traps: [
      "MiB and MB are different units, and some tools print one and mean the other. Each importer accounts for its tool.",
      "Scores are comparable only within one version of one benchmark.",
    ],
  },
  {
    id: "published",
    title: "Published figures",
    names: [],
    lead: "Taken from articles with the digits as printed, the citation and the author’s reservations. They are always separate from measured figures: hollow marks, a dagger that leads to the article, and never in a median with measurements.",
    traps: [
      "A printed ratio stays a ratio and a printed range a range. Neither is converted to a speed.",
      "Claims are not measurements: what a vendor promises, what an author expects, and anything “over” or “up to” is listed but not drawn.",
      "Published figures that don’t name a Mac aren’t counted as machines.",
    ],
  },
  {
    id: "statistics",
    title: "From samples to an answer",
    names: [],
    lead: "A run’s value is the median of its samples, a Mac’s value the median of its runs, and a figure the median over Macs. A Mac with a hundred runs counts once. A virtual machine counts as a Mac of its own. Figures say how many Macs they are from.",
    steps: [
      "The spread is the 10th and 90th percentile of the samples within a run, the mean over runs.",
      "The confidence interval is where the median would fall 95 times in 100 if other Macs like these had been measured. It needs six machines, or 25 runs of a single one. Where machines of one model are alike, models count instead of machines.",
      "A ratio compares like with like: pairs, one per Mac, that differ only in what is compared, or Macs with the same chip, model, macOS version and so on (a stratified Hodges–Lehmann estimate). Whichever is more exact is shown.",
      "Where the two sides share no such Macs, the verdict is “confounded” and names what else differs. The crude ratio of the two medians is one click away.",
      "A figure states first what it mixes: chips, power modes or anything else that changes its value. A line joins only points with the same mix.",
      "A comparison of two groups finds a difference, no evidence of one (with the difference that would have shown), or too few runs to tell. Groups are never called equal.",
      "Several figures are compared by the geometric mean of the ratios that all sides have, which are listed.",
      "Doubted and withdrawn runs are left out and counted, with the reason.",
    ],
    traps: [
      "Groups with overlapping intervals may still differ: read the verdict, which tests their ratio.",
      "Three Macs against three can’t show a difference, so no test is made.",
      "At most 1 in 100 steady lines on a Mac’s page shows a change of level by chance, even if each value resembles the one before. With 30 lines, a false change is more likely. A change needs 14 days with runs, 7 on either side (5 in a line of 21 days or more). At 20 days it finds half of the steps of five standard deviations, at 50 days most of those of two.",
      "The same data always gives the same digits: nothing is random.",
    ],
  },
];
