"""Whether machines moved together: how each of them changed, and how often chance does as much.

A machine is one value here, however many runs, series and drives it measured: those of one machine
move together for reasons of their own. Machines don't, so the spread of their changes says how
far the mean of so many strays by chance (Student 1908).

Changes are logarithms of ratios: as likely up as down where nothing happened. Where their spread
is skewed, heavy-tailed or in two peaks, the chance is not exact: that too few false alerts come of
it is simulated (`make bench ONLY=alerts`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from macmeter.statistics.intervals import MINIMUM, chance_of_t, of_ordered
from macmeter.statistics.summary import Array, percentile

# Changes further out than so many interquartile ranges are drawn in: one Mac isn't a cohort.
_FENCE = 3.0
# No Mac repeats itself more closely: less is taken for the rounding of its values.
_FINEST = 0.002


@dataclass(frozen=True)
class Shift:
    """What a group of machines has in common; `effect`, `low` and `high` as ratios after/before."""

    machines: int
    effect: float
    """The median over machines."""
    low: float | None
    """Its 95% interval; None below MINIMUM machines."""
    high: float | None
    chance: float
    """How often as much happens to as many machines where nothing happened; 1 for a few."""

    @property
    def is_clear(self) -> bool:
        """No change lies outside of the interval."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high


def shift_of(changes: Array) -> Shift:
    """The shift of one change for each machine: the logarithm of after/before."""
    ordered = np.sort(changes)
    middle = of_ordered(ordered)
    effect = math.exp(middle.value)
    if len(changes) < MINIMUM:
        return Shift(len(changes), effect, None, None, 1.0)
    low, high = middle.interval
    return Shift(len(changes), effect, math.exp(low), math.exp(high), _chance(_drawn_in(ordered)))


def _drawn_in(ordered: Array) -> Array:
    low, high = percentile(ordered, 0.25), percentile(ordered, 0.75)
    reach = _FENCE * max(high - low, _FINEST)
    return np.minimum(np.maximum(ordered, low - reach), high + reach)


def _chance(changes: Array) -> float:
    """Chance of the mean: numpy's own `std` takes longer than all the rest, for a few dozen
    numbers.
    """
    count = len(changes)
    mean = float(changes.sum()) / count
    away = changes - mean
    spread = max(math.sqrt(float(away @ away) / (count - 1)), _FINEST)
    return chance_of_t(mean / spread * math.sqrt(count), count - 1)
