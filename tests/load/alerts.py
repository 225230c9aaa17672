"""How many planted regressions of a fleet raise an alert in their week, and what else does.

Fleets of 1,000 Macs over 10 weeks, a look every day, with every spread and memory of a Mac's
figures: simulations of the product's own code, each printed with its standard error. `alerts.found`
is of all cells, `alerts.false` the worst of them beside the one in 1,000 quiet machine-weeks that
is promised.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from operator import add
from typing import Any

from macmeter.alerts.judging import PROMISED
from support.fleet_weeks import Counted, Simulation
from support.steady import STEADY

from load.figure import figure

FLEETS, MANY_FLEETS = 2, 20
MEMORIES = (0.0, 0.3, 0.6)
SEASON = 0.94
Cell = tuple[str, float]


def figures() -> list[dict[str, Any]]:
    return _figures(FLEETS)


def thorough_figures() -> list[dict[str, Any]]:
    return _figures(MANY_FLEETS)


def _figures(fleets: int) -> list[dict[str, Any]]:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        asked = [*_asked(fleets)]
        counted = pool.map(Simulation.counted, [simulation for _, simulation in asked])
        found: dict[Cell, list[Counted]] = {}
        for (cell, _), one in zip(asked, counted, strict=True):
            found.setdefault(cell, []).append(one)
    of_cells = {cell: reduce(add, all_of_it) for cell, all_of_it in found.items()}
    for (spread, memory), of_cell in of_cells.items():
        print(f"  {spread:<20} memory {memory}: {_line(of_cell, fleets)}", flush=True)
    every = reduce(add, of_cells.values())
    print(f"  all: {_line(every, fleets * len(of_cells))}", flush=True)
    share = every.in_time / every.planted
    worst = max(of_cell.false_rate for of_cell in of_cells.values())
    return [
        figure("alerts.found", share, "", 1.0, every.planted),
        figure("alerts.false", worst, "", PROMISED, round(every.quiet_machine_weeks)),
    ]


def _asked(fleets: int) -> Iterator[tuple[Cell, Simulation]]:
    for spread in STEADY:
        for memory in MEMORIES:
            for seed in range(fleets):
                # In every other fleet one cohort has a season.
                season = SEASON if seed % 2 else 1.0
                yield (spread, memory), Simulation(seed, spread, memory, season=season)


def _line(of_cell: Counted, fleets: int) -> str:
    false, error = 1000 * of_cell.false_rate, 1000 * of_cell.error
    return (
        f"found in their week {of_cell.in_time} of {of_cell.planted}, "
        f"false {false:.3f}±{error:.3f} in 1,000 of {of_cell.quiet_machine_weeks:,.0f} quiet "
        f"machine-weeks, seasons recognised {of_cell.seasons_as_such} of {fleets // 2}"
    )
