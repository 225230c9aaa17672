"""Runs that write and read: the disk suite's methods, and hashing."""

from __future__ import annotations

from macmeter import Json
from macmeter.documents.methods import FULL, QUICK

from demo import laws
from demo.dice import Dice, rounded, series
from demo.fleet import Planned
from demo.target import speeds, target

# Fewer sets than the agent writes: they say the same here.
SETS = 3
STREAM_BYTES = 16 * 10**9
SUSTAINED_BYTES = 50 * 10**9
LATENCY_SAMPLES = 250
CACHED_READS = 2.6
MISTAKEN_SPEED = 0.4
BEYOND_LINK_SPEED = 6.3e9


def graded(run: Planned, dice: Dice) -> Json:
    """Write 16 file sizes in several sets, in one shuffled order, then read them in it."""
    result = _graded(run, dice, FULL.sizes, SETS)
    if run.fault == "cached":
        files = SETS * len(FULL.sizes)
        detail = f"{files - 3} of {files} files, 83.2% of all their pages"
        result["warnings"] = [{"code": "reads_may_be_cached", "detail": f"{detail} in memory"}]
    return result


def quick(run: Planned, dice: Dice) -> Json:
    """Write one set of the smaller files, each as a full run does, then read them."""
    return _graded(run, dice, QUICK.sizes, QUICK.sets) | {
        "method": "graded-files-quick",
        "version": 2,
    }


def _graded(run: Planned, dice: Dice, sizes: tuple[int, ...], sets: int) -> Json:
    rates = dict(zip(("write", "read"), speeds(run), strict=True))
    if run.fault == "cached":
        rates["read"] *= CACHED_READS
    elif run.fault == "beyond_link":
        rates["read"] = BEYOND_LINK_SPEED
    elif run.fault == "mistaken":
        rates = {kind: speed * MISTAKEN_SPEED for kind, speed in rates.items()}
    order = list(range(sets * len(sizes)))
    dice.random.shuffle(order)
    set_averages: list[Json] = []
    by_size: list[Json] = []
    flushed: list[int] = []
    for kind in ("write", "read"):
        # Reads faster than the link come from memory, where file size makes no difference.
        is_level = kind == "read" and run.fault == "beyond_link"
        size_speeds = [
            rates[kind] if is_level else laws.by_file_size(rates[kind], size, FULL.sizes, kind)
            for size in sizes
        ]
        values = [dice.several(speed * dice.disk, sets, 0.02) for speed in size_speeds]
        # A run that was cut short wrote every set but read only one.
        count = 1 if run.fault == "cut" and kind == "read" else sets
        averages = [
            round(sum(sizes) / sum(size / row[n] for size, row in zip(sizes, values, strict=True)))
            for n in range(count)
        ]
        set_averages.append(series(f"disk.{kind}_average", averages))
        if kind == "write":
            flushed = [round(average * laws.FLUSHED) for average in averages]
        for index, (size, row) in enumerate(zip(sizes, values, strict=True)):
            positions = [order[n * len(sizes) + index] + 1 for n in range(count)]
            speed = series(f"disk.{kind}_speed", rounded(row[:count]), positions, file_size=size)
            by_size.append(speed)
    set_averages.append(series("disk.write_flushed_average", flushed))
    return {
        "suite": "disk",
        "method": "graded-files",
        "parameters": {
            "sets": sets,
            "seed": dice.random.randrange(10**6),
            "block_size": 1 << 20,
            "rest": 0,
            "cache": "remounted" if "drive" in run.detail else "invalidated",
            "direct": True,
        },
        "target": target(run),
        "series": set_averages + by_size,
        "seconds": _seconds(sets * sum(sizes), rates),
    }


def _seconds(size: float, speeds: dict[str, float]) -> float:
    return 5 + sum(size / speed for speed in speeds.values())


