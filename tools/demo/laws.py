"""True values of the demo's machines: those of a measurement without noise.

Plain functions and tables, so that anybody who doubts a figure on a page can work out what it
should be. `planted` returns them all as data, for the file beside the demo.
"""

from __future__ import annotations

from macmeter import Json

from demo.silicon import CHIPS, GB, Chip, Tier

MIB = 1 << 20
# Reference of other chips' processor speeds.
M4_PRO = next(chip for chip in CHIPS if chip.name == "Apple M4 Pro")

# External drives: B/s written and read over a whole run.
DRIVES: dict[str, tuple[float, float]] = {
    "thunderbolt3": (2.05e9, 2.45e9),
    "usb4": (3.05e9, 3.25e9),
    "thunderbolt5": (5.35e9, 5.95e9),
    "usb3": (0.93e9, 0.98e9),
}
LINKS = {"thunderbolt3": 40e9, "usb4": 40e9, "thunderbolt5": 80e9, "usb3": 10e9}
# Two models of each kind, and the second's speed relative to the first's.
DEVICES = {
    "thunderbolt3": ("Example TB3 SSD", "Sample TB3 SSD"),
    "usb4": ("Example USB4 SSD", "Sample USB4 SSD"),
    "thunderbolt5": ("Example TB5 SSD", "Sample TB5 SSD"),
    "usb3": ("Example USB SSD", "Sample USB SSD"),
}
SECOND_DEVICE = 0.9
# Share of the speed that encryption leaves, written and read.
ENCRYPTED: dict[str, tuple[float, float]] = {
    "thunderbolt3": (0.97, 0.96),
    "usb4": (0.90, 0.94),
    "thunderbolt5": (0.84, 0.92),
    "usb3": (0.99, 0.99),
}
FILEVAULT = (0.98, 0.99)  # relative to hardware encryption, which is always on
DOCK = "Example TB4 Dock"
DOCKED: dict[str, tuple[float, float]] = {
    "thunderbolt3": (0.42, 0.90),
    "usb4": (0.76, 0.88),
}
SIMULTANEOUS = (0.81, 0.83)  # of each of two drives at once, relative to one alone
FLUSHED = 0.96  # of a write with its flush to the device, relative to one without
KNEE = {"write": 1.2e6, "read": 2.0e6}  # bytes of a file half as fast as a large one
# Bytes that fill a drive's fast cache, and the share of the speed left then.
CACHE_BYTES = 24 * GB
PAST_CACHE = {"internal": 1.0, "thunderbolt3": 0.55, "usb4": 0.6, "thunderbolt5": 0.7, "usb3": 0.45}

# Disk images relative to the internal SSD below, written and read, by format.
IMAGES: dict[str, tuple[float, float]] = {
    "raw": (0.62, 0.85),
    "asif": (0.78, 0.90),
    "sparsebundle": (0.90, 0.80),
    "sparseimage": (0.28, 0.72),
}
# Changes of disk images by macOS: the factors in that version, written and read.
IMAGES_SINCE: dict[str, dict[str, tuple[float, float]]] = {
    "15.7": {"raw": (0.80, 0.95)},
    "26.4": {"asif": (1.12, 1.05)},
}
NO_ASIF = ("15.7",)
IMAGE_ENCRYPTED: dict[str, dict[str, tuple[float, float]]] = {
    "image_aes128": {
        "raw": (0.76, 0.82),
        "asif": (0.80, 0.84),
        "sparsebundle": (0.84, 0.88),
        "sparseimage": (0.70, 0.75),
    },
    "image_aes256": {
        "raw": (0.68, 0.74),
        "asif": (0.72, 0.78),
        "sparsebundle": (0.78, 0.82),
        "sparseimage": (0.62, 0.68),
    },
}

# macOS versions by the week of the demo from which a machine may have them.
OS_WEEKS = (("26.1", -99), ("26.2", 2), ("26.3", 6), ("26.4", 10))
OS_BUILDS = {
    "15.7": "24G222",
    "26.1": "25B78",
    "26.2": "25C56",
    "26.3": "25D125",
    "26.4": "25E246",
}
# The planted regression: internal storage of these chips writes slower in that macOS.
REGRESSION_SINCE = "26.4"
REGRESSION_CHIPS = ("Apple M1 Pro", "Apple M2", "Apple M3 Pro")
REGRESSION = 0.88

# Guests relative to their host's internal storage, written and read; and their compression.
VIRTUAL_DISK = (0.72, 0.85)
VIRTUAL_SPEED = 0.92

