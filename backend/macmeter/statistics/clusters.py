"""The 95% interval of a median over values that come in clusters: the runs of machines.

Runs of one machine are alike, so machines are what varies. At the true median each machine has as
many runs above as below, except by chance, and more above is as likely as more below: if the
surplus of each changed sides at random, the sum of all would seldom be greater than it is. That
chance is computed for each place among the values, and the limits are where it falls to 2.5%.
Nothing is assumed about how alike the runs of a machine are, or how many each has; one with most
of the runs makes the interval as wide as it must be. Where each has one value, this is the rule for
values.
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

# So many of the largest clusters change sides in every way that they can.
_SINGLY = 8
# The chance of a normal value beyond so many deviations, to six digits between them.
_DEVIATIONS = np.linspace(-8, 8, 1601)
_TAILS = np.array([tail(deviations) for deviations in _DEVIATIONS.tolist()])


class Clusters:
    """The values of one cluster after another, each ascending, and how many each has."""

    def __init__(
        self,
        values: Array | Callable[[], Array],
        sizes: Counts,
        medians: Array | None = None,
        models: Ints | None = None,
        in_time: Callable[[], Array] | None = None,
    ) -> None:
        """With `medians` where they are known; values may be read when somebody asks for them.

        `models` are a number for each cluster's model, below 0 where that is unknown; `in_time`
        reads the values of one cluster from the first run to the last.
        """
        self._values, self.sizes, self.models, self.in_time = values, sizes, models, in_time
        if medians is not None:
            self.__dict__["medians"] = medians

    @classmethod
    def of(cls, clusters: Sequence[Array]) -> Clusters:
        """Join arrays, each ascending."""
        return cls(np.concatenate(clusters), np.array([len(cluster) for cluster in clusters]))

    @property
    def values(self) -> Array:
        return self._values() if callable(self._values) else self._values

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def medians(self) -> Array:
        """Each cluster's; the same definition as `percentile`."""
        return medians_of(self.values, np.cumsum(self.sizes) - self.sizes, self.sizes)

    def by_model(self, models: Ints, weight: str) -> Clusters:
        """A cluster for each of these models, numbered from 0: of the machines' medians, or of all
        values with `weight="run"`.
        """
        if weight == "run":
            values, owners = self.values, np.repeat(models, self.sizes)
        else:
            values, owners = self.medians, models
        return Clusters(values[np.lexsort((values, owners))], np.bincount(owners))

    @cached_property
    def ascending(self) -> tuple[Array, Counts]:
        """All values, ascending, and the number of each one's cluster."""
        order = np.argsort(self.values, kind="stable")
        return self.values[order], np.repeat(np.arange(len(self)), self.sizes)[order]


def of_clusters(clusters: Clusters) -> Median:
    """The median over all values of at least MINIMUM clusters."""
    (ordered, owners), sizes = clusters.ascending, clusters.sizes
    if len(ordered) == len(clusters):
        return of_ordered(ordered)

    below = _Chances(owners, sizes)
    above = _Chances(owners[::-1], sizes)

    def limits(deviations: float) -> tuple[float, float]:
        if tail(deviations) < below.of(0):
            return -math.inf, math.inf
        return _limit(ordered, below, deviations), _limit(ordered[::-1], above, deviations)

    return Median(middle_of(ordered), len(clusters), limits)


class _Chances:
    """How often so many values are passed from one end by chance, by their number."""

    def __init__(self, owners: Ints, sizes: Counts) -> None:
        self._owners, self._sizes = owners, sizes
        self._passed, self._counts = 0, np.zeros(len(sizes), dtype=np.int64)
        # A ratio asks for limits nearer and nearer, which are searched for in the same places.
        self._known: dict[int, float] = {}

    def of(self, passed: int) -> float:
        if passed not in self._known:
            self._pass(passed)
            self._known[passed] = chance_of_surplus(self._sizes, self._counts)
        return self._known[passed]

    def spread(self, passed: int) -> float:
        """The deviation of the surplus of those that were not passed."""
        self._pass(passed)
        surplus = self._sizes - 2 * self._counts
        return math.sqrt(float(surplus @ surplus))

    def _pass(self, passed: int) -> None:
        """Count those between the last place and this one: a search comes nearer and nearer."""
        between = self._owners[min(passed, self._passed) : max(passed, self._passed)]
        counts = np.bincount(between, minlength=len(self._sizes))
        self._counts += counts if passed > self._passed else -counts
        self._passed = passed


def _limit(values: Array, chances: _Chances, deviations: float) -> float:
    """The first of `values` from either end that is not passed as seldom as `deviations` are."""
    missed = tail(deviations)
    outer, inner = 0, (len(values) + 1) // 2
    # About here it would be if the chances were normal. From there on it is looked for in steps
    # that grow, and between two of them by halves.
    spread = chances.spread(inner) / 2
    nearly, step = inner - int(deviations * spread), max(int(spread / 16), 1)
    was_outer: bool | None = None
    is_enclosed = False
    while inner - outer > 1:
        middle = (outer + inner) // 2 if is_enclosed else min(max(nearly, outer + 1), inner - 1)
        is_outer = chances.of(middle) <= missed
        is_enclosed |= was_outer not in (None, is_outer)
        was_outer = is_outer
        if is_outer:
            outer, nearly = middle, middle + step
        else:
            inner, nearly = middle, middle - step
        step *= 2
    # The limit lies between the last value passed by `inner` and the one after it.
    low, high = float(values[inner - 1]), float(values[min(inner, len(values) - 1)])
    at_outer, at_inner = chances.of(outer), chances.of(inner)
    if at_inner <= at_outer:
        return low
    straight = min(max((missed - at_outer) / (at_inner - at_outer), 0.0), 1.0)
    return low + (high - low) * safe_share(straight, missed, at_outer, at_inner)


def chance_of_surplus(sizes: Counts, counts: Counts) -> float:
    """How often the sum of `sizes - 2 * counts` is as great as it is when each sign is chance.

    Exact for up to twice _SINGLY parts; beyond, the smaller parts are taken together as normal.
    """
    surplus = sizes - 2 * counts
    parts = np.abs(surplus)
    if len(parts) > 2 * _SINGLY:
        parts.partition(len(parts) - _SINGLY)
        singly, smaller = _sums(parts[-_SINGLY:]), parts[:-_SINGLY]
        if squares := float(smaller @ smaller):
            # Sums of whole numbers with signs lie twice their common divisor apart.
            halfway = surplus.sum() - np.gcd.reduce(smaller)
            deviations = (halfway - singly) / math.sqrt(squares)
            return float(np.interp(deviations, _DEVIATIONS, _TAILS).mean())
        return float((singly >= surplus.sum()).mean())
    parts = np.sort(parts)[::-1]
    singly, others = _sums(parts[:_SINGLY]), np.sort(_sums(parts[_SINGLY:]))
    as_great = len(others) - np.searchsorted(others, surplus.sum() - singly)
    return float(as_great.mean() / len(others))


def _sums(parts: Counts) -> Array:
    """All sums of the parts with either sign; as floats numpy multiplies whole numbers exactly."""
    sums: Array = parts.astype(np.float64) @ _signs(len(parts))
    return sums


@lru_cache(maxsize=_SINGLY + 1)
def _signs(count: int) -> Array:
    """Every way in which so many parts have a sign, a column each."""
    signs = 1 - 2 * (np.arange(2**count) >> np.arange(count)[:, np.newaxis] & 1)
    return signs.astype(np.float64)
