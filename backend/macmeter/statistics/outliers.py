"""Detection of values far outside those of similar machines: further than honest ones stray.

Values are logarithms, one per machine, since machines differ by factors. The distance from the
median is estimated for each side separately, from the outermost twentieth: many machines are slow
for honest reasons, all on one side. With heavy tails, honest values lie several times as far out,
which `TIMES` allows for. `make bench ONLY=strays` simulates the result.
"""

import math
from typing import NamedTuple

import numpy as np

from macmeter.statistics.summary import Array

# With fewer machines it is unclear what is usual.
FEWEST_MACHINES = 30
# Factor on the distance from the median of all but the outermost machines.
TIMES = 16.0
_OUTERMOST = 0.05
# Minimum distance for very similar machines: half or double has many honest reasons.
_LEAST = math.log(2)
# Maximum share of honest machines that are set aside.
PROMISED = 0.001


class Usual(NamedTuple):
    """Logarithms of similar machines' values; only the outermost are beyond `low` and `high`."""

    machines: int
    low: float
    median: float
    high: float

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds beyond which values are far outside."""
        below, above = self.median - self.low, self.high - self.median
        return (
            self.median - max(_LEAST, TIMES * below),
            self.median + max(_LEAST, TIMES * above),
        )


def usual_of(values: Array) -> Usual | None:
    """Return what is usual among one value per machine; None if there are too few."""
    machines = len(values)
    if machines < FEWEST_MACHINES:
        return None
    ordered = np.sort(values)
    outer = int(_OUTERMOST * machines)
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    return Usual(machines, low, float(np.median(ordered)), high)


def surely_usual(values: Array) -> tuple[float, float]:
    """Return bounds within which a value isn't far outside, whichever value is left out.

    Needs at least FEWEST_MACHINES + 1 values, one per machine.
    """
    machines = len(values)
    ordered = np.sort(values)
    # Leaving one out moves each of these by at most one place.
    outer, middle = int(_OUTERMOST * machines) + 1, machines // 2
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    least, greatest = float(ordered[middle - 1]), float(ordered[min(middle + 1, machines - 1)])
    return (
        min(greatest - _LEAST, least - TIMES * (least - low)),
        max(least + _LEAST, greatest + TIMES * (high - greatest)),
    )
