"""Honest machines excluded as far outside their cohort, and planted runs found.

Simulations of the product's own rule, each printed with its standard error. `strays.false` is the
worst cell against the promised one in 1,000 machines, `strays.found` the share found of runs that
claim ten times as much, or a tenth, among machines that differ by a few per cent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import reduce
from operator import add
from typing import Any

from macmeter.statistics.outliers import FEWEST_MACHINES, MAX_FALSE_SHARE
from support.stray_machines import SPREADS, Cohort, Counted

from load.figure import figure

COHORTS, MANY_COHORTS = 20, 400
# Spreads of machines, as shares of what they measure.
WIDTHS = (0.03, 0.1, 0.3)
MACHINES = (FEWEST_MACHINES, 100)
_ALIKE = WIDTHS[0]


def figures() -> list[dict[str, Any]]:
    return _figures(COHORTS)


def thorough_figures() -> list[dict[str, Any]]:
    return _figures(MANY_COHORTS)


def _figures(cohorts: int) -> list[dict[str, Any]]:
    cohort_list = [*_asked(cohorts)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        counts = pool.map(Cohort.counted, cohort_list, chunksize=cohorts)
        cells: dict[tuple[str, float], list[Counted]] = {}
        for cohort, count in zip(cohort_list, counts, strict=True):
            cells.setdefault((cohort.spread, cohort.width), []).append(count)
    totals = {cell: reduce(add, all_of_it) for cell, all_of_it in cells.items()}
    for (spread, width), total in totals.items():
        false, error = 1000 * total.false_rate, 1000 * total.error
        print(
            f"  {spread:<18} width {width:<5} false {false:.2f}±{error:.2f} in 1,000 of "
            f"{total.honest:,} machines, found {total.found} of {total.planted}",
            flush=True,
        )
    worst = max(totals.values(), key=lambda total: total.false_rate)
    usual = reduce(add, [total for (_, width), total in totals.items() if width == _ALIKE])
    return [
        figure("strays.false", worst.false_rate, "", MAX_FALSE_SHARE, worst.honest),
        figure("strays.found", usual.found / usual.planted, "", 1.0, usual.planted),
    ]


def _asked(cohorts: int) -> Iterator[Cohort]:
    for spread in SPREADS:
        for width in WIDTHS:
            for machines in MACHINES:
                for seed in range(cohorts):
                    yield Cohort(seed, spread, width, machines)
