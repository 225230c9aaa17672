"""Coverage of 95% intervals, and the share of equal groups called different.

Every spread, every n, one run per machine and several: simulations of the product's own code, each
printed with its standard error, and how often a true difference is found. A share above 98% is
marked: with so few values, no interval closer to 95% covers 93% of every spread.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from support.batches import covered_by_machine, covered_by_run, machines_of
from support.spreads import (
    ALIKE,
    SPREADS,
    UNEQUAL,
    UNLIKE,
    Spread,
    coverage,
    coverage_of_pairs,
    different,
    error,
)

from load.figure import figure

SIMULATIONS = 10_000
# For slower cells: ratios, and several runs per machine.
LONGER = 4_000
# For the power curve, which promises nothing.
FEWER = 2_000
SIZES = (6, 7, 8, 9, 10, 12, 14, 30, 100)
PAIRS = ((6, 6), (7, 7), (7, 8), (8, 8), (10, 10), (6, 40), (12, 30), (40, 100))
WIDER_PAIRS = ((6, 6), (7, 12), (8, 40), (40, 12))
CLUSTERS = (6, 8, 30)
CLUSTER_PAIRS = ((6, 6), (6, 30), (30, 30))
TIMES = (1.02, 1.05, 1.1, 1.15, 1.2, 1.3, 1.5)
WEIGHTS = ("run", "machine")


@dataclass(frozen=True)
class Cell:
    """One figure of a table: what is simulated of which spread, for which numbers of machines."""

    table: str
    spread: int
    sizes: tuple[int, ...]
    simulations: int = SIMULATIONS
    weight: str = "machine"
    wider: float = 1
    times: float = 1
    # The other side's spread, if it differs.
    unlike: int | None = None
    # Numbers of runs of each machine, and how alike they are.
    runs: str = ""
    alike: float = 0


MEDIAN, RATIO, WIDER, POWER = "median", "ratio", "ratio, one side wider", "power"
UNLIKE_SIDES = "ratio, unlike spreads"
OF_CLUSTERS, RATIO_OF_CLUSTERS = "median, several runs", "ratio, several runs"
OF_UNEQUAL, OF_PAIRS = "median, unequal numbers of runs", "median of pairs"

OF_ONE = (MEDIAN, OF_PAIRS, OF_CLUSTERS, OF_UNEQUAL)
TABLES = (
    MEDIAN,
    OF_PAIRS,
    OF_CLUSTERS,
    OF_UNEQUAL,
    RATIO,
    RATIO_OF_CLUSTERS,
    WIDER,
    UNLIKE_SIDES,
    POWER,
)


def cells() -> Iterator[Cell]:
    for spread in range(len(SPREADS)):
        yield from (Cell(MEDIAN, spread, (n,)) for n in SIZES)
        yield from (Cell(OF_PAIRS, spread, (n,)) for n in CLUSTERS)
        yield from (Cell(RATIO, spread, pair, LONGER) for pair in PAIRS)
        yield from (Cell(WIDER, spread, pair, LONGER, wider=3) for pair in WIDER_PAIRS)
        for weight in WEIGHTS:
            yield from (Cell(OF_CLUSTERS, spread, (n,), LONGER, weight) for n in CLUSTERS)
            yield from (
                Cell(RATIO_OF_CLUSTERS, spread, pair, LONGER, weight) for pair in CLUSTER_PAIRS
            )
            yield from (
                Cell(OF_UNEQUAL, spread, (len(sizes),), LONGER, weight, runs=runs, alike=alike)
                for runs, sizes in UNEQUAL.items()
                for alike in ALIKE
            )
    for spread, other in UNLIKE:
        yield from (Cell(UNLIKE_SIDES, spread, pair, LONGER, unlike=other) for pair in PAIRS)
    for n in (6, 12, 40):
        yield from (Cell(POWER, 0, (n, n), FEWER, times=times) for times in TIMES)


def simulated(cell: Cell) -> float:
    """Coverage of an interval, or the share of comparisons that say "different"."""
    random = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    spread = SPREADS[cell.spread]
    if cell.table == MEDIAN:
        (n,) = cell.sizes
        return covered_by_machine(spread.draw(random, (cell.simulations, n)), spread.median)
    if cell.table == OF_PAIRS:
        (n,) = cell.sizes
        return coverage_of_pairs(cell.simulations, lambda: spread.draw(random, n), spread.median)
    if cell.table == OF_UNEQUAL:
        sizes = UNEQUAL[cell.runs]
        truth = spread.median_of_unequal(random, sizes, cell.alike, cell.weight)
        runs = spread.rows_of_unequal(random, cell.simulations, sizes, cell.alike)
        if cell.weight == "machine":
            return covered_by_machine(machines_of(runs, sizes), truth)
        return covered_by_run(runs, sizes, truth)
    if cell.table == OF_CLUSTERS:
        (n,) = cell.sizes
        truth = spread.median_of_clusters(random, cell.weight)
        if cell.weight == "machine":
            values = spread.values_of_clusters(random, cell.simulations, n)
            return covered_by_machine(values, truth)
        return coverage(cell.simulations, lambda: spread.clusters(random, n), truth, cell.weight)
    return different(cell.simulations, _sides(cell, spread, random), cell.weight, cell.times)


def _sides(cell: Cell, spread: Spread, random: np.random.Generator) -> Callable[[], Any]:
    n, m = cell.sizes
    if cell.table == RATIO_OF_CLUSTERS:
        return lambda: (spread.clusters(random, n), spread.clusters(random, m))
    if cell.unlike is not None:
        unlike = SPREADS[cell.unlike]
        return lambda: (
            [runs / spread.median for runs in spread.machines(random, n)],
            [runs / unlike.median for runs in unlike.machines(random, m)],
        )
    return lambda: (spread.machines(random, n), spread.machines(random, m, cell.wider))


def figures() -> list[dict[str, Any]]:
    """Run a quarter of the simulations of `thorough_figures`."""
    return _figures(4)


def thorough_figures() -> list[dict[str, Any]]:
    """Run all simulations, if asked for by name: `make bench ONLY=interval`."""
    return _figures(1)


def _figures(part: int) -> list[dict[str, Any]]:
    """The lowest coverage of all; the highest share of equal groups called different.

    `null.different` is for groups alike in everything, `null.different.unlike` for those with
    different spreads, about which nothing is promised beyond the interval's coverage.
    """
    all_cells = [replace(cell, simulations=cell.simulations // part) for cell in cells()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        shares = list(pool.map(simulated, all_cells, chunksize=4))
    share_by_cell = dict(zip(all_cells, shares, strict=True))
    _print(share_by_cell)
    coverages = [share_by_cell[cell] for cell in all_cells if cell.table in OF_ONE]
    # A ratio's interval misses exactly if equal groups are called different.
    equal = [share_by_cell[cell] for cell in all_cells if cell.table in (RATIO, RATIO_OF_CLUSTERS)]
    unequal = [share_by_cell[cell] for cell in all_cells if cell.table in (WIDER, UNLIKE_SIDES)]
    covered = coverages + [1 - share for share in equal + unequal]
    return [
        figure("interval.coverage", min(covered), "", 0.93, SIMULATIONS // part),
        figure("null.different", max(equal), "", 0.05, SIMULATIONS // part),
        figure("null.different.unlike", max(unequal), "", 0.05, SIMULATIONS // part),
    ]


def _print(shares: dict[Cell, float]) -> None:
    rows: dict[tuple[str, str, str], list[str]] = {}
    for cell, share in sorted(shares.items(), key=lambda item: TABLES.index(item[0].table)):
        row_name = SPREADS[cell.spread].name
        if cell.unlike is not None:
            row_name += f" / {SPREADS[cell.unlike].name}"
        row = (cell.table, row_name, cell.weight)
        if cell.table == POWER:
            row = (cell.table, f"{cell.sizes[0]} machines", "")
        name = f"x{cell.times}" if cell.table == POWER else "/".join(map(str, cell.sizes))
        if cell.runs:
            name = f"{cell.runs}, alike {cell.alike}"
        covered = share if cell.table in OF_ONE else 1 - share
        mark = " (few)" if covered > 0.98 and cell.table != POWER else ""
        spread = 100 * error(share, cell.simulations)
        rows.setdefault(row, []).append(f"{name}: {100 * share:.1f}±{spread:.1f}{mark}")
    last_table = ""
    for (table, spread_name, weight), texts in rows.items():
        if table != last_table:
            heading = "interval has the truth in it" if table.startswith("median") else "different"
            print(f"  {table}: {heading}, %", flush=True)
            last_table = table
        suffix = f" by {weight}" if "runs" in table else ""
        print(f"    {spread_name + suffix:<30} {'  '.join(texts)}", flush=True)