def simultaneous(run: Planned, dice: Dice) -> Json:
    write, read = (speed * dice.disk for speed in speeds(run))
    return {
        "suite": "disk",
        "method": "simultaneous",
        "parameters": {
            "file_bytes": 2 * 10**9,
            "sets": SETS,
            "seed": dice.random.randrange(10**6),
            "block_size": 1 << 20,
            "cache": "invalidated",
            "direct": True,
        },
        "target": target(run),
        "series": [
            series("disk.write_average", rounded(dice.several(write, SETS))),
            series("disk.read_average", rounded(dice.several(read, SETS))),
        ],
        "seconds": 40,
    }


def sustained(run: Planned, dice: Dice) -> Json:
    """Speeds per second of one long write, which fills the drive's fast cache."""
    write = speeds(run)[0] * dice.disk
    after = write * laws.PAST_CACHE[run.detail["drive"].storage]
    written, seconds = 0.0, 0
    results: list[Json] = []
    while True:
        rate = write if written < laws.CACHE_BYTES else after
        if written + rate > SUSTAINED_BYTES:
            break
        written, seconds = written + rate, seconds + 1
        speed = rounded([dice.about(rate)])
        results.append(series("disk.sustained_write_speed", speed, elapsed=seconds))
    duration = seconds + (SUSTAINED_BYTES - written) / after
    average = SUSTAINED_BYTES / duration
    results.append(series("disk.write_average", rounded([average])))
    results.append(series("disk.write_flushed_average", rounded([average * laws.FLUSHED])))
    return {
        "suite": "disk",
        "method": "sustained-write",
        "parameters": {
            "bytes": SUSTAINED_BYTES,
            "seed": dice.random.randrange(10**6),
            "block_size": 1 << 20,
            "direct": True,
        },
        "target": target(run),
        "series": results,
        "seconds": round(duration),
    }


def latency(run: Planned, dice: Dice) -> Json:
    is_internal = "drive" not in run.detail
    read, write = laws.LATENCY["internal" if is_internal else "external"]
    tests: list[Json] = []
    parameters: Json = {
        "file_bytes": 1 << 30,
        "read_size": 4096,
        "write_size": 16384,
        "seed": dice.random.randrange(10**6),
        "cache": "invalidated",
        "queue": "threads",
        "direct": True,
    }
    for move, time in (("read", read), ("write", write)):
        for depth, factor in ((1, 1.0), (32, laws.QUEUED)):
            name = f"random_{move}_{'16k_' if move == 'write' else ''}qd{depth}"
            parameters[f"transfers_{name}"] = 20_000 if depth == 1 else 64_000
            seconds = dice.several(time * factor * dice.disk, LATENCY_SAMPLES, 0.12)
            tests.append(series("disk.latency", [round(value, 9) for value in seconds], test=name))
    tests.sort(key=lambda test: str(test["parameters"]["test"]))
    return {
        "suite": "disk",
        "method": "latency",
        "version": 2,
        "parameters": parameters,
        "target": target(run),
        "series": tests,
        "seconds": 60,
    }


def hash_run(run: Planned, dice: Dice) -> Json:
    read = speeds(run)[1] * dice.disk
    hashing, reading, memory = laws.hashing(run.mac.chip, read)
    order = list(range(9))
    dice.random.shuffle(order)
    speeds_by_metric = {
        "hash.sha256_speed": hashing,
        "disk.stream_read_speed": reading,
        "hash.sha256_memory_speed": memory,
    }
    results = []
    for part, (metric, value) in enumerate(speeds_by_metric.items()):
        values = rounded(dice.several(value, 3))
        positions = sorted(index + 1 for index in order[part * 3 : part * 3 + 3])
        results.append(series(metric, values, positions, file_size=STREAM_BYTES))
    return {
        "suite": "hash",
        "method": "stream-sha256",
        "parameters": {
            "passes": 3,
            "seed": dice.random.randrange(10**6),
            "block_size": 1 << 20,
            "blocks": 8,
            "file": "made",
            "cache": "invalidated",
            "direct": True,
        },
        "target": target(run),
        "series": results,
        "seconds": 90,
    }
