"""Detection of values further outside those of similar machines than honest ones are, so that
they wait for an admin's judgement.

Values are logarithms, one per machine, since machines differ by factors. The distance from the
median is estimated for each side separately, from the outermost twentieth: many machines are slow
for honest reasons, all on one side. With heavy tails, honest values lie several times as far out,
which `DISTANCE_FACTOR` allows for. `make bench ONLY=strays` simulates the result.
"""

import math
from typing import NamedTuple

import numpy as np

from macmeter.statistics.summary import Array

# With fewer machines it is unclear what is usual.
FEWEST_MACHINES = 30
# A value is far outside at this many times the distance of the outermost twentieth.
DISTANCE_FACTOR = 16.0
_OUTER_SHARE = 0.05
# Minimum distance for very similar machines: half or double has many honest reasons.
_MIN_DISTANCE = math.log(2)
# Promised share of honest machines that are set aside at most; a test and the bench hold it.
MAX_FALSE_SHARE = 0.001


class UsualRange(NamedTuple):
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
            self.median - max(_MIN_DISTANCE, DISTANCE_FACTOR * below),
            self.median + max(_MIN_DISTANCE, DISTANCE_FACTOR * above),
        )


def usual_range(values: Array) -> UsualRange | None:
    """Return the usual range of values, one per machine; None if there are too few."""
    machines = len(values)
    if machines < FEWEST_MACHINES:
        return None
    ordered = np.sort(values)
    outer = int(_OUTER_SHARE * machines)
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    return UsualRange(machines, low, float(np.median(ordered)), high)


def certainly_usual_bounds(values: Array) -> tuple[float, float]:
    """Return bounds within which no value is far outside, whichever one is left out of the rest.

    Needs at least FEWEST_MACHINES + 1 values, one per machine.
    """
    machines = len(values)
    ordered = np.sort(values)
    # Leaving one out moves each of these by at most one place.
    outer, middle = int(_OUTER_SHARE * machines) + 1, machines // 2
    low, high = float(ordered[outer]), float(ordered[machines - 1 - outer])
    least, greatest = float(ordered[middle - 1]), float(ordered[min(middle + 1, machines - 1)])
    return (
        min(greatest - _MIN_DISTANCE, least - DISTANCE_FACTOR * (least - low)),
        max(least + _MIN_DISTANCE, greatest + DISTANCE_FACTOR * (high - greatest)),
    )
