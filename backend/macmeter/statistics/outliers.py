"""Whether a value is far outside those of similar machines: farther than honest machines stray.

Values are logarithms, one a machine, since machines differ by factors. How far they lie from their
median is read off each side by itself, from the outermost twentieth: machines that are slow for
honest reasons are many and lie on one side. With heavy tails honest values still lie several times
as far out; how many times is what `TIMES` is for. `make bench ONLY=strays` simulates what comes of
it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from macmeter.statistics.summary import Array

# Of fewer machines nobody can say what is usual among them.
FEWEST = 30
# So many times as far from the median as all but the outermost of the machines.
TIMES = 16.0
_OUTERMOST = 0.05
# However alike machines are: half or double has many honest reasons.
_LEAST = math.log(2)
# At most so many of the machines that measured honestly are ever put aside for it.
PROMISED = 0.001


class Usual(NamedTuple):
    """What similar machines measured, as logarithms: all but the outermost from `low` to `high`."""

    machines: int
    low: float
    median: float
    high: float

    @property
    def bounds(self) -> tuple[float, float]:
        """What lies beyond these is far outside."""
        below, above = self.median - self.low, self.high - self.median
        return (
            self.median - max(_LEAST, TIMES * below),
            self.median + max(_LEAST, TIMES * above),
        )


def usual_of(values: Array) -> Usual | None:
    """What is usual among one value a machine; None where they are too few."""
    machines = len(values)
    if machines < FEWEST:
        return None
    ordered = np.sort(values)
    outer = int(_OUTERMOST * machines)
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    return Usual(machines, low, float(np.median(ordered)), high)


def surely_usual(values: Array) -> tuple[float, float]:
    """What lies between these is not far outside, whichever one of the values is left out.

    Of at least FEWEST + 1 values, one a machine.
    """
    machines = len(values)
    ordered = np.sort(values)
    # Without one of them each of these moves by one place at most.
    outer, middle = int(_OUTERMOST * machines) + 1, machines // 2
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    least, greatest = float(ordered[middle - 1]), float(ordered[min(middle + 1, machines - 1)])
    return (
        min(greatest - _LEAST, least - TIMES * (least - low)),
        max(least + _LEAST, greatest + TIMES * (high - greatest)),
    )
