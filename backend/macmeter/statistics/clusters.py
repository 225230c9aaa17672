"""The 95% interval of a median over clustered values: the runs of machines.

Runs of one machine are alike, so the units that vary are machines. At the true median, a machine
has as many runs above as below except by chance, and a surplus above is as likely as one below. If
each machine's surplus changed its sign at random, the total would seldom exceed the actual one.
This chance is computed for each place among the values, and the limits are where it falls to 2.5%.
Nothing is assumed about how alike a machine's runs are, or how many there are; a machine with most
of the runs widens the interval as needed. With one value per machine, this is the rule for
independent values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from macmeter.statistics.intervals import Median, middle_of, of_ordered, safe_share, tail
from macmeter.statistics.summary import Array, Ints, medians_of

Counts = NDArray[np.int64]

# Number of the largest clusters for which all combinations of signs are tried.
_MAX_EXACT = 8
# Tails of the normal distribution; interpolation is accurate to six digits.
_DEVIATIONS = np.linspace(-8, 8, 1601)
_TAILS = np.array([tail(deviations) for deviations in _DEVIATIONS.tolist()])


class Clusters:
    """Values of clusters, one cluster after another, each ascending; and the clusters' sizes."""

    def __init__(
        self,
        values: Array | Callable[[], Array],
        sizes: Counts,
        medians: Array | None = None,
        models: Ints | None = None,
        read_in_order: Callable[[], Array] | None = None,
    ) -> None:
        """Take `medians` if known; `values` may be a function that reads them on demand.

        `models` number each cluster's model, below 0 if unknown; `read_in_order` reads the values
        of a single cluster from the first run to the last.
        """
        self._values, self.sizes, self.models = values, sizes, models
        self.read_in_order = read_in_order
        if medians is not None:
            self.__dict__["medians"] = medians

    @classmethod
    def join(cls, clusters: Sequence[Array]) -> Clusters:
        """Join arrays, each ascending."""
        return cls(np.concatenate(clusters), np.array([len(cluster) for cluster in clusters]))

    @property
    def values(self) -> Array:
        return self._values() if callable(self._values) else self._values

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def medians(self) -> Array:
        """Median of each cluster, by the same definition as `percentile`."""
        return medians_of(self.values, np.cumsum(self.sizes) - self.sizes, self.sizes)

    def by_model(self, models: Ints, weight: str) -> Clusters:
        """Return one cluster for each model, of the machines' medians; with `weight="run"`, of all
        values. `models` has the model of each machine, from 0.
        """
        if weight == "run":
            values, model_of = self.values, np.repeat(models, self.sizes)
        else:
            values, model_of = self.medians, models
        return Clusters(values[np.lexsort((values, model_of))], np.bincount(model_of))

    @cached_property
    def ascending(self) -> tuple[Array, Counts]:
        """All values, ascending, and the cluster of each."""
        order = np.argsort(self.values, kind="stable")
        return self.values[order], np.repeat(np.arange(len(self)), self.sizes)[order]


def median_of_clusters(clusters: Clusters) -> Median:
    """Return the median over all values of at least MINIMUM clusters."""
    (ordered, cluster_of), sizes = clusters.ascending, clusters.sizes
    if len(ordered) == len(clusters):
        return of_ordered(ordered)

    below = _Chances(cluster_of, sizes)
    above = _Chances(cluster_of[::-1], sizes)

    def limits(deviations: float) -> tuple[float, float]:
        if tail(deviations) < below.at(0):
            return -math.inf, math.inf
        return _limit(ordered, below, deviations), _limit(ordered[::-1], above, deviations)

    return Median(middle_of(ordered), len(clusters), limits)


