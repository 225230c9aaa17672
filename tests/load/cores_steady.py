"""How much an in-core kernel's rate varies, beside a plain C loop's in the same run.

A round is ten repetitions of each, in one process each, the two taking turns at going first:
whatever disturbs this machine disturbs both. A coefficient of variation of ten is itself uncertain
by a quarter, so that the figure is the median over rounds.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from load.agent import ROOT, alternated, built, compared, compiled, measure

ROUNDS = 15
REPETITIONS = 10
SECONDS = 0.5
SOURCE = Path(__file__).with_suffix(".c")


def figures() -> list[dict[str, Any]]:
    """`cores.cv`: standard deviation over mean of ten rates of one thread."""
    agent = built()
    with tempfile.TemporaryDirectory(prefix=".bench-cores-", dir=ROOT) as name:
        directory = Path(name)
        plain = compiled(SOURCE, directory / "plain")
        loops = int(rates(plain, 20_000_000, 1)[0] * SECONDS)
        command = ["cores", "--quick", "--kernels", "int64", "--threads", "1"]
        command += ["--repetitions", str(REPETITIONS)]

        def ours() -> float:
            measured = measure(agent, directory / "home", *command)
            return variation(measured.values("cores.loop_rate"))

        def theirs() -> float:
            return variation(rates(plain, loops, REPETITIONS))

        return [compared("cores.cv", "1", alternated(ROUNDS, ours, theirs))]


def rates(command: list[str], loops: int, repetitions: int) -> list[float]:
    """Loops a second of the plain loop, each time."""
    line = [*command, str(loops), str(repetitions)]
    done = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True, env=os.environ)
    return [float(rate) for rate in done.stdout.split()]


def variation(rates: list[float]) -> float:
    return statistics.stdev(rates) / statistics.mean(rates)
