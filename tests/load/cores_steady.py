"""Variation of an in-core kernel's rate, relative to a plain C loop's at the same time.

Repetitions of both alternate, each in its own process, equally long and warmed up alike:
disturbances of this machine affect both, and neither keeps a core that the other has to find again.
A round is ten repetitions of each and gives two coefficients of variation; one of ten is itself
uncertain by a quarter, so a run's figure is the median over its rounds. During every other run
another process keeps a core busy. With 15 rounds, if asked for by name, it takes about 40 minutes.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from load.agent import ROOT, alternated, built, compared, compiled, limited, measure


class Effort(NamedTuple):
    runs: int
    rounds: int
    """Rounds per run."""


SHORT = Effort(2, 3)
THOROUGH = Effort(10, 15)
REPETITIONS = 10
SECONDS = 0.5
WORST = 1.5
SOURCE = Path(__file__).with_suffix(".c")
Rates = Callable[[], float]


def figures() -> list[dict[str, Any]]:
    """`cores.cv`: standard deviation over mean of the rates of one thread; ratio of the median run.

    `cores.cv.worst` is the ratio of the worst run.
    """
    return _figures(SHORT)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more runs and rounds."""
    return _figures(THOROUGH)


def _figures(effort: Effort) -> list[dict[str, Any]]:
    agent = built()
    with tempfile.TemporaryDirectory(prefix=".bench-cores-", dir=ROOT) as name:
        directory = Path(name)
        plain = compiled(SOURCE, directory / "plain")
        loops = int(rate(plain, 40_000_000) * SECONDS)
        command = ["cores", "--quick", "--kernels", "int64", "--threads", "1"]

        def ours() -> float:
            with tempfile.TemporaryDirectory(dir=directory) as home:
                (value,) = measure(agent, Path(home), *command).values("cores.loop_rate")
            return value

        def theirs() -> float:
            return rate(plain, loops)

        runs = []
        for number in range(effort.runs):
            with busy_core() if number % 2 else contextlib.nullcontext():
                runs.append(run(ours, theirs, effort.rounds))
            load = "beside a busy core" if number % 2 else "alone"
            label = f"{number + 1} of {effort.runs}, {load}"
            print(f"  {label}: ratio {runs[-1]['ratio']:.3f}", flush=True)
    worst = max(run["ratio"] for run in runs)
    return [
        {
            field: statistics.median(run[field] for run in runs)
            for field in ("value", "reference", "ratio")
        }
        | {"name": "cores.cv", "unit": "1", "n": effort.runs},
        limited("cores.cv.worst", "1", worst, WORST, effort.runs),
    ]


def run(ours: Rates, theirs: Rates, rounds: int) -> dict[str, Any]:
    """Median coefficients of variation over the rounds, and the median of their ratios."""
    rounds_measured = [alternated(REPETITIONS, ours, theirs) for _ in range(rounds)]
    pairs = [
        (variation([a for a, _ in pairs]), variation([b for _, b in pairs]))
        for pairs in rounds_measured
    ]
    return compared("", "1", pairs)


def rate(command: list[str], loops: int) -> float:
    """Loops per second of the plain loop."""
    line = [*command, str(loops)]
    process = subprocess.run(line, check=True, stdout=subprocess.PIPE, text=True, env=os.environ)
    return float(process.stdout)


def variation(rates: list[float]) -> float:
    return statistics.stdev(rates) / statistics.mean(rates)


@contextlib.contextmanager
def busy_core() -> Iterator[None]:
    """Keep one core busy with another process."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()
