"""Every metric, from top to bottom in the order in which they are shown."""

from __future__ import annotations

from typing import TypedDict, Unpack

from macmeter.catalog.dimensions import ANY_LABEL
from macmeter.catalog.traits import Better, Metric, Role, Unit

# The dimensions of runs that change a metric's value, by the first word of its name, in the order
# in which they are fixed where a question is to mix nothing (queries/starting_point.py).
# A drive is one of its class, so `device` is none: an answer is there to pool several of them.
# The link's speed follows from the class, and one negotiated down has a flag.
_PROCESSOR = ("chip", "virtual", "power_mode")
# Virtual CPUs only limit the threads that are set; what takes all that there are depends on them.
_ALL_CORES = ("chip", "virtual", "vcpus", "power_mode")
_VOLUME = ("storage", "encryption")
_CIRCUMSTANCES: dict[str, tuple[str, ...]] = {
    # METHODS: image figures of different formats, states or macOS versions are never one series, a
    # dock can cut a drive to a fifth, as its case can, and drives at once share what carries them.
    "disk": (
        *("chip", "virtual", *_VOLUME, "image_format", "image_state", "os_version"),
        *("enclosure", "via", "simultaneous"),
    ),
    # Of a file it is the slower of processor and storage; from memory no storage is stated.
    "hash": ("chip", "virtual", "power_mode", *_VOLUME),
    # From file to file as well, which is a method of its own: into an image, as fast as it is.
    "compression": (*_PROCESSOR, *_VOLUME, "image_format"),
    "cores": _PROCESSOR,
    "power": _PROCESSOR,
    "energy": _PROCESSOR,
    "workload": (*_ALL_CORES, *_VOLUME, ANY_LABEL),
    "score": ("tool", *_ALL_CORES),
}

_READ = frozenset({Role.READS, Role.CROSSES_LINK})
_WRITE = frozenset({Role.WRITES, Role.CROSSES_LINK})

# Of all metrics whose name begins so.
_ROLES = dict.fromkeys(("cores", "power", "energy"), frozenset({Role.DEVIATES}))

_SPEED = (Unit.BYTES_PER_SECOND, Better.HIGHER)
_TIME = (Unit.SECONDS, Better.LOWER)
_RATE = (Unit.PER_SECOND, Better.HIGHER)
_POWER = (Unit.WATTS, Better.LOWER)
_ENERGY = (Unit.JOULES, Better.LOWER)
_MEMORY = (Unit.BYTES, Better.LOWER)


class _More(TypedDict, total=False):
    """What is said of some metrics only; the suite is else the first word of the name."""

    required: tuple[str, ...]
    optional: tuple[str, ...]
    suite: str
    zero: bool
    roles: frozenset[Role]


def _metric(
    name: str,
    title: str,
    kind: tuple[Unit, Better],
    about: str,
    **more: Unpack[_More],
) -> Metric:
    unit, better = kind
    group = name.split(".")[0]
    return Metric(
        name=name,
        title=title,
        unit=unit,
        better=better,
        suite=more.get("suite", group),
        about=about,
        required=more.get("required", ()),
        optional=more.get("optional", ()),
        zero=more.get("zero", False),
        roles=more.get("roles", frozenset()) | _ROLES.get(group, frozenset()),
        circumstances=_CIRCUMSTANCES[group],
    )


