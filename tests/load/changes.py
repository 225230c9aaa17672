"""False alarms on steady lines, and the share of changes found.

Every spread, memory and length: simulations of the product's own code, each printed with its
standard error. `changes.false` is the worst of all cells against the promised 1%; cells that seem
to be above it are simulated again ten times as often.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from macmeter.statistics.changes import SHORTEST, changes
from support.spreads import error
from support.steady import STEADY, steady_lines

SIMULATIONS = 4_000
CLOSER = 10
# For the power curve, which promises nothing.
FEWER = 1_000
LENGTHS = (SHORTEST, 20, 50, 100)
# A run a day for three years: the whole line is examined.
LONG = 1_000
OF_LONG = ("normal", "two far peaks", "exponential shocks")
# Share of a value that remains in the next.
MEMORIES = (0.0, 0.3, 0.6)
# In standard deviations of the line's values.
STEPS = (0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
LEVEL = 0.01

STEADY_LINE, ONE_STEP, MORE = "steady", "one step half-way", "more changes than the one there is"


@dataclass(frozen=True)
class Cell:
    """One figure: what is simulated, and how often."""

    table: str
    spread: str
    memory: float
    n: int
    simulations: int = SIMULATIONS
    step: float = 0


def cells() -> Iterator[Cell]:
    for memory in MEMORIES:
        for n in LENGTHS:
            yield from (Cell(STEADY_LINE, spread, memory, n) for spread in STEADY)
            yield from (Cell(ONE_STEP, "normal", memory, n, FEWER, step) for step in STEPS)
        yield from (Cell(STEADY_LINE, spread, memory, LONG, FEWER) for spread in OF_LONG)
        yield from (Cell(MORE, "normal", memory, n, FEWER, 12) for n in (50, 100))


def simulated(cell: Cell) -> float:
    """Share of lines with a change, or with more changes than the one planted."""
    random = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    lines = steady_lines(random, STEADY[cell.spread], cell.memory, cell.n, cell.simulations)
    lines[:, cell.n // 2 :] += cell.step
    counts = np.array([len(changes(line)) for line in lines])
    return float((counts > (1 if cell.table == MORE else 0)).mean())


def figures() -> list[dict[str, Any]]:
    """Run a quarter of the simulations of `thorough_figures`."""
    return _figures(4)


def thorough_figures() -> list[dict[str, Any]]:
    """Run all simulations, if asked for by name: `make bench ONLY=changes`."""
    return _figures(1)


def _figures(part: int) -> list[dict[str, Any]]:
    all_cells = [replace(cell, simulations=cell.simulations // part) for cell in cells()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        shares = list(pool.map(simulated, all_cells, chunksize=2))
        by_cell = dict(zip(all_cells, shares, strict=True))
        # The highest of this many shares is high by chance: those above the promise are simulated
        # again.
        closer = {
            cell: replace(cell, simulations=CLOSER * cell.simulations)
            for cell, share in by_cell.items()
            if cell.table == STEADY_LINE and share > LEVEL
        }
        again = dict(zip(closer, pool.map(simulated, closer.values()), strict=True))
    by_cell = {closer.get(cell, cell): again.get(cell, share) for cell, share in by_cell.items()}
    _print(by_cell)
    worst = max(share for cell, share in by_cell.items() if cell.table == STEADY_LINE)
    return [
        {
            "name": "changes.false",
            "value": worst,
            "unit": "",
            "reference": LEVEL,
            "ratio": worst / LEVEL,
            "n": SIMULATIONS // part,
        }
    ]


def _print(shares: dict[Cell, float]) -> None:
    print(f"  a change takes {SHORTEST} values", flush=True)
    for table in (STEADY_LINE, ONE_STEP, MORE):
        print(f"  {table}: lines with a change, %", flush=True)
        rows: dict[tuple[str, float], list[str]] = {}
        for cell, share in shares.items():
            if cell.table == table:
                name = f"n {cell.n}" + (f" x{cell.step}" if table == ONE_STEP else "")
                spread = 100 * error(share, cell.simulations)
                text = f"{name}: {100 * share:.2f}±{spread:.2f}"
                rows.setdefault((cell.spread, cell.memory), []).append(text)
        for (spread_name, memory), texts in rows.items():
            print(f"    {spread_name:<20} memory {memory}: {'  '.join(texts)}", flush=True)
