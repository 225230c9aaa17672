"""The agent's 4 KiB latency at queue depth 1 beside fio's randread and randwrite.

Same file size, same number of transfers, both past the cache with synchronous calls, both in huge
pages and on one core (see disk_fio). The figure is the median of single transfers; fio's comes
from its histogram, whose steps are under 2%.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from statistics import median
from typing import Any

from load.agent import alternated, built, compared, measure
from load.disk_fio import huge_pages, one_core, scratch

PAIRS = 21
BYTES = 256 << 20
TRANSFERS = 2000
MOVES = ("read", "write")


def figures() -> list[dict[str, Any]]:
    """`latency.read/fio` and `latency.write/fio`: seconds of one transfer."""
    agent = built()
    found = []
    with scratch() as (target, home), one_core(), huge_pages() as memory:
        for move in MOVES:

            def ours(move: str = move) -> float:
                command = (
                    "disk",
                    str(target),
                    "--method",
                    "latency",
                    "--quick",
                    "--allow-low-space",
                )
                measured = measure(agent, home, *command)
                return median(measured.values("disk.latency", test=f"random_{move}_qd1"))

            def theirs(move: str = move) -> float:
                return fio(target, move, memory)

            found.append(compared(f"latency.{move}/fio", "s", alternated(PAIRS, ours, theirs)))
    return found


def fio(target: Path, move: str, memory: str) -> float:
    """The median of fio's transfers, in seconds, on a file that it writes first."""
    file = target / "fio-latency"
    common = [
        f"--filename={file}",
        f"--size={BYTES}",
        "--ioengine=psync",
        "--direct=1",
        "--thread=1",
    ]
    common += [f"--mem={memory}", "--fallocate=none", "--scramble_buffers=0"]
    lay = ["fio", "--name=lay", "--rw=write", "--bs=1M", "--end_fsync=1", *common]
    subprocess.run(lay, check=True, stdout=subprocess.DEVNULL)
    test = [
        "fio",
        "--name=test",
        f"--rw=rand{move}",
        "--bs=4k",
        f"--number_ios={TRANSFERS}",
        *common,
    ]
    done = subprocess.run(
        [*test, "--output-format=json"], check=True, stdout=subprocess.PIPE, text=True
    )
    file.unlink()
    report = json.loads(done.stdout[done.stdout.index("{") :])
    return float(report["jobs"][0][move]["clat_ns"]["percentile"]["50.000000"]) / 1e9
