"""95% intervals of medians and of ratios of medians, from order statistics.

Of n independent values the number below the true median is Binomial(n, 1/2), whatever their
distribution: between the k-th and the k-th from the top it lies with a chance that is known.
Two neighbours seldom stand for 95% exactly, so the limit lies between them: halfway between
straight interpolation (right where values leave a gap at the median) and that of Hettmansperger
and Sheather 1986 (right where they don't).

Values that come in clusters (the runs of a machine) are not independent. There the number below is
divided by its own spread between the clusters, which is the same rule where each has one value.

The ratio of two medians joins the limits of both on logarithms, as Zou and Donner 2008 do. Each
distance from median to limit is itself an estimate, from about sqrt(n) spacings: so they are joined
with Welch and Satterthwaite's degrees of freedom. What this covers is simulated for all shapes of
spread: `make bench ONLY=interval`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from macmeter.stats.summary import Array

Counts = NDArray[np.intp]

# With fewer machines no interval of the median reaches 95%: 1 - 2 * 0.5^5 is 93.75%.
MINIMUM = 6
_MISS = 0.025
_Z = 1.959963984540054
# Found by simulation: degrees of freedom are this times sqrt(n).
_FREEDOM = 1.8
# Found by simulation: where few clusters hold most of the values, fewer outcomes are possible.
_UNEQUAL, _LEAST = 1.4, 0.87


@dataclass(frozen=True)
class Limits:
    """A median with its limits, from so many independent units."""

    median: float
    low: float
    high: float
    units: int


def of_values(values: Array) -> Limits:
    """The limits of the median of independent values; at least MINIMUM, in any order."""
    ordered = np.sort(values)
    place = position(len(ordered)) - 1
    below = int(place)
    low = ordered[below] + (ordered[below + 1] - ordered[below]) * (place - below)
    high = ordered[-1 - below] - (ordered[-1 - below] - ordered[-2 - below]) * (place - below)
    return Limits(float(np.median(ordered)), float(low), float(high), len(ordered))


def of_clusters(clusters: Sequence[Array]) -> Limits:
    """The limits of the median over all values of at least MINIMUM clusters, each ascending.

    Where a single cluster outweighs the others so that no value can be ruled out, they are the
    least and the greatest value.
    """
    sizes = np.array([len(cluster) for cluster in clusters])
    values = np.concatenate(clusters)
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    sizes_of = np.repeat(sizes, sizes)
    ranks = np.arange(len(values)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    statistic = _statistic(sizes_of[order], ranks[order], sizes)
    critical = _critical(sizes)
    return Limits(
        float(np.median(ordered)),
        _crossing(ordered, statistic, critical),
        _crossing(ordered[::-1], -statistic[::-1], critical),
        len(clusters),
    )


def of_ratio(over: Limits, under: Limits) -> tuple[float, float] | None:
    """The limits of the ratio of the two medians; None where one of them may be 0."""
    if not (over.low > 0 and under.low > 0):
        return None
    ratio = over.median / under.median
    down = _joined(
        math.log(over.median / over.low),
        over.units,
        math.log(under.high / under.median),
        under.units,
    )
    up = _joined(
        math.log(over.high / over.median),
        over.units,
        math.log(under.median / under.low),
        under.units,
    )
    return ratio * math.exp(-down), ratio * math.exp(up)


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


def _critical(sizes: Counts) -> float:
    n = len(sizes)
    concentrated = float((sizes**2).sum() / sizes.sum() ** 2) - 1 / n
    of_equal = (n + 1 - 2 * position(n)) / math.sqrt(n - 1)
    return of_equal * max(1 - _UNEQUAL * concentrated, _LEAST)


def _crossing(values: Array, statistic: Array, critical: float) -> float:
    """Where `statistic`, which falls along `values`, passes `critical` on its way to the middle."""
    (beyond,) = np.nonzero(statistic[: (len(values) + 1) // 2] >= critical)
    if not len(beyond):
        return float(values[0])
    i = int(beyond[-1])
    share = (statistic[i] - critical) / (statistic[i] - statistic[i + 1])
    return float(values[i] + share * (values[i + 1] - values[i]))


@lru_cache(maxsize=4096)
def position(n: int) -> float:
    """Where among n ordered values the lower limit lies: 1 is the least, 1.5 halfway to the next.

    The upper limit lies as far from the greatest.
    """
    # Ten standard deviations below the middle: nothing to be counted lies below.
    k = max(0, int(n / 2 - 5 * math.sqrt(n)))
    chance = math.exp(
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) - n * math.log(2)
    )
    below = 0.0
    while below + chance <= _MISS:
        below += chance
        chance *= (n - k) / (k + 1)
        k += 1
    straight = (_MISS - below) / chance
    curved = (n - k) * straight / (k + (n - 2 * k) * straight)
    return k + (straight + curved) / 2


def _joined(one: float, units: int, other: float, other_units: int) -> float:
    """Two distances between median and limit as one, of the difference of both."""
    freedom, other_freedom = _FREEDOM * math.sqrt(units), _FREEDOM * math.sqrt(other_units)
    square = (one / quantile(freedom)) ** 2
    other_square = (other / quantile(other_freedom)) ** 2
    both = square + other_square
    if both == 0:
        return 0.0
    shared = both**2 / (square**2 / freedom + other_square**2 / other_freedom)
    return quantile(shared) * math.sqrt(both)


def quantile(freedom: float) -> float:
    """The 97.5% quantile of Student's t, by Gaver and Kafadar 1984: within 0.4% from 4 up."""
    scaled = _Z**2 * (freedom - 5 / 6) / (freedom - 2 / 3 + 1 / (10 * freedom)) ** 2
    return math.sqrt(freedom * math.expm1(scaled))
