"""How much an in-core kernel's rate varies, beside a plain C loop's in the same run.

A round is ten repetitions of each, one after the other in turn: whatever disturbs this machine
disturbs both. A coefficient of variation of ten is itself uncertain by a quarter, so that the
figure is the median over rounds.
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
        loops = int(rate(plain, 20_000_000) * SECONDS)
        command = ("cores", "--quick", "--kernels", "int64", "--threads", "1")

        def ours() -> float:
            return measure(agent, directory / "home", *command).values("cores.loop_rate")[0]

        rounds = [alternated(REPETITIONS, ours, lambda: rate(plain, loops)) for _ in range(ROUNDS)]
    return [
        compared("cores.cv", "1", [(variation(ours), variation(theirs)) for ours, theirs in
                                   (zip(*pairs, strict=True) for pairs in rounds)])
    ]  # fmt: skip


def rate(command: list[str], loops: int) -> float:
    """Loops a second of the plain loop."""
    done = subprocess.run(
        [*command, str(loops)], check=True, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    return float(done.stdout)


def variation(rates: tuple[float, ...]) -> float:
    return statistics.stdev(rates) / statistics.mean(rates)
