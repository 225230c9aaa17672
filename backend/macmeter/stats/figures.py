"""The figures of one group of machines, and the ratio of two. Pure arithmetic on arrays.

All values are in the metric's own unit. A machine's value is the median of its run values;
a group's figures are taken over machine values, or over run values with `weight="run"`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from macmeter.stats.clusters import Clusters, of_clusters
from macmeter.stats.intervals import (
    MINIMUM,
    Median,
    limits_of_stretches,
    of_ordered,
    of_ratio,
    of_values,
)
from macmeter.stats.summary import Array, medians_of, percentiles_of

# As they stand in Figures after the median.
_FRACTIONS = (0.10, 0.25, 0.75, 0.90)
BETWEEN_MACHINES = "between machines"
WITHIN_MACHINE = "within this machine"
BETWEEN_PAIRS = "between pairs"


@dataclass(frozen=True)
class Interval:
    """A 95% interval, and what it says would vary."""

    low: float
    high: float
    of: str


@dataclass(frozen=True)
class Figures:
    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float
    interval: Interval | None


@dataclass(frozen=True)
class Ratio:
    """`value` of a group to its reference; `pairs` is None when they are not paired.

    `fewest` is the number of pairs, or of machines on the side that has fewer.
    """

    value: float
    pairs: int | None
    interval: Interval | None
    fewest: int


def figures(machines: Clusters, weight: str) -> Figures:
    """Figures of a group; a cluster holds a machine's run values."""
    ordered = machines.ascending[0] if weight == "run" else np.sort(machines.medians)
    return _figures(ordered, [0, len(ordered)], [_interval(machines, weight, ordered)])[0]


def figures_of_groups(
    machines: Array, ends: Sequence[int], alone: Callable[[int], Clusters]
) -> list[Figures | None]:
    """As `figures` by machine, of several groups at once: None of one without any.

    `machines` are the machines' values, one group after another; `ends` say where those of each
    begin, and where the last end. `alone` reads the values of a group of one machine.
    """
    ordered = machines.copy()
    for start, end in itertools.pairwise(ends):
        ordered[start:end].sort()
    sizes = np.diff(ends)
    having = np.flatnonzero(sizes)
    intervals: list[Interval | None] = [
        _interval(alone(group), "machine", ordered[ends[group] : ends[group + 1]])
        if sizes[group] == 1
        else None
        for group in having.tolist()
    ]
    several = np.flatnonzero(sizes[having] >= MINIMUM)
    starts = np.asarray(ends)[having[several]]
    limits = limits_of_stretches(ordered, starts, sizes[having[several]])
    for place, low, high in zip(several.tolist(), *map(Array.tolist, limits), strict=True):
        intervals[place] = Interval(low, high, BETWEEN_MACHINES)
    found: list[Figures | None] = [None] * len(sizes)
    told = _figures(ordered, [*dict.fromkeys(ends)], intervals)
    for group, of_group in zip(having.tolist(), told, strict=True):
        found[group] = of_group
    return found


def _figures(
    ordered: Array, ends: Sequence[int], intervals: Sequence[Interval | None]
) -> list[Figures]:
    """Of values that ascend in each group, of which none is without any."""
    starts, sizes = np.asarray(ends[:-1]), np.diff(ends)
    told = [
        medians_of(ordered, starts, sizes).tolist(),
        *(percentiles_of(ordered, starts, sizes, of).tolist() for of in _FRACTIONS),
        ordered.take(starts).tolist(),
        ordered.take(starts + sizes - 1).tolist(),
        [float(ordered[start:end].mean()) for start, end in itertools.pairwise(ends)],
        intervals,
    ]
    return [Figures(*of_group) for of_group in zip(*told, strict=True)]


def ratio_of_pairs(ratios: Array) -> Ratio:
    """The median of the pairs' own ratios."""
    found = of_values(ratios)
    interval = None
    if len(ratios) >= MINIMUM:
        interval = Interval(*found.interval, BETWEEN_PAIRS)
    return Ratio(found.value, len(ratios), interval, len(ratios))


def ratio_of_log_pairs(logs: Array) -> Ratio:
    """As `ratio_of_pairs`, of logarithms: turned round, it is the reciprocal."""
    found, count = of_values(logs), len(logs)
    interval = None
    if count >= MINIMUM:
        low, high = map(math.exp, found.interval)
        interval = Interval(low, high, BETWEEN_PAIRS)
    return Ratio(math.exp(found.value), count, interval, count)


def ratio_of_medians(machines: Clusters, reference: Clusters, weight: str) -> Ratio:
    """The ratio of the two groups' medians."""
    over, under = _median(machines, weight), _median(reference, weight)
    fewest = min(len(machines), len(reference))
    interval = None
    # One machine's own spread says nothing of another's: only between machines is there one.
    if fewest >= MINIMUM:
        found = of_ratio(over, under)
        interval = Interval(*found, BETWEEN_MACHINES) if found is not None else None
    return Ratio(over.value / under.value, None, interval, fewest)


def _interval(machines: Clusters, weight: str, ordered: Array) -> Interval | None:
    """None where there are too few for one; `ordered` are the values that count."""
    if len(machines) == 1 and machines.sizes[0] >= MINIMUM:
        return Interval(*of_values(machines.values).interval, WITHIN_MACHINE)
    if len(machines) < MINIMUM:
        return None
    found = of_clusters(machines) if weight == "run" else of_ordered(ordered)
    return Interval(*found.interval, BETWEEN_MACHINES)


def _median(machines: Clusters, weight: str) -> Median:
    """Of the group's median: machines are the units, whatever is weighted."""
    return of_clusters(machines) if weight == "run" else of_values(machines.medians)