METRICS: dict[str, Metric] = {
    metric.name: metric
    for metric in (
        _metric(
            "disk.write_average",
            "Write speed, whole run",
            _SPEED,
            "Bytes of a set of files divided by the sum of their times, one sample per set. "
            "Without the final flush to the device.",
            roles=_WRITE | {Role.CHIEF},
        ),
        _metric(
            "disk.read_average",
            "Read speed, whole run",
            _SPEED,
            "Bytes of a set of files divided by the sum of their times, one sample per set, "
            "read after the cache was emptied and checked.",
            roles=_READ | {Role.CHIEF},
        ),
        _metric(
            "disk.write_flushed_average",
            "Write speed with flush, whole run",
            _SPEED,
            "The write speed, including the time of the final flush to the device.",
            roles=_WRITE,
        ),
        _metric(
            "disk.write_speed",
            "Write speed by file size",
            _SPEED,
            "Speed of writing one file, without the final flush to the device.",
            required=("file_size",),
            roles=_WRITE,
        ),
        _metric(
            "disk.read_speed",
            "Read speed by file size",
            _SPEED,
            "Speed of reading one file after the cache was emptied and checked.",
            required=("file_size",),
            roles=_READ,
        ),
        _metric(
            "disk.stream_read_speed",
            "Read speed, one large file",
            _SPEED,
            "Speed of reading one large file from its start to its end.",
            optional=("file_size",),
            roles=_READ | {Role.CHIEF},
        ),
        _metric(
            "disk.sustained_write_speed",
            "Sustained write speed",
            _SPEED,
            "Speed in each second of a long write, which outlasts the drive's fast cache.",
            required=("elapsed",),
            roles=_WRITE,
        ),
        _metric(
            "disk.trim_speed",
            "Trim speed",
            _SPEED,
            "Free space that a file system reported to its device, divided by the time that took.",
            required=("file_size",),
        ),
        _metric(
            "disk.latency",
            "Latency of small transfers",
            _TIME,
            "Time of one small transfer at random places: 4 KiB where the test says no size.",
            required=("test",),
        ),
        _metric(
            "hash.sha256_speed",
            "SHA-256 while reading",
            _SPEED,
            "Speed of reading a file and computing its SHA-256 in one pass.",
            optional=("file_size",),
            roles=_READ | {Role.CHIEF},
        ),
        _metric(
            "hash.sha256_memory_speed",
            "SHA-256 from memory",
            _SPEED,
            "Speed of SHA-256 over data already in memory.",
            optional=("file_size",),
        ),
        _metric(
            "compression.duration",
            "Compression time",
            _TIME,
            "Time to compress the same corpus with a number of threads.",
            required=("threads",),
            optional=("qos", "core_context", "file_size"),
        ),
        _metric(
            "compression.speed",
            "Compression speed",
            _SPEED,
            "Bytes of the corpus divided by the time to compress it.",
            required=("threads",),
            optional=("qos", "core_context", "file_size"),
            roles=frozenset({Role.CHIEF}),
        ),
        _metric(
            "cores.loop_rate",
            "Loops per second",
            _RATE,
            "Loops per second of one thread, in a test that stays inside the core.",
            required=("kernel", "core_context", "threads"),
            optional=("qos",),
        ),
        _metric(
            "cores.added_loop_rate",
            "Loops per second per added thread",
            _RATE,
            "Slope of the total rate over threads beyond the fastest tier's cores. Derived.",
            required=("kernel", "core_context"),
            optional=("qos",),
        ),
        _metric(
            "cores.total_time",
            "Time until all threads finish",
            _TIME,
            "Time from the start of the first thread to the end of the last.",
            required=("kernel", "threads"),
            optional=("qos", "core_context", "loops"),
        ),
        _metric(
            "cores.slowest_thread",
            "Time of the slowest thread",
            _TIME,
            "Time of the thread that took longest.",
            required=("kernel", "threads"),
            optional=("qos", "core_context", "loops"),
        ),
        _metric(
            "cores.thread_time",
            "Time of one thread",
            _TIME,
            "Time of one thread for a stated number of loops. Times for different "
            "numbers of loops are never one series.",
            required=("kernel", "core_context", "loops"),
            optional=("qos", "threads"),
        ),
        _metric(
            "cores.added_thread_time",
            "Extra time per added thread",
            _TIME,
            "Slope of the summed thread times over the number of threads. Derived.",
            required=("kernel", "core_context", "loops"),
            optional=("qos",),
        ),
        _metric(
            "cores.frequency",
            "Core frequency",
            (Unit.HERTZ, Better.NONE),
            "Frequency of a cluster while a number of its cores were active.",
            required=("tier", "active_cores"),
            optional=("kernel", "core_context", "threads", "qos"),
        ),
        _metric(
            "power.cpu_total",
            "CPU power, total",
            _POWER,
            "Mean power of all CPU cores while the test ran.",
            required=("threads",),
            optional=("kernel", "core_context", "qos"),
            zero=True,
            roles=frozenset({Role.CHIEF}),
        ),
        _metric(
            "power.cpu_max",
            "CPU power, maximum",
            _POWER,
            "Highest power of the CPU, or of one core where the row says so.",
            optional=("kernel", "core_context", "threads", "qos"),
            zero=True,
        ),
        _metric(
            "power.core_max",
            "Core power, maximum",
            _POWER,
            "Highest power of one core.",
            required=("kernel", "core_context"),
            optional=("qos", "threads"),
            zero=True,
        ),
        _metric(
            "power.per_added_thread",
            "Extra power per added thread",
            _POWER,
            "Slope of total CPU power over the number of threads.",
            required=("kernel", "core_context"),
            optional=("qos", "threads"),
            zero=True,
        ),
        _metric(
            "energy.per_thread",
            "Energy per thread",
            _ENERGY,
            "Power multiplied by the time that one thread's work took.",
            required=("kernel", "core_context"),
            optional=("qos", "threads", "loops"),
            suite="power",
        ),
        _metric(
            "energy.per_added_thread",
            "Extra energy per added thread",
            _ENERGY,
            "Slope of total energy over the number of threads.",
            required=("kernel", "core_context", "loops"),
            optional=("qos", "threads"),
            suite="power",
        ),
        _metric(
            "workload.duration",
            "Workload time",
            _TIME,
            "Wall time of one repetition of a named command.",
            optional=("test",),
        ),
        _metric(
            "workload.user_time",
            "Workload user time",
            _TIME,
            "Processor time that one repetition of a named command spent in its own code.",
            optional=("test",),
            zero=True,
        ),
        _metric(
            "workload.system_time",
            "Workload system time",
            _TIME,
            "Processor time that the system spent for one repetition of a named command.",
            optional=("test",),
            zero=True,
        ),
        _metric(
            "workload.peak_memory",
            "Workload peak memory",
            _MEMORY,
            "The most memory that the largest process of one repetition had.",
            optional=("test",),
        ),
        _metric(
            "score.value",
            "Score",
            (Unit.POINTS, Better.HIGHER),
            "A benchmark's own score. Comparable only within one tool and test.",
            required=("test",),
        ),
    )
}
