"""Verdicts of like-with-like ratios about sides that differ in more than what is compared.

Each design is simulated with a planted ratio of 0.90 and with none. If strata are shared, the
interval must cover it and no difference be named; if none are, the verdict must name one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from support.confounded import CASES, Case, Counters, Design, alike, anything, tally
from support.spreads import error

from load.figure import figure

SIMULATIONS = 2_000
COVERED, LARGEST = 0.93, 0.98
# With this many independent machines per side, an interval must not be wider than necessary.
MANY = 12
PLANTED = (0.9, 1.0)
LIMIT = 0.05
# Power: machines per side, noise between machines, and planted effects.
SIDES = (6, 12, 40)
NOISES = (0.01, 0.03, 0.08)
EFFECTS = (0.95, 0.90)
FLEETS: dict[str, Callable[[int], Design]] = {
    "of one kind": alike,
    "kinds by chance, unlike": anything,
    "kinds by chance, all alike": partial(anything, matters=False),
}


def figures() -> list[dict[str, Any]]:
    """Run a fifth of the simulations of `thorough_figures`."""
    return _figures(SIMULATIONS // 5)


def thorough_figures() -> list[dict[str, Any]]:
    """Run all simulations, if asked for by name: `make bench ONLY=confounding`."""
    return _figures(SIMULATIONS)


def _figures(simulations: int) -> list[dict[str, Any]]:
    cells = [(name, ratio) for name in CASES for ratio in PLANTED]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        counters = dict(zip(cells, pool.map(partial(_tally, simulations), cells), strict=True))
    for (name, ratio), tallied in counters.items():
        _print(name, ratio, tallied, CASES[name], simulations)
    covering = {cell: tallied for cell, tallied in counters.items() if CASES[cell[0]].covers}
    named = {cell: tallied for cell, tallied in counters.items() if CASES[cell[0]].named}
    without = [tallied for (_, ratio), tallied in covering.items() if ratio == 1]
    signs = [
        tallied.right_sign
        for (name, ratio), tallied in covering.items()
        if ratio != 1 and CASES[name].independent >= MANY
    ]
    false = max(_share(c, "different", "confounded", simulations) for c in without)
    unsaid = max(_share(c, "different", "different", simulations) for c in named.values())
    over = max(sum(c.named.values()) / simulations for c in covering.values())
    least = min(c.covered for c in covering.values())
    return [
        figure("confounding.coverage", least, "share", COVERED, simulations),
        figure("confounding.sign", min(signs), "share", 1 - LIMIT, simulations),
        figure("confounding.false", false, "share", LIMIT, simulations),
        figure("confounding.unsaid", unsaid, "share", LIMIT, simulations),
        figure("confounding.named", over, "share", LIMIT, simulations),
        _power(simulations // 2),
    ]


def _power(simulations: int) -> dict[str, Any]:
    """Power: share of differences found like with like, and without strata."""
    cells = [
        (fleet, machines, noise, effect)
        for fleet in FLEETS
        for machines in SIDES
        for noise in NOISES
        for effect in EFFECTS
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        powers = [*pool.map(partial(_found, simulations), cells)]
    for (fleet, machines, noise, effect), (like, crude) in zip(cells, powers, strict=True):
        print(
            f"  {fleet:26} {machines:2} a side, noise {noise:.0%}, x {effect}: "
            f"found {like:6.1%}, crude {crude:6.1%}",
            flush=True,
        )
    shares = [sum(column) / len(cells) for column in zip(*powers, strict=True)]
    return figure("confounding.power", shares[0], "share", shares[1], simulations)


def _found(simulations: int, cell: tuple[str, int, float, float]) -> tuple[float, float]:
    fleet, machines, noise, effect = cell
    tallied = tally(FLEETS[fleet](machines), simulations, 7, effect, noise=noise)
    return (
        tallied.verdicts["different"] / simulations,
        tallied.crude_verdicts["different"] / simulations,
    )


def _share(tallied: Counters, first: str, second: str, simulations: int) -> float:
    return sum(tallied.verdicts[verdict] for verdict in {first, second}) / simulations


def _tally(simulations: int, cell: tuple[str, float]) -> Counters:
    name, ratio = cell
    return tally(CASES[name].design, simulations, seed=len(name), ratio=ratio)


def _print(name: str, ratio: float, tallied: Counters, case: Case, simulations: int) -> None:
    wide = case.independent >= MANY and tallied.covered > LARGEST + 2 * error(LARGEST, simulations)
    verdicts = ", ".join(f"{verdict} {count}" for verdict, count in tallied.verdicts.most_common())
    names = ", ".join(f"{name} {count}" for name, count in tallied.named.most_common()) or "nothing"
    covered = f"covers {tallied.covered:6.1%}" if case.covers else "covers      -"
    print(
        f"  {name:31} x {ratio}: {covered} withheld {tallied.withheld:5.1%} "
        f"width {tallied.width:6.1%} sign {tallied.right_sign:6.1%}; {verdicts}; "
        f"named: {names}{'  too wide' if wide else ''}",
        flush=True,
    )