LOW_POWER = 0.62  # of every frequency at high quality of service
LOW_POWER_WATTS = 0.35
# Share of the highest frequency with 1, 2, 3 ... fastest cores active; the last applies to more.
ACTIVE: dict[str, tuple[float, ...]] = {
    "M1": (1.0, 0.970, 0.941),
    "M2": (1.0, 0.975, 0.950),
    "M3": (1.0, 0.987, 0.975),
    "M4": (1.0, 0.979, 0.870, 0.862, 0.854),
    "M5": (1.0, 0.982, 0.905, 0.880),
}
# Loops per cycle of an M1's fastest tier; families and lower tiers do more or less.
KERNELS = {"int64": 0.0480, "fp64": 0.0400, "neon": 0.0720}
PER_CYCLE = {"M1": 1.0, "M2": 1.02, "M3": 1.10, "M4": 1.18, "M5": 1.25}
LOWER_TIER = {"Efficiency": 0.62, "Performance": 0.90}
# Watts of a thread on the fastest tier and on the lower tier; then of a quiet chip.
WATTS = {"M1": (1.05, 0.20), "M2": (1.20, 0.24), "M3": (1.25, 0.22), "M4": (1.30, 0.28)}
WATTS |= {"M5": (1.40, 0.30)}
QUIET_WATTS = 0.12
PERFORMANCE_WATTS = 0.9  # of a Performance core beside Super ones
ENERGY_LOOPS = 10**9

# Compression of 1 GiB: B/s of a thread on the M4's fastest tier at its highest frequency, the
# relative speed of the lower tier's threads, and the share of storage speed.
THREAD_SPEED = 0.290e9
LOWER_THREAD = {"Efficiency": 0.31, "Performance": 0.85}
CORPUS = 1024 * MIB
FROM_STORAGE = 1.1  # of the target's write speed, the limit of compression from file to file

HASH_MEMORY = {"M1": 2.10e9, "M2": 2.30e9, "M3": 2.60e9, "M4": 2.90e9, "M5": 3.10e9}
HASHING = 0.95  # of the lower of reading and hashing from memory
STREAM_READ = 1.08  # of the average over files of all sizes
LATENCY = {"internal": (95e-6, 35e-6), "external": (140e-6, 60e-6)}
QUEUED = 6.0  # time of a transfer with 32 under way at once, relative to one alone

# Seconds of a build on an M4 Pro, by its volume's label iops and without one.
WORKLOAD = "xcodebuild"
WORKLOAD_SECONDS = {"3000": 412.0, "12000": 268.0}
PLAIN_WORKLOAD = "swift-build"
PLAIN_SECONDS = 96.0
SCORES = {"Single-Core": 3850.0, "Multi-Core": 22500.0}


def low_power(mode: str) -> float:
    return LOW_POWER if mode == "low" else 1.0


def internal(chip: Chip, encryption: str, os_version: str) -> tuple[float, float]:
    """Speeds written and read on the internal SSD."""
    write, read = chip.write, chip.read
    if encryption == "filevault":
        write, read = write * FILEVAULT[0], read * FILEVAULT[1]
    if chip.name in REGRESSION_CHIPS and os_version == REGRESSION_SINCE:
        write *= REGRESSION
    return write, read


def external(
    storage: str, device: str, encryption: str, via: str | None, simultaneous: int
) -> tuple[float, float]:
    """Speeds written and read on an external drive, whichever Mac it is connected to."""
    write, read = DRIVES[storage]
    factors = []
    if device == DEVICES[storage][1]:
        factors.append((SECOND_DEVICE, SECOND_DEVICE))
    if encryption == "apfs_encrypted":
        factors.append(ENCRYPTED[storage])
    if via is not None:
        factors.append(DOCKED[storage])
    if simultaneous > 1:
        factors.append(SIMULTANEOUS)
    for write_factor, read_factor in factors:
        write, read = write * write_factor, read * read_factor
    return write, read


def image(chip: Chip, image_format: str, encryption: str, os_version: str) -> tuple[float, float]:
    """Speeds written and read in a disk image on the internal SSD, whose encryption is ignored."""
    factors = [IMAGES[image_format]]
    if image_format in IMAGES_SINCE.get(os_version, {}):
        factors.append(IMAGES_SINCE[os_version][image_format])
    if encryption in IMAGE_ENCRYPTED:
        factors.append(IMAGE_ENCRYPTED[encryption][image_format])
    write, read = chip.write, chip.read
    for write_factor, read_factor in factors:
        write, read = write * write_factor, read * read_factor
    return write, read


def virtual_disk(host: Chip, encryption: str, os_version: str) -> tuple[float, float]:
    """Speeds written and read in a guest, from those of its host's internal SSD."""
    write, read = internal(host, encryption, os_version)
    return write * VIRTUAL_DISK[0], read * VIRTUAL_DISK[1]


def by_file_size(average: float, size: int, sizes: tuple[int, ...], kind: str) -> float:
    """Speed of one file if a set of files of `sizes` averages `average`."""
    knee = KNEE[kind]
    largest = average * (1 + len(sizes) * knee / sum(sizes))
    return largest * size / (size + knee)


def frequency(chip: Chip, tier: Tier, active: int, mode: str, *, background: bool = False) -> float:
    """Frequency in hertz of a tier with `active` cores active."""
    if background:
        return float(tier.low)
    if tier is not chip.tiers[0]:
        return tier.high * low_power(mode)
    steps = ACTIVE[chip.family]
    return tier.high * steps[min(active, len(steps)) - 1] * low_power(mode)