class _Chances:
    """Chances of a surplus as large as the actual one, by the number of values passed from one end.

    `cluster_of` is the cluster of each value, from that end.
    """

    def __init__(self, cluster_of: Ints, sizes: Counts) -> None:
        self._cluster_of, self._sizes = cluster_of, sizes
        self._passed, self._counts = 0, np.zeros(len(sizes), dtype=np.int64)
        # The search for a ratio's limits visits the same places repeatedly.
        self._cache: dict[int, float] = {}

    def at(self, passed: int) -> float:
        """Return the chance after this number of values."""
        if passed not in self._cache:
            self._advance_to(passed)
            self._cache[passed] = chance_of_surplus(self._sizes, self._counts)
        return self._cache[passed]

    def deviation(self, passed: int) -> float:
        """Return the standard deviation of the surplus after this number of values."""
        self._advance_to(passed)
        surplus = self._sizes - 2 * self._counts
        return math.sqrt(float(surplus @ surplus))

    def _advance_to(self, passed: int) -> None:
        """Update the counts by the values since the last place: searches take small steps."""
        between = self._cluster_of[min(passed, self._passed) : max(passed, self._passed)]
        counts = np.bincount(between, minlength=len(self._sizes))
        self._counts += counts if passed > self._passed else -counts
        self._passed = passed


def _limit(values: Array, chances: _Chances, deviations: float) -> float:
    """Return the limit from one end, beyond which the chance is the tail of `deviations`."""
    chance_outside = tail(deviations)
    outer, inner = 0, (len(values) + 1) // 2
    # Start where the limit would be for a normal distribution, search in growing steps, and bisect
    # once it is enclosed.
    deviation = chances.deviation(inner) / 2
    guess, step = inner - int(deviations * deviation), max(int(deviation / 16), 1)
    was_outer: bool | None = None
    is_enclosed = False
    while inner - outer > 1:
        middle = (outer + inner) // 2 if is_enclosed else min(max(guess, outer + 1), inner - 1)
        is_outer = chances.at(middle) <= chance_outside
        is_enclosed |= was_outer not in (None, is_outer)
        was_outer = is_outer
        if is_outer:
            outer, guess = middle, middle + step
        else:
            inner, guess = middle, middle - step
        step *= 2
    # Interpolate between the last value passed at `inner` and the next one.
    low, high = float(values[inner - 1]), float(values[min(inner, len(values) - 1)])
    at_outer, at_inner = chances.at(outer), chances.at(inner)
    if at_inner <= at_outer:
        return low
    linear = min(max((chance_outside - at_outer) / (at_inner - at_outer), 0.0), 1.0)
    return low + (high - low) * safe_share(linear, chance_outside, at_outer, at_inner)


def chance_of_surplus(sizes: Counts, counts: Counts) -> float:
    """Return how often the sum of `sizes - 2 * counts` is as large if signs are random.

    Exact for up to twice `_MAX_EXACT` parts; otherwise the smaller parts together count as normal.
    """
    surplus = sizes - 2 * counts
    parts = np.abs(surplus)
    if len(parts) > 2 * _MAX_EXACT:
        parts.partition(len(parts) - _MAX_EXACT)
        exact_sums, smaller = _sums(parts[-_MAX_EXACT:]), parts[:-_MAX_EXACT]
        if squares := float(smaller @ smaller):
            # Signed sums of integers differ by multiples of twice their greatest common divisor.
            halfway = surplus.sum() - np.gcd.reduce(smaller)
            deviations = (halfway - exact_sums) / math.sqrt(squares)
            return float(np.interp(deviations, _DEVIATIONS, _TAILS).mean())
        return float((exact_sums >= surplus.sum()).mean())
    parts = np.sort(parts)[::-1]
    exact_sums, other_sums = _sums(parts[:_MAX_EXACT]), np.sort(_sums(parts[_MAX_EXACT:]))
    as_large = len(other_sums) - np.searchsorted(other_sums, surplus.sum() - exact_sums)
    return float(as_large.mean() / len(other_sums))


def _sums(parts: Counts) -> Array:
    """Return all signed sums of the parts; NumPy's float product is exact for these integers."""
    sums: Array = parts.astype(np.float64) @ _signs(len(parts))
    return sums


@lru_cache(maxsize=_MAX_EXACT + 1)
def _signs(count: int) -> Array:
    """Return all combinations of signs for so many parts, one per column."""
    signs = 1 - 2 * (np.arange(2**count) >> np.arange(count)[:, np.newaxis] & 1)
    return signs.astype(np.float64)
