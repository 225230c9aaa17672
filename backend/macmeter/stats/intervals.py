"""95% intervals of medians and of ratios of medians, from order statistics.

Of n independent values the number below the true median is Binomial(n, 1/2), whatever their
distribution: between the k-th and the k-th from the top it lies with a chance that is known.
Two neighbours seldom stand for 95% exactly, so the limit lies between them: halfway between
straight interpolation (right where values leave a gap at the median) and that of Hettmansperger
and Sheather 1986 (right where they don't).

Values that come in clusters (the runs of a machine) are not independent. There the number below is
divided by its own spread between the clusters, which is the same rule where each has one value.

The limits of a ratio of two medians are a pair of medians, one of each side, that are together as
far out as 95% allows: each side gives way by as much of that as it is spread itself. Were distances
in proportion to deviations, that would be the square root of the sum of both squares (Zou and
Donner 2008). They are not, where a side has two peaks or heavy tails: there its order statistics
are asked nearer to the middle. What all this covers is simulated for all shapes of spread:
`make bench ONLY=interval`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from macmeter.stats.summary import Array

Counts = NDArray[np.intp]

# With fewer machines no interval of the median reaches 95%: 1 - 2 * 0.5^5 is 93.75%.
MINIMUM = 6
# Standard deviations on either side of the middle that leave 2.5%.
Z = 1.959963984540054
# Found by simulation: the limits of a ratio are a little nearer where there are few on a side.
_NEARER = 0.1
# Found by simulation: where few clusters hold most of the values, fewer outcomes are possible.
_UNEQUAL, _LEAST = 1.4, 0.87


@dataclass(frozen=True)
class Median:
    """The median of so many independent units, and where else the true one may lie."""

    value: float
    units: int
    # Below and above, so many standard deviations (0 to Z) from the middle.
    limits: Callable[[float], tuple[float, float]]

    @property
    def interval(self) -> tuple[float, float]:
        return self.limits(Z)


def of_values(values: Array) -> Median:
    """The median of independent values; at least MINIMUM, in any order."""
    ordered = np.sort(values)

    def limits(deviations: float) -> tuple[float, float]:
        place = position(len(ordered), deviations) - 1
        below = int(place)
        low = ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)
        high = ordered[-1 - below] - (ordered[-1 - below] - ordered[-2 - below]) * (place - below)
        return float(low), float(high)

    return Median(float(np.median(ordered)), len(ordered), limits)


def of_clusters(clusters: Sequence[Array]) -> Median:
    """The median over all values of at least MINIMUM clusters, each ascending.

    Where a single cluster outweighs the others so that no value can be ruled out, the limits are
    the least and the greatest value.
    """
    sizes = np.array([len(cluster) for cluster in clusters])
    values = np.concatenate(clusters)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    sizes_of = np.repeat(sizes, sizes)
    ranks = np.arange(len(values)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    statistic = _statistic(sizes_of[order], ranks[order], sizes)

    def limits(deviations: float) -> tuple[float, float]:
        critical = _critical(sizes, deviations)
        low = _crossing(ordered, statistic, critical)
        return low, _crossing(ordered[::-1], -statistic[::-1], critical)

    return Median(float(np.median(ordered)), len(clusters), limits)


def of_ratio(over: Median, under: Median) -> tuple[float, float] | None:
    """The limits of the ratio of the two medians; None where one of them may be 0."""
    (over_low, over_high), (under_low, under_high) = over.interval, under.interval
    if not (over_low > 0 and under_low > 0):
        return None
    fewer = 1 / over.units + 1 / under.units
    one, other = _shares(over.value / over_low, under_high / under.value, fewer)
    low = over.limits(one)[0] / under.limits(other)[1]
    one, other = _shares(over_high / over.value, under.value / under_low, fewer)
    high = over.limits(one)[1] / under.limits(other)[0]
    return low, high


def _shares(one: float, other: float, fewer: float) -> tuple[float, float]:
    """How many standard deviations each side gives way, by the ratios of median and limit."""
    turn = math.atan2(math.log(other), math.log(one))
    # A side alone is exact.
    both = Z - _NEARER * fewer * math.sin(2 * turn)
    return both * math.cos(turn), both * math.sin(turn)


def _statistic(sizes_of: Counts, ranks: Counts, sizes: Counts) -> Array:
    """At each value in order: values above it less those below, by their spread between clusters.

    A cluster's part in the sum is above less below within it: that falls by 2 as a value of it is
    passed, and is halfway at that value itself.
    """
    before = sizes_of - 2 * ranks
    passed = np.cumsum((before - 2) ** 2 - before**2)
    squares = (sizes**2).sum() + np.concatenate([[0], passed[:-1]])
    squares = squares + (before - 1) ** 2 - before**2
    n = len(ranks)
    result: Array = (n - 1 - 2 * np.arange(n)) / np.sqrt(np.maximum(squares, 1))
    return result


def _critical(sizes: Counts, deviations: float) -> float:
    n = len(sizes)
    concentrated = float((sizes**2).sum() / sizes.sum() ** 2) - 1 / n
    of_equal = (n + 1 - 2 * position(n, deviations)) / math.sqrt(n - 1)
    return of_equal * max(1 - _UNEQUAL * concentrated, _LEAST)


def _crossing(values: Array, statistic: Array, critical: float) -> float:
    """Where `statistic`, which falls along `values`, passes `critical` on its way to the middle."""
    (beyond,) = np.nonzero(statistic[: (len(values) + 1) // 2] >= critical)
    if not len(beyond):
        return float(values[0])
    i = int(beyond[-1])
    share = (statistic[i] - critical) / (statistic[i] - statistic[i + 1])
    return float(values[i] + share * (values[i + 1] - values[i]))


def position(n: int, deviations: float = Z) -> float:
    """Where among n ordered values the lower limit lies: 1 is the least, 1.5 halfway to the next.

    The upper limit lies as far from the greatest; without deviations both are the median.
    """
    missed = math.erfc(deviations / math.sqrt(2)) / 2
    first, below = _below(n)
    step = int(np.searchsorted(below, missed, side="right")) - 1
    k = first + step
    straight = (missed - below[step]) / (below[step + 1] - below[step])
    curved = (n - k) * straight / (k + (n - 2 * k) * straight)
    return float(k + (straight + curved) / 2)


@lru_cache(maxsize=1024)
def _below(n: int) -> tuple[int, Array]:
    """The chance that fewer than k of n values lie below the true median, for k from the first."""
    # Ten standard deviations below the middle: nothing to be counted lies below.
    first = max(0, int(n / 2 - 5 * math.sqrt(n)))
    chances = [0.0]
    chance = math.exp(
        math.lgamma(n + 1) - math.lgamma(first + 1) - math.lgamma(n - first + 1) - n * math.log(2)
    )
    for k in range(first, n // 2 + 2):
        chances.append(chance)
        chance *= (n - k) / (k + 1)
    return first, np.cumsum(chances)