def per_cycle(chip: Chip, tier: Tier) -> float:
    lower = 1.0 if tier is chip.tiers[0] else LOWER_TIER[tier.name]
    return PER_CYCLE[chip.family] * lower


def loop_rates(
    chip: Chip, kernel: str, threads: int, mode: str, *, background: bool
) -> list[float]:
    """Loops per second of each thread: the fastest tier fills first, then the next."""
    rates: list[float] = []
    for tier in [chip.tiers[-1]] if background else chip.tiers:
        active = min(tier.cores, threads - len(rates))
        hertz = frequency(chip, tier, active, mode, background=background) if active else 0.0
        rates += [hertz * per_cycle(chip, tier) * KERNELS[kernel]] * active
    return rates


def compression(chip: Chip, threads: int, mode: str) -> float:
    """B/s in memory: linear up to the fastest tier's cores, and flatter beyond."""
    fastest, lower = chip.tiers[0], chip.tiers[-1]
    hertz = fastest.high / M4_PRO.tiers[0].high
    thread_speed = THREAD_SPEED * hertz * PER_CYCLE[chip.family] / PER_CYCLE["M4"] * low_power(mode)
    fast = min(threads, fastest.cores)
    return thread_speed * (fast + (threads - fast) * LOWER_THREAD[lower.name])


def watts(chip: Chip, threads: int, mode: str) -> float:
    """Watts of the CPU with `threads` at high quality of service."""
    fast, slow = WATTS[chip.family]
    lower = chip.tiers[-1]
    if lower.name == "Performance":
        slow = PERFORMANCE_WATTS
    fast_threads = min(threads, chip.tiers[0].cores)
    share = LOW_POWER_WATTS if mode == "low" else 1.0
    return QUIET_WATTS + (fast_threads * fast + (threads - fast_threads) * slow) * share


def hashing(chip: Chip, read: float) -> tuple[float, float, float]:
    """B/s while reading, of reading alone, and from memory."""
    memory, stream = HASH_MEMORY[chip.family], read * STREAM_READ
    return HASHING * min(memory, stream), stream, memory


def build_seconds(chip: Chip, iops: str | None) -> float:
    """Seconds of a build on all cores, on a volume with `iops` or on the internal one."""
    reference, speed = (compression(c, c.cores, "automatic") for c in (M4_PRO, chip))
    base = PLAIN_SECONDS if iops is None else WORKLOAD_SECONDS[iops]
    return float(base * (reference / speed) ** 0.5)


def score(chip: Chip, test: str) -> float:
    """Points of one thread or of all cores."""
    threads = {"Single-Core": (1, 1), "Multi-Core": (chip.cores, M4_PRO.cores)}[test]
    of, to = (compression(c, n, "automatic") for c, n in zip((chip, M4_PRO), threads, strict=True))
    return SCORES[test] * of / to


def planted() -> Json:
    """The tables above as data: the values that a measurement without noise would have."""
    return {
        "internal": {chip.name: {"write": chip.write, "read": chip.read} for chip in CHIPS},
        "filevault": _pair(FILEVAULT),
        "external": {storage: _pair(pair) for storage, pair in DRIVES.items()},
        "second_device": SECOND_DEVICE,
        "encryption": {storage: _pair(pair) for storage, pair in ENCRYPTED.items()},
        "docked": {storage: _pair(pair) for storage, pair in DOCKED.items()},
        "simultaneous": _pair(SIMULTANEOUS),
        "images": {name: _pair(pair) for name, pair in IMAGES.items()},
        "images_since": {
            version: {name: _pair(pair) for name, pair in formats.items()}
            for version, formats in IMAGES_SINCE.items()
        },
        "image_encryption": {
            name: {image_format: _pair(pair) for image_format, pair in formats.items()}
            for name, formats in IMAGE_ENCRYPTED.items()
        },
        "virtual_disk": _pair(VIRTUAL_DISK),
        "virtual_compression": VIRTUAL_SPEED,
        "low_power_frequency": LOW_POWER,
        "low_power_watts": LOW_POWER_WATTS,
        "frequency": {
            chip.name: {
                tier.name: [
                    frequency(chip, tier, active, "automatic")
                    for active in range(1, tier.cores + 1)
                ]
                for tier in chip.tiers
            }
            for chip in CHIPS
        },
        "compression": {
            chip.name: {
                "speed": [compression(chip, n, "automatic") for n in range(1, chip.cores + 1)],
                "knee_after": chip.tiers[0].cores,
            }
            for chip in CHIPS
        },
        "watts": {
            chip.name: [watts(chip, n, "automatic") for n in range(chip.cores + 1)]
            for chip in CHIPS
        },
        "workload_seconds": {
            chip.name: {iops: build_seconds(chip, iops) for iops in WORKLOAD_SECONDS}
            for chip in CHIPS
        },
        "regression": {
            "metric": "disk.write_average",
            "storage": "internal",
            "since": REGRESSION_SINCE,
            "chips": list(REGRESSION_CHIPS),
            "factor": REGRESSION,
        },
    }


def _pair(pair: tuple[float, float]) -> dict[str, float]:
    return {"write": pair[0], "read": pair[1]}
