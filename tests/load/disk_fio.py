"""The agent's disk speeds compared with fio's in the same directory.

A pair is a quick run of the agent and the mean of two fio runs of the same sizes, one before and
one after it, so that a disk that changes meanwhile favours neither. Same block size, both past the
cache, both flushing after each file outside the measured time. Time is the sum of the transfers
alone on both sides (fio: completions of its reads and writes). Both are pinned to one core: in a
virtual machine whose disk interrupts one core, the scheduler's choice matters by more than 10%. And
fio does not rewrite its buffer between transfers (the agent writes a word to each page): a host
that copies from memory is slower by as much if another core's cache holds what it copies. Both keep
their buffers in huge pages: a block whose pages are scattered in memory goes to the device in more
pieces, and where pages are is chance (in a virtual machine it doubled fio's own read speed). If the
system has no huge pages, fio uses ordinary ones, and the output says so.

fio writes and reads in one job each, over files that are created beforehand, without contents: a
job is a new thread with untouched buffers, whose first transfers take up to three times as long.
Files under 20 MB are left out on both sides: fio moves only whole blocks, so its files are up to a
block shorter than the agent's, and much of a small file's time is its first block's. Speeds are
bytes over time.
"""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean
from typing import Any

from load.agent import ROOT, built, compared, measure

# A pair writes and reads about 1 GB each, in two seconds. On a shared disk, pairs differ widely:
# more are made until the medians are known closely enough.
PAIRS = range(15, 82)
CLOSE = 0.03
BLOCK = 1 << 20
SIZES = [megabytes * 1_000_000 for megabytes in (20, 40, 60, 80, 100, 200)]
MOVES = ("write", "read")
JOBS = 3  # the most that use huge pages, here and for latency
HUGE_PAGES = Path("/proc/sys/vm/nr_hugepages")

Speeds = dict[str, float]


def figures() -> list[dict[str, Any]]:
    """`disk.write/fio` and `disk.read/fio`: B/s, medians over pairs."""
    if shutil.which("fio") is None:
        raise RuntimeError("fio is not installed: apt-get install fio (macOS: brew install fio)")
    agent = built()
    with scratch() as (target, home), one_core(), huge_pages() as memory_kind:
        pairs = surrounded(
            PAIRS, lambda: speeds_of_agent(agent, target, home), lambda: fio(target, memory_kind)
        )
    return [
        compared(f"disk.{move}/fio", "B/s", [(ours[move], theirs[move]) for ours, theirs in pairs])
        for move in MOVES
    ]


def surrounded(
    counts: range, ours: Callable[[], Speeds], theirs: Callable[[], Speeds], runs: int = 1
) -> list[tuple[Speeds, Speeds]]:
    """Pair the mean of `runs` of ours with that of theirs before, between and after; as many pairs
    as `counts` allows, until the medians are known closely enough.
    """
    pairs: list[tuple[Speeds, Speeds]] = []
    last = theirs()
    while len(pairs) < counts.start or (len(pairs) < counts.stop - 1 and not known(pairs)):
        own_speeds, around = [], [last]
        for _ in range(runs):
            own_speeds.append(ours())
            around.append(last := theirs())
        pairs.append((means(own_speeds), means(around)))
    return pairs


def means(speeds: list[Speeds]) -> Speeds:
    return {move: mean(item[move] for item in speeds) for move in MOVES}


def ratios(move: str, pairs: list[tuple[Speeds, Speeds]]) -> list[float]:
    return sorted(ours[move] / theirs[move] for ours, theirs in pairs)


def known(pairs: list[tuple[Speeds, Speeds]]) -> bool:
    """Return whether both medians' 95% intervals (by rank) are within CLOSE on either side.

    Looks only at the width, never at the value: stopping early favours no result.
    """
    reach = 0.98 * math.sqrt(len(pairs))
    low, high = math.floor(len(pairs) / 2 - reach), math.ceil(len(pairs) / 2 + reach)
    return all(
        values[min(high, len(values) - 1)] / values[max(low, 0)] <= (1 + CLOSE) ** 2
        for values in (ratios(move, pairs) for move in MOVES)
    )


@contextmanager
def scratch() -> Iterator[tuple[Path, Path]]:
    """A directory to measure, on the repository's own disk, and a home for the agent's state."""
    with tempfile.TemporaryDirectory(prefix=".bench-disk-", dir=ROOT) as directory:
        target, home = Path(directory, "target"), Path(directory, "home")
        target.mkdir()
        yield target, home


@contextmanager
def one_core() -> Iterator[None]:
    """Pin this process and its children to one core, if the platform can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(allowed)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, allowed)


@contextmanager
def huge_pages() -> Iterator[str]:
    """Reserve huge pages, return them at the end, and yield fio's value of `mem`."""
    before = HUGE_PAGES.read_text() if HUGE_PAGES.exists() else ""
    try:
        # Two for each job of a file: fio asks for a block and a little more.
        HUGE_PAGES.write_text(str(int(before) + 2 * JOBS))
    except (OSError, ValueError):
        print("  no huge pages for fio here: where its buffers lie in memory is chance")
        yield "malloc"
        return
    try:
        yield "mmaphuge"
    finally:
        HUGE_PAGES.write_text(before)


def speeds_of_agent(agent: str, target: Path, home: Path) -> Speeds:
    """The agent's speeds over SIZES in B/s."""
    result = measure(agent, home, "disk", str(target), "--quick", "--allow-low-space")
    return {
        move: sum(SIZES)
        / sum(size / result.values(f"disk.{move}_speed", file_size=size)[0] for size in SIZES)
        for move in MOVES
    }


def fio(target: Path, memory_kind: str) -> Speeds:
    """Measure fio's speeds over SIZES in B/s with buffers of that kind, and remove its files."""
    options = {
        "directory": target,
        "filename": ":".join(f"fio-{size}" for size in SIZES),
        "file_service_type": "sequential",
        "ioengine": "psync",
        "bs": BLOCK,
        "direct": 1,
        "thread": 1,
        "fallocate": "none",
        "fsync_on_close": 1,
        "scramble_buffers": 0,
        "mem": memory_kind,
    }
    files = [target / f"fio-{size}" for size in SIZES]
    for file, size in zip(files, SIZES, strict=True):
        # Files have their final size, as only then one job writes files of several sizes.
        with file.open("wb") as opened:
            opened.truncate(size // BLOCK * BLOCK)
    lines = ["[global]", *(f"{name}={value}" for name, value in options.items())]
    for move in MOVES:
        lines += [f"[{move}]", "stonewall", f"rw={move}"]
    jobs = target.parent / "jobs.fio"
    jobs.write_text("\n".join(lines) + "\n")
    command = ["fio", "--output-format=json", str(jobs)]
    process = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    for file in files:
        file.unlink()
    report = json.loads(process.stdout[process.stdout.index("{") :])
    return {job["jobname"]: speed([job[job["jobname"]]]) for job in report["jobs"]}


def speed(transfers: list[dict[str, Any]]) -> float:
    """Bytes over the time that the transfers took, in B/s."""
    seconds = sum(item["lat_ns"]["mean"] * item["total_ios"] / 1e9 for item in transfers)
    return float(sum(item["io_bytes"] for item in transfers) / seconds)


if __name__ == "__main__":
    for figure in figures():
        print(figure)
