"""Whether machines moved together: how much each changed, and how likely that is by chance.

Each machine counts as one value, however many runs, series and drives it measured, since those move
together for reasons of their own. Machines are independent, so the spread of their changes tells
how far their mean strays by chance (Student 1908).

Changes are logarithms of ratios: without a cause, up and down are equally likely. If their spread
is skewed, heavy-tailed or bimodal, the chance isn't exact: `make bench ONLY=alerts` simulates that
false alerts remain rare.
"""

import math
from dataclasses import dataclass

import numpy as np

from macmeter.statistics.intervals import MINIMUM, chance_of_t, of_ordered
from macmeter.statistics.summary import Array, percentile

# Changes beyond this many interquartile ranges are clipped: one Mac isn't a cohort.
_FENCE = 3.0
# Minimum spread: no Mac repeats itself more closely, so less is due to rounding.
_FINEST = 0.002


@dataclass(frozen=True)
class Shift:
    """Common change of a group of machines; `effect`, `low` and `high` are ratios after/before."""

    machines: int
    effect: float
    """Median over machines."""
    low: float | None
    """95% interval, up to `high`; None below MINIMUM machines."""
    high: float | None
    chance: float
    """Chance that as many machines change as much without a cause; 1 below MINIMUM."""

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes "no change"."""
        return self.low is not None and self.high is not None and not self.low <= 1 <= self.high


def shift_of(changes: Array) -> Shift:
    """Return the common shift; takes one change per machine, the logarithm of after/before."""
    ordered = np.sort(changes)
    middle = of_ordered(ordered)
    effect = math.exp(middle.value)
    if len(changes) < MINIMUM:
        return Shift(len(changes), effect, None, None, 1.0)
    low, high = middle.interval
    return Shift(
        len(changes), effect, math.exp(low), math.exp(high), _chance(_clip_outliers(ordered))
    )


def _clip_outliers(ordered: Array) -> Array:
    """Clip outliers to a distant fence (Tukey 1977)."""
    low, high = percentile(ordered, 0.25), percentile(ordered, 0.75)
    reach = _FENCE * max(high - low, _FINEST)
    return np.minimum(np.maximum(ordered, low - reach), high + reach)


def _chance(changes: Array) -> float:
    """Return the chance of the mean. Avoids NumPy's `std`, which would take longer than the rest
    for a few dozen numbers.
    """
    count = len(changes)
    mean = float(changes.sum()) / count
    away = changes - mean
    spread = max(math.sqrt(float(away @ away) / (count - 1)), _FINEST)
    return chance_of_t(mean / spread * math.sqrt(count), count - 1)
