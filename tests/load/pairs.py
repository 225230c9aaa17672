"""Share of equals called different if machines were measured twice, in several series.

One machine is one pair: if each series were one, six machines with four series each would be called
different in more than a quarter of cases. Every cell is printed with its standard error.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from support.paired import CELLS, falsely_different
from support.spreads import error

from load.figure import figure

SIMULATIONS = 4_000
LIMIT = 0.05


def figures() -> list[dict[str, Any]]:
    """Run a quarter of the simulations of `thorough_figures`."""
    return _figures(SIMULATIONS // 4)


def thorough_figures() -> list[dict[str, Any]]:
    """Run all simulations, if asked for by name: `make bench ONLY=pairs`."""
    return _figures(SIMULATIONS)


def _figures(simulations: int) -> list[dict[str, Any]]:
    """The worst cell; all must be below the limit within two standard errors."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        shares = [*pool.map(partial(_share, simulations), CELLS)]
    for (machines, series), share in zip(CELLS, shares, strict=True):
        is_within = share <= LIMIT + 2 * error(LIMIT, simulations)
        print(
            f"  {machines:>3} machines x {series:>2} series: different in {share:7.2%} "
            f"± {error(share, simulations):.2%}{'' if is_within else '  beyond the limit'}",
            flush=True,
        )
    return [figure("pairs.false", max(shares), "share", LIMIT, simulations)]


def _share(simulations: int, cell: tuple[int, int]) -> float:
    machines, series = cell
    return falsely_different(machines, series, simulations, seed=machines * 100 + series)
