"""The one catalogue of metrics, dimensions and flags.

Ingest checks documents against it, questions are parsed with it, the dashboard
reads it from /api/v1/catalog. A name that is not here has no meaning anywhere.
Longer than our files are: one table, read from top to bottom, is what makes it the only one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache


class Unit(StrEnum):
    BYTES = "B"
    BYTES_PER_SECOND = "B/s"
    SECONDS = "s"
    HERTZ = "Hz"
    WATTS = "W"
    JOULES = "J"
    PER_SECOND = "1/s"
    POINTS = "points"


class Better(StrEnum):
    HIGHER = "higher"
    LOWER = "lower"
    NONE = "none"


class Role(StrEnum):
    """What a metric is of, where a name would have to be guessed from: `thread` is no `read`."""

    READS = "reads"
    WRITES = "writes"
    CROSSES_LINK = "crosses_link"
    """Bytes a second over the link to the target, which can carry no more than LINK_LIMIT."""


# What no instrument here resolves, in any unit: beneath it a ratio would overflow.
PLAUSIBLE_MINIMUM = 1e-12

# No Mac comes near these; a value beyond them is a unit mistake or an attack, not a measurement.
PLAUSIBLE_MAXIMUM = {
    Unit.BYTES: 1e15,
    Unit.BYTES_PER_SECOND: 1e13,
    Unit.SECONDS: 1e8,
    Unit.HERTZ: 1e12,
    Unit.WATTS: 1e5,
    Unit.JOULES: 1e9,
    Unit.PER_SECOND: 1e16,
    Unit.POINTS: 1e10,
}


@dataclass(frozen=True)
class Metric:
    """A measured quantity.

    `required` are the sample parameters without which a value means nothing: every measured
    or imported series must carry them, and a question must group by or fix them.
    `optional` ones may be carried. `zero` says whether 0 is a possible reading; for a speed
    or a duration it is a missing value in disguise and refused.
    """

    name: str
    title: str
    unit: Unit
    better: Better
    suite: str
    about: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    zero: bool = False
    roles: frozenset[Role] = frozenset()

    @property
    def determinants(self) -> tuple[str, ...]:
        """The dimensions that change its value: pooling several values of one must be said.

        What was measured comes first, then what it was measured on. A parameter that the metric
        requires is never pooled, but it determines all the same.
        """
        return self.required + self.optional + _DETERMINANTS[self.name.split(".")[0]]

    @property
    def minimum(self) -> float:
        return 0.0 if self.zero else PLAUSIBLE_MINIMUM

    @property
    def maximum(self) -> float:
        return PLAUSIBLE_MAXIMUM[self.unit]


# Any label: those of a workload name the configuration under test, and any key may.
ANY_LABEL = "label:*"

# The dimensions of runs that change a metric's value, by the first word of its name, in the order
# in which they are fixed where a question is to mix nothing (queries/starting_point.py).
# A drive is one of its class, so `device` is none: an answer is there to pool several of them.
# The link's speed follows from the class, and one negotiated down has a flag.
_PROCESSOR = ("chip", "virtual", "power_mode")
# Virtual CPUs only limit the threads that are set; what takes all that there are depends on them.
_ALL_CORES = ("chip", "virtual", "vcpus", "power_mode")
_VOLUME = ("storage", "encryption")
_DETERMINANTS: dict[str, tuple[str, ...]] = {
    # METHODS: image figures of different formats, states or macOS versions are never one series, a
    # dock can cut a drive to a fifth, and drives at once share what carries them.
    "disk": (
        *("chip", "virtual", *_VOLUME, "image_format", "image_state", "os_version"),
        *("via", "simultaneous"),
    ),
    # Of a file it is the slower of processor and storage; from memory no storage is stated.
    "hash": ("chip", "virtual", "power_mode", *_VOLUME),
    # From file to file as well, which is a method of its own.
    "compression": (*_PROCESSOR, *_VOLUME),
    "cores": _PROCESSOR,
    "power": _PROCESSOR,
    "energy": _PROCESSOR,
    "workload": (*_ALL_CORES, *_VOLUME, ANY_LABEL),
    "score": ("tool", *_ALL_CORES),
}
# Where these change a value: elsewhere macOS versions of one chip are what an answer pools.
DETERMINES_WHERE = {"os_version": ("storage", "disk_image")}

_READ = frozenset({Role.READS, Role.CROSSES_LINK})
_WRITE = frozenset({Role.WRITES, Role.CROSSES_LINK})

_SPEED = (Unit.BYTES_PER_SECOND, Better.HIGHER)
_TIME = (Unit.SECONDS, Better.LOWER)
_RATE = (Unit.PER_SECOND, Better.HIGHER)
_POWER = (Unit.WATTS, Better.LOWER)
_ENERGY = (Unit.JOULES, Better.LOWER)
_MEMORY = (Unit.BYTES, Better.LOWER)


def _metric(
    name: str,
    title: str,
    kind: tuple[Unit, Better],
    about: str,
    required: tuple[str, ...] = (),
    optional: tuple[str, ...] = (),
    *,
    suite: str = "",
    zero: bool = False,
    roles: frozenset[Role] = frozenset(),
) -> Metric:
    unit, better = kind
    return Metric(
        name,
        title,
        unit,
        better,
        suite or name.split(".")[0],
        about,
        required,
        optional,
        zero,
        roles,
    )


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        _metric(
            "disk.write_average",
            "Write speed, whole run",
            _SPEED,
            "Bytes of a set over the sum of its file times, one sample a set. "
            "Without the final flush to the device.",
            roles=_WRITE,
        ),
        _metric(
            "disk.read_average",
            "Read speed, whole run",
            _SPEED,
            "Bytes of a set over the sum of its file times, one sample a set, "
            "read after the cache was emptied and checked.",
            roles=_READ,
        ),
        _metric(
            "disk.write_flushed_average",
            "Write speed with flush, whole run",
            _SPEED,
            "As the write speed, with the time of the final flush to the device counted in.",
            roles=_WRITE,
        ),
        _metric(
            "disk.write_speed",
            "Write speed by file size",
            _SPEED,
            "Speed of writing one file, without the final flush to the device.",
            ("file_size",),
            roles=_WRITE,
        ),
        _metric(
            "disk.read_speed",
            "Read speed by file size",
            _SPEED,
            "Speed of reading one file after the cache was emptied and checked.",
            ("file_size",),
            roles=_READ,
        ),
        _metric(
            "disk.stream_read_speed",
            "Read speed, one large file",
            _SPEED,
            "Speed of reading one large file from its start to its end.",
            (),
            ("file_size",),
            roles=_READ,
        ),
        _metric(
            "disk.sustained_write_speed",
            "Sustained write speed",
            _SPEED,
            "Throughput in each second of a long write, to see past the drive's fast cache.",
            ("elapsed",),
            roles=_WRITE,
        ),
        _metric(
            "disk.latency",
            "Latency of small transfers",
            _TIME,
            "Time of one 4 KiB transfer at random places.",
            ("test",),
        ),
        _metric(
            "hash.sha256_speed",
            "SHA-256 while reading",
            _SPEED,
            "Speed of reading a file and computing its SHA-256 in one pass.",
            (),
            ("file_size",),
            roles=_READ,
        ),
        _metric(
            "hash.sha256_memory_speed",
            "SHA-256 from memory",
            _SPEED,
            "Speed of SHA-256 over data already in memory.",
            (),
            ("file_size",),
        ),
        _metric(
            "compression.duration",
            "Compression time",
            _TIME,
            "Time to compress the same corpus with a number of threads.",
            ("threads",),
            ("qos", "core_context", "file_size"),
        ),
        _metric(
            "compression.speed",
            "Compression speed",
            _SPEED,
            "Bytes of the corpus over the time to compress it.",
            ("threads",),
            ("qos", "core_context", "file_size"),
        ),
        _metric(
            "cores.loop_rate",
            "Loops a second",
            _RATE,
            "Loops a second of one thread of a test that stays inside the core.",
            ("kernel", "core_context", "threads"),
            ("qos",),
        ),
        _metric(
            "cores.added_loop_rate",
            "Loops a second of each added thread",
            _RATE,
            "Slope of the total rate over threads beyond the fastest tier's cores. Derived.",
            ("kernel", "core_context"),
            ("qos",),
        ),
        _metric(
            "cores.total_time",
            "Time until all threads ended",
            _TIME,
            "Time from the start of the first thread to the end of the last.",
            ("kernel", "threads"),
            ("qos", "core_context", "loops"),
        ),
        _metric(
            "cores.slowest_thread",
            "Time of the slowest thread",
            _TIME,
            "The longest of the threads' own times.",
            ("kernel", "threads"),
            ("qos", "core_context", "loops"),
        ),
        _metric(
            "cores.thread_time",
            "Time of one thread",
            _TIME,
            "Time of one thread for a stated number of loops. Times for different "
            "numbers of loops are never one series.",
            ("kernel", "core_context", "loops"),
            ("qos", "threads"),
        ),
        _metric(
            "cores.added_thread_time",
            "Added time of each further thread",
            _TIME,
            "Slope of the summed thread times over the number of threads. Derived.",
            ("kernel", "core_context", "loops"),
            ("qos",),
        ),
        _metric(
            "cores.frequency",
            "Core frequency",
            (Unit.HERTZ, Better.NONE),
            "Frequency of a cluster while a number of its cores were active.",
            ("tier", "active_cores"),
            ("kernel", "core_context", "threads", "qos"),
        ),
        _metric(
            "power.cpu_total",
            "CPU power, total",
            _POWER,
            "Mean power of all CPU cores while the test ran.",
            ("threads",),
            ("kernel", "core_context", "qos"),
            zero=True,
        ),
        _metric(
            "power.cpu_max",
            "CPU power, maximum",
            _POWER,
            "Highest power of the CPU, or of one core where the row says so.",
            (),
            ("kernel", "core_context", "threads", "qos"),
            zero=True,
        ),
        _metric(
            "power.core_max",
            "Core power, maximum",
            _POWER,
            "Highest power of one core.",
            ("kernel", "core_context"),
            ("qos", "threads"),
            zero=True,
        ),
        _metric(
            "power.per_added_thread",
            "Power of each added thread",
            _POWER,
            "Slope of total CPU power over the number of threads.",
            ("kernel", "core_context"),
            ("qos", "threads"),
            zero=True,
        ),
        _metric(
            "energy.per_thread",
            "Energy of one thread",
            _ENERGY,
            "Power times time that one thread's work took.",
            ("kernel", "core_context"),
            ("qos", "threads", "loops"),
            suite="power",
        ),
        _metric(
            "energy.per_added_thread",
            "Energy of each added thread",
            _ENERGY,
            "Slope of total energy over the number of threads.",
            ("kernel", "core_context", "loops"),
            ("qos", "threads"),
            suite="power",
        ),
        _metric(
            "workload.duration",
            "Time of a workload",
            _TIME,
            "Wall time of one repetition of a named command.",
            (),
            ("test",),
        ),
        _metric(
            "workload.user_time",
            "User time of a workload",
            _TIME,
            "Processor time that one repetition of a named command spent in its own code.",
            (),
            ("test",),
            zero=True,
        ),
        _metric(
            "workload.system_time",
            "System time of a workload",
            _TIME,
            "Processor time that the system spent for one repetition of a named command.",
            (),
            ("test",),
            zero=True,
        ),
        _metric(
            "workload.peak_memory",
            "Peak memory of a workload",
            _MEMORY,
            "The most memory that the largest process of one repetition had.",
            (),
            ("test",),
        ),
        _metric(
            "score.value",
            "Score",
            (Unit.POINTS, Better.HIGHER),
            "A benchmark's own score. Comparable only within one tool and test.",
            ("test",),
        ),
    )
}


class Kind(StrEnum):
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


@dataclass(frozen=True)
class Dimension:
    """What a run (`of="run"`) or a sample (`of="sample"`) can be grouped or filtered by."""

    name: str
    title: str
    kind: Kind = Kind.TEXT
    of: str = "run"
    unit: str | None = None
    about: str | None = None
    values: dict[str, str] = field(default_factory=dict)
    plural: str | None = None
    """Several of its values, after their number: "12 chips"."""
    absent: bool = False
    """Whether it is a value that nothing is stated: a drive of which no dock is stated has none."""

    @property
    def counted(self) -> str:
        return self.plural or f"values of {self.title}"


STORAGE = {
    "internal": "Internal SSD",
    "thunderbolt3": "Thunderbolt 3",
    "thunderbolt4": "Thunderbolt 4",
    "usb4": "USB4",
    "thunderbolt5": "Thunderbolt 5",
    "usb3": "USB 3",
    "sd_card": "SD card",
    "network": "Network",
    "disk_image": "Disk image",
    "virtual_disk": "Virtual disk",
    "ebs": "EBS volume",
    "other": "Other",
}
ENCRYPTION = {
    "none": "Not encrypted",
    "hardware": "FileVault off (hardware encryption)",
    "filevault": "FileVault",
    "apfs_encrypted": "APFS encrypted",
    "image_aes128": "Image, AES-128",
    "image_aes256": "Image, AES-256",
    "dm_crypt": "dm-crypt (Linux)",
    "unknown": "Not known",
}
IMAGE_FORMAT = {
    "raw": "RAW (UDRW)",
    "asif": "ASIF",
    "sparsebundle": "Sparse bundle",
    "sparseimage": "Sparse image",
    "other": "Other",
}
IMAGE_STATE = {"new": "New", "part_filled": "Part filled", "emptied": "Emptied"}
# What no and yes mean.
VIRTUAL = {"false": "Host", "true": "In a VM"}
SOURCE = {
    "measured": "Measured",
    "imported": "Imported",
    "published": "Published",
}

DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension("chip", "Chip", plural="chips"),
        Dimension("chip_family", "Chip family", plural="chip families"),
        Dimension("chip_variant", "Chip variant", plural="chip variants"),
        Dimension("model", "Model", plural="models"),
        Dimension("machine", "Machine", plural="machines"),
        Dimension("fleet", "Fleet", plural="fleets"),
        Dimension("storage", "Storage", values=STORAGE, plural="kinds of storage"),
        Dimension("link_speed", "Link speed", Kind.NUMBER, unit="bit/s", plural="link speeds"),
        Dimension("device", "Device", plural="devices"),
        Dimension(
            "via",
            "Connection",
            about="Dock or hub in the path to the device.",
            plural="connections",
            absent=True,
        ),
        Dimension(
            "simultaneous",
            "Drives at once",
            Kind.NUMBER,
            plural="numbers of drives at once",
        ),
        Dimension("image_format", "Image format", values=IMAGE_FORMAT, plural="image formats"),
        Dimension("image_state", "Image state", values=IMAGE_STATE, plural="image states"),
        Dimension(
            "encryption",
            "Encryption",
            values=ENCRYPTION,
            about="Apple silicon always encrypts its internal storage: "
            "FileVault off is not unencrypted.",
            plural="kinds of encryption",
        ),
        Dimension("file_system", "File system", plural="file systems"),
        Dimension(
            "virtual",
            "Virtual machine",
            Kind.BOOLEAN,
            values=VIRTUAL,
            plural="kinds of machine (host and VM)",
        ),
        Dimension("vcpus", "Virtual CPUs", Kind.NUMBER, plural="numbers of virtual CPUs"),
        Dimension("os_version", "macOS version", plural="macOS versions"),
        Dimension("os_major", "macOS", Kind.NUMBER, plural="macOS releases"),
        Dimension("power_mode", "Power mode", plural="power modes"),
        Dimension("power_source", "Power source", plural="power sources"),
        Dimension("source", "Source", values=SOURCE, plural="sources"),
        Dimension("tool", "Tool", plural="tools"),
        Dimension("article", "Article", plural="articles"),
        Dimension("suite", "Suite", plural="suites"),
        Dimension("method", "Method", plural="methods"),
        Dimension(
            "month", "Month", about="Month in which the run started, as 2026-11.", plural="months"
        ),
        Dimension("file_size", "File size", Kind.NUMBER, "sample", "B", plural="file sizes"),
        Dimension("threads", "Threads", Kind.NUMBER, "sample", plural="numbers of threads"),
        Dimension("qos", "Quality of service", Kind.TEXT, "sample", plural="qualities of service"),
        Dimension("core_context", "Core context", Kind.TEXT, "sample", plural="core contexts"),
        Dimension("tier", "Core tier", Kind.TEXT, "sample", plural="core tiers"),
        Dimension("kernel", "Kernel", Kind.TEXT, "sample", plural="kernels"),
        Dimension(
            "active_cores", "Active cores", Kind.NUMBER, "sample", plural="numbers of active cores"
        ),
        Dimension("elapsed", "Elapsed time", Kind.NUMBER, "sample", "s", plural="elapsed times"),
        Dimension("test", "Test", Kind.TEXT, "sample", plural="tests"),
        Dimension("loops", "Loops", Kind.NUMBER, "sample", plural="numbers of loops"),
    )
}

LABEL_PREFIX = "label:"


@lru_cache(maxsize=4096)
def dimension(name: str) -> Dimension | None:
    """The dimension of that name; `label:KEY` is a text dimension of runs for any key."""
    if name.startswith(LABEL_PREFIX) and len(name) > len(LABEL_PREFIX):
        return Dimension(name, name.removeprefix(LABEL_PREFIX))
    return DIMENSIONS.get(name)


@lru_cache(maxsize=4096)
def is_of_sample(name: str) -> bool:
    found = dimension(name)
    return found is not None and found.of == "sample"


class Severity(StrEnum):
    DOUBT = "doubt"
    CAUTION = "caution"


@dataclass(frozen=True)
class Flag:
    """A coded reason to doubt. `doubt` is left out of answers by default, `caution` stays in."""

    code: str
    severity: Severity
    sentence: str


# The one flag that is no derivation: somebody has decided it, and gave a reason.
WITHDRAWN = "withdrawn"

FLAGS: dict[str, Flag] = {
    flag.code: flag
    for flag in (
        Flag(WITHDRAWN, Severity.DOUBT, "was withdrawn, for a reason given on its page"),
        Flag("reads_may_be_cached", Severity.DOUBT, "may have read from the cache"),
        Flag(
            "cache_not_bypassed",
            Severity.DOUBT,
            "was written or read through the cache",
        ),
        Flag("incomplete", Severity.DOUBT, "ended before it was complete"),
        Flag("faster_than_link", Severity.DOUBT, "was faster than its link can carry"),
        Flag("low_confidence", Severity.DOUBT, "is doubted by its own author"),
        Flag("simulated", Severity.DOUBT, "comes from a simulated Mac"),
        Flag(
            "host_cache_unknown",
            Severity.CAUTION,
            "ran in a VM, where the host may cache",
        ),
        Flag("quick", Severity.CAUTION, "was a quick run of few files"),
        Flag("on_battery", Severity.CAUTION, "ran on battery"),
        Flag("low_power_mode", Severity.CAUTION, "ran in Low Power Mode"),
        Flag("hot", Severity.CAUTION, "ran on a machine that was already hot"),
        Flag("busy_system", Severity.CAUTION, "ran while the system was busy"),
        Flag("nearly_full", Severity.CAUTION, "ran on a nearly full volume"),
        Flag(
            "low_space_allowed",
            Severity.CAUTION,
            "ran with less free space than advised",
        ),
        Flag("rosetta", Severity.CAUTION, "ran under Rosetta"),
        Flag("slept", Severity.CAUTION, "was interrupted by sleep"),
        Flag(
            "power_source_changed",
            Severity.CAUTION,
            "changed its power source half-way",
        ),
        Flag(
            "link_negotiated_down",
            Severity.CAUTION,
            "ran on a link slower than its device",
        ),
        Flag("flush_failed", Severity.CAUTION, "could not flush its writes to the device"),
        Flag("machine_unstated", Severity.CAUTION, "does not say which machine it ran on"),
        Flag("machine_implied", Severity.CAUTION, "names its machine only by context"),
        Flag("tool_unstated", Severity.CAUTION, "does not say which tool measured it"),
        Flag("encryption_unstated", Severity.CAUTION, "does not say how it was encrypted"),
        Flag("storage_assumed", Severity.CAUTION, "names its storage only by context"),
        Flag("os_unstated", Severity.CAUTION, "does not say its macOS version"),
        Flag("os_implied", Severity.CAUTION, "names its macOS version only by context"),
        Flag("order_assumed", Severity.CAUTION, "is assigned by the order of the text"),
        Flag("derived", Severity.CAUTION, "is computed from a printed time and the file's size"),
        Flag("rounded", Severity.CAUTION, "is printed rounded"),
        Flag("single_file", Severity.CAUTION, "is the figure of a single file"),
        Flag("slope", Severity.CAUTION, "is a slope fitted by the author"),
        Flag("cited_earlier", Severity.CAUTION, "is quoted from an earlier article"),
        Flag("method_implied", Severity.CAUTION, "names its method only by context"),
        Flag("tool_version_unstated", Severity.CAUTION, "does not say its tool's version"),
        Flag("kernel_unstated", Severity.CAUTION, "does not say which kernel it ran"),
        Flag("cache_state_unstated", Severity.CAUTION, "does not say how the cache was emptied"),
        Flag("fewer_files", Severity.CAUTION, "may have used fewer files than its method asks"),
        Flag("one_volume", Severity.CAUTION, "shared its volume with another target"),
        Flag("threads_not_exact", Severity.CAUTION, "ran more threads than the number set"),
        Flag("threads_are_vcpus", Severity.CAUTION, "counts virtual CPUs as threads"),
        Flag("spilled", Severity.CAUTION, "timed threads that spilled over to slower cores"),
        Flag("one_phase", Severity.CAUTION, "is the figure of one phase of its run"),
        Flag("inconsistent", Severity.CAUTION, "disagrees with other figures of its article"),
        Flag("own_words", Severity.CAUTION, "carries a reservation of its author"),
        Flag(
            "unknown_warning",
            Severity.CAUTION,
            "carries a warning that is not in the catalogue",
        ),
    )
}


def flag(code: str) -> Flag:
    """The flag of that code; one the catalogue does not know yet is a caution by its own name."""
    return FLAGS.get(code) or Flag(code, Severity.CAUTION, FLAGS["unknown_warning"].sentence)


def is_doubt(code: str) -> bool:
    return flag(code).severity is Severity.DOUBT


# Bytes a second that the raw link can carry: a faster transfer came from a cache.
LINK_LIMIT = {
    "thunderbolt3": 5e9,
    "thunderbolt4": 5e9,
    "usb4": 5e9,
    "thunderbolt5": 10e9,
    "usb3": 2.5e9,
}
