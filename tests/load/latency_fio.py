"""The agent's latency at queue depth 1 compared with fio's: 4 KiB randread, 16 KiB randwrite.

Same file size, same number of transfers, both past the cache with synchronous calls, both in huge
pages and on one core (see disk_fio). The figure is the median of single transfers; fio's comes from
its histogram, whose steps are under 2%.

Shared storage switches between response times: on one virtual machine a transfer took 41 or 51 us,
for a tenth of a second to several seconds at a stretch, for all programs (fio, the agent, or thirty
lines of C), whichever file, and with the core kept awake too. A pair that straddles a change is off
by a quarter, and 21 pairs could be off by a tenth. So runs of fio and of the agent alternate, a
pair is the means of several runs of each, and more are made until the medians are known closely
enough.
"""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

from load.agent import built, compared, measure
from load.disk_fio import MOVES, huge_pages, one_core, scratch, surrounded

PAIRS = range(5, 9)
# By name: `make bench ONLY=latency`.
THOROUGH_PAIRS = range(11, 26)
RUNS = 4
BYTES = 256 << 20
TRANSFERS = 2000
DEEPEST, DEEP_TRANSFERS = 32, 6400
SIZES = {"read": "4k", "write": "16k"}
NAMES = {"read": "random_read_qd1", "write": "random_write_16k_qd1"}
# In a new random order each time, like the agent's: a test is slower after one that writes.
TESTS = [(move, depth) for move in MOVES for depth in (1, DEEPEST)]

Latencies = dict[str, float]


def figures() -> list[dict[str, Any]]:
    """`latency.read/fio` and `latency.write/fio`: seconds of one transfer."""
    return _figures(PAIRS)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more pairs."""
    return _figures(THOROUGH_PAIRS)


def _figures(pairs_allowed: range) -> list[dict[str, Any]]:
    agent = built()
    with scratch() as (target, home), one_core(), huge_pages() as memory:
        pairs = surrounded(
            pairs_allowed,
            lambda: latencies_of_agent(agent, target, home),
            lambda: fio(target, memory),
            runs=RUNS,
        )
    return [
        compared(f"latency.{move}/fio", "s", [(ours[move], theirs[move]) for ours, theirs in pairs])
        for move in reversed(MOVES)
    ]


def latencies_of_agent(agent: str, target: Path, home: Path) -> Latencies:
    """Median of the agent's transfers each way, in seconds."""
    command = ("disk", str(target), "--method", "latency", "--quick", "--allow-low-space")
    result = measure(agent, home, *command)
    return {move: median(result.values("disk.latency", test=NAMES[move])) for move in MOVES}


def fio(target: Path, memory: str) -> Latencies:
    """Median of fio's transfers each way, in seconds, on a file that it writes first."""
    file = target / "fio-latency"
    options = {
        "filename": file,
        "size": BYTES,
        "ioengine": "psync",
        "direct": 1,
        "thread": 1,
        "mem": memory,
        "fallocate": "none",
        "scramble_buffers": 0,
    }
    lines = ["[global]", *(f"{name}={value}" for name, value in options.items())]
    lines += ["[lay]", "rw=write", "bs=1M", "end_fsync=1"]
    for move, depth in random.sample(TESTS, len(TESTS)):
        count = (TRANSFERS if depth == 1 else DEEP_TRANSFERS) // depth
        lines += [f"[{move}{depth}]", "stonewall", f"rw=rand{move}", f"bs={SIZES[move]}"]
        lines += [f"numjobs={depth}", "group_reporting", f"number_ios={count}"]
        lines += ["mem=malloc"] if depth > 1 else []  # not counted, and huge pages are few
    jobs = target.parent / "latency.fio"
    jobs.write_text("\n".join(lines) + "\n")
    process = subprocess.run(
        ["fio", "--output-format=json", str(jobs)], check=True, stdout=subprocess.PIPE, text=True
    )
    file.unlink()
    report = json.loads(process.stdout[process.stdout.index("{") :])
    found = {job["jobname"]: job for job in report["jobs"]}
    return {
        move: found[f"{move}1"][move]["clat_ns"]["percentile"]["50.000000"] / 1e9 for move in MOVES
    }


if __name__ == "__main__":
    for figure in figures():
        print(figure)
