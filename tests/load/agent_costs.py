"""Costs of the agent itself: memory while measuring, its size, and processor time while waiting."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path
from typing import Any

from load.agent import ROOT, built, limited, measure
from load.disk_fio import scratch

MEMORY_LIMIT = 64 * 1024 * 1024
COMPRESSION_LIMIT = 256 * 1024 * 1024
SIZE_LIMIT = 20_000_000
# 0% as far as a process list shows it.
IDLE_LIMIT = 0.005
WAIT = 10


def figures() -> list[dict[str, Any]]:
    """`agent.memory`: the peak of every suite except compression, which has its own limit."""
    agent = built()
    with scratch() as (target, home):
        other_target = target.parent / "other"
        other_target.mkdir()
        home.mkdir()
        disk = ["disk", str(target), "--allow-low-space"]
        suites = [
            [*disk, "--quick"],
            [*disk, "--method", "latency", "--quick"],
            [*disk, "--method", "stream-read", "--quick"],
            [*disk, "--method", "sustained-write", "--quick"],
            [*disk, str(other_target), "--quick"],
            ["hash", str(target), "--quick", "--allow-low-space"],
            ["cores", "--quick"],
            ["cores", "--staggered"],
        ]
        peaks = {}
        for suite in suites:
            peak = measure(agent, home, *suite).peak_memory
            peaks[" ".join(suite[:1] + suite[2:])] = peak
        compression = measure(agent, home, "compress", str(target), "--quick", "--allow-low-space")

        def spent(seconds: int) -> float:
            workload = ["workload", "--name", "wait", "--repeat", "1", "--warm-up", "0"]
            return measure(agent, home, *workload, "--", "sleep", str(seconds)).processor

        # Without the time for starting and reading the machine's facts.
        idle = max(0.0, spent(WAIT) - spent(0)) / WAIT
    most = max(peaks, key=lambda name: peaks[name])
    print(f"  the most memory: {most}")
    return [
        limited("agent.memory", "B", peaks[most], MEMORY_LIMIT, len(peaks)),
        limited("agent.memory.compression", "B", compression.peak_memory, COMPRESSION_LIMIT, 1),
        limited("agent.size", "B", binary(agent).stat().st_size, SIZE_LIMIT, 1),
        limited("agent.idle", "1", idle, IDLE_LIMIT, 1),
    ]


def binary(command: str) -> Path:
    """The stripped program itself, which a launcher starts where Swift has its own directory."""
    program = Path(command)
    if program.read_bytes()[:2] == b"#!":
        line = program.read_text().splitlines()[-1]
        program = Path(shlex.split(line)[-2])
    described = subprocess.run(
        ["file", "-b", str(program)], capture_output=True, text=True, check=False
    )
    if "not stripped" in described.stdout:
        raise RuntimeError(f"{program.relative_to(ROOT)} is not stripped")
    return program
