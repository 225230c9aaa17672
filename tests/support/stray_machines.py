"""Simulated machines of one cohort, and how many of them a comparison treats as outliers.

Machines differ from each other, a machine's runs differ as a whole, and so does each series within
a run. All of it has one spread: heavy-tailed, skewed, in peaks, with some machines that are ten
spreads slower. Values are logarithms.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from macmeter.statistics.outliers import usual_range
from macmeter.statistics.summary import Array

RUNS, SERIES = 4, 20
# Variation of a run as a whole, and of a series in it, as shares of the machines' spread.
_OF_RUN, _OF_SERIES = 0.5, 0.3
_TURNS = 31

Draw = Callable[[np.random.Generator, tuple[int, ...]], Any]


def _slow(share: float, away: float) -> Draw:
    """Normal, except for a share of values `away` spreads lower."""
    return lambda random, size: random.normal(size=size) - away * (random.random(size) < share)


SPREADS: dict[str, Draw] = {
    "normal": lambda random, size: random.normal(size=size),
    "heavy tails": lambda random, size: random.standard_t(3, size),
    "exponential": lambda random, size: random.laplace(size=size),
    "skewed": lambda random, size: np.exp(random.normal(size=size)),
    "slow machines 5%": _slow(0.05, 10),
    "slow machines 20%": _slow(0.20, 8),
}


@dataclass(frozen=True)
class Counted:
    """Honest machines, those excluded for any of their results, planted runs and those found."""

    honest: int = 0
    false: int = 0
    planted: int = 0
    found: int = 0

    def __add__(self, other: Counted) -> Counted:
        return Counted(
            self.honest + other.honest,
            self.false + other.false,
            self.planted + other.planted,
            self.found + other.found,
        )

    @property
    def false_rate(self) -> float:
        return self.false / self.honest

    @property
    def error(self) -> float:
        """Standard error of that rate; without false alarms, that of one."""
        return math.sqrt(max(self.false, 1)) / self.honest


@dataclass(frozen=True)
class Cohort:
    """`machines` others of a kind; a planted run has all of its values off by the factor."""

    seed: int
    spread: str
    width: float
    machines: int
    factor: float = 10.0

    def counted(self) -> Counted:
        random = np.random.default_rng(self.seed)
        draw, count = SPREADS[self.spread], self.machines + 1
        values = self.width * (
            draw(random, (count, 1, 1))
            + _OF_RUN * draw(random, (count, RUNS, 1))
            + _OF_SERIES * draw(random, (count, RUNS, SERIES))
        )
        medians = np.median(values, axis=1)
        sums = Counted()
        for machine in range(0, count, max(1, count // _TURNS)):
            other_medians = np.delete(medians, machine, axis=0)
            bounds = [_bounds(other_medians[:, series]) for series in range(SERIES)]
            runs = values[machine]
            planted = runs[0] + math.log(self.factor) * (1 if machine % 2 else -1)
            sums += Counted(1, int(_any_beyond(runs, bounds)), 1, int(_any_beyond(planted, bounds)))
        return sums


def _bounds(medians: Array) -> tuple[float, float]:
    usual = usual_range(medians)
    assert usual is not None
    return usual.bounds


def _any_beyond(values: Array, bounds: list[tuple[float, float]]) -> bool:
    low, high = np.array(bounds).T
    return bool(((values < low) | (values > high)).any())
