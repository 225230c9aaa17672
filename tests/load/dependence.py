"""Coverage of intervals where values depend on each other: by model, in time, and read together.

The designs: machines of 2 to 20 models with 1 to 20 machines each, those of a model correlated by 0
to 0.8; runs of one machine that resemble the one before; peaks that two sides have on different
sides of their medians; sixteen metrics of equal groups. Coverage is printed with the share of
groups without an interval, and the median width relative to independent machines.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from support.designs import (
    Held,
    called_different_of_several,
    different_by_model,
    different_of_unlike_peaks,
    held,
    held_of_runs,
)
from support.spreads import error

from load.figure import figure

SIMULATIONS = 2_000
ALIKE = (0.0, 0.1, 0.3, 0.5, 0.8)
FEW = [(6, 6), (20, 20), (3,) * 3, (10,) * 3]
DESIGNS = [
    (3,) * 4,
    (10,) * 4,
    (3,) * 5,
    (10,) * 5,
    (3,) * 6,
    (2,) * 10,
    (5,) * 8,
    (2,) * 20,
    (10,) * 20,
    (4, 3, 3, 2, 1),
    (1, 2, 3, 4, 10, 20),
]
# One model has most of the machines, so that the others' variation can't be estimated.
DOMINATED = [(30, 1, 1, 1, 1, 1, 1)]
SIDES = [(3,) * 4, (3,) * 5, (3,) * 6, (2,) * 6, (5,) * 8, (4,) * 3, (6, 6), (20, 20)]
MEMORIES = (0.0, 0.3, 0.5, 0.8)
RUNS = (25, 33, 50, 150)
SHAPES = ("normal", "two far peaks", "exponential shocks", "heavy shocks", "very heavy shocks")
PEAKS = [(share, n) for share in (0.51, 0.55, 0.7) for n in (6, 10, 20, 40)]
POWER = [
    (n, noise, times) for n in (6, 12, 40) for noise in (0.01, 0.03, 0.08) for times in (1.05, 1.1)
]

MODELS, FEW_MODELS, ONE_MODEL = (
    "machines of models",
    "machines of 2 or 3 models",
    "mostly one model",
)
OF_RUNS, OF_SIDES, OF_PEAKS = "runs of one machine", "sides of models", "unlike peaks"
OF_POWER, SEVERAL = "power, independent machines of 6 models / one model", "16 equal metrics"


@dataclass(frozen=True)
class Cell:
    """A design, and how much alike its values are."""

    table: str
    sizes: tuple[int, ...]
    alike: float = 0
    shape: str = ""
    times: float = 1
    noise: float = 0.1
    simulations: int = SIMULATIONS


def cells() -> Iterator[Cell]:
    for table, designs in ((MODELS, DESIGNS), (FEW_MODELS, FEW), (ONE_MODEL, DOMINATED)):
        yield from (Cell(table, sizes, alike) for sizes in designs for alike in ALIKE)
    yield from (Cell(OF_RUNS, (n,), m, shape) for shape in SHAPES for n in RUNS for m in MEMORIES)
    yield from (Cell(OF_SIDES, sizes, alike) for sizes in SIDES for alike in ALIKE)
    yield from (Cell(OF_PEAKS, (n,), share) for share, n in PEAKS)
    yield from (Cell(OF_POWER, (n,), times=by, noise=noise) for n, noise, by in POWER)
    yield from (Cell(SEVERAL, (n,), alike) for n in (8, 20) for alike in (0.0, 0.8))


def simulated(cell: Cell) -> Held | tuple[float, ...]:
    random = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    n, simulations = cell.sizes[0], cell.simulations
    match cell.table:
        case "runs of one machine":
            return held_of_runs(random, simulations, cell.shape, cell.alike, n)
        case "sides of models":
            return (different_by_model(random, simulations, (cell.sizes, cell.sizes), cell.alike),)
        case "unlike peaks":
            return (different_of_unlike_peaks(random, simulations, n, cell.alike),)
        case "16 equal metrics":
            return called_different_of_several(random, simulations // 4, n, cell.alike)
        case "machines of models" | "machines of 2 or 3 models" | "mostly one model":
            return held(random, simulations, cell.sizes, cell.alike)
    by_model = [len(part) for part in np.array_split(np.arange(n), 6)]
    return tuple(
        different_by_model(random, simulations, (sizes, sizes), 0, cell.times, cell.noise)
        for sizes in (by_model, [n])
    )


def figures() -> list[dict[str, Any]]:
    """Run a tenth of the simulations of `thorough_figures`."""
    return _figures(10)


def thorough_figures() -> list[dict[str, Any]]:
    """Run all simulations, if asked for by name: `make bench ONLY=interval`."""
    return _figures(1)


def _figures(part: int) -> list[dict[str, Any]]:
    all_cells = [replace(cell, simulations=cell.simulations // part) for cell in cells()]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        results = dict(zip(all_cells, pool.map(simulated, all_cells, chunksize=2), strict=True))
    _print(results)
    n = SIMULATIONS // part

    def of(table: str, is_asked: Callable[[Cell], bool] = lambda _: True) -> list[Any]:
        return [item for cell, item in results.items() if cell.table == table and is_asked(cell)]

    independent = of(MODELS, lambda cell: not cell.alike and sum(cell.sizes) >= 12)
    quiet = of(OF_RUNS, lambda cell: cell.shape != "very heavy shocks")
    sides = of(OF_SIDES, lambda cell: len(cell.sizes) > 3)
    return [
        figure("interval.models", _least(of(MODELS)), "", 0.93, n),
        figure("interval.models.few", _least(of(FEW_MODELS)), "", 0.93, n),
        figure("interval.independent", max(m.coverage for m in independent), "", 0.98, n),
        figure("interval.runs", _least(quiet), "", 0.93, n),
        figure("null.different.models", max(share for (share,) in sides), "", 0.05, n),
        figure("null.several", max(together for _, together in of(SEVERAL)), "", 0.05, n // 4),
    ]


def _least(results: Sequence[Held]) -> float:
    return min(result.coverage for result in results)


def _print(results: dict[Cell, Held | tuple[float, ...]]) -> None:
    table = ""
    for cell, result in results.items():
        if cell.table != table:
            table = cell.table
            heading = "coverage, %; withheld, %; median width"
            if not isinstance(result, Held):
                heading = (
                    "different, %, each alone and together" if table == SEVERAL else "different, %"
                )
            print(f"  {table}: {heading}", flush=True)
        name = f"{len(cell.sizes)} x {cell.sizes[0]}"
        if len({*cell.sizes}) > 1 or len(cell.sizes) == 1:
            name = ", ".join(map(str, cell.sizes))
        name += f" {cell.shape}" if cell.shape else ""
        name += f", noise {cell.noise}, x{cell.times}" if table == OF_POWER else f", {cell.alike}"
        if isinstance(result, Held):
            spread = 100 * error(result.coverage, cell.simulations)
            figures = (
                f"{100 * result.coverage:.1f}±{spread:.1f}  {100 * result.withheld:.1f}  "
                f"{result.width:.2f}"
            )
        else:
            figures = " / ".join(f"{100 * share:.1f}" for share in result)
        print(f"    {name:<36} {figures}", flush=True)
