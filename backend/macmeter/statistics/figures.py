"""Statistics of one group of machines, and the ratio of two groups. Pure arithmetic on arrays.

All values are in the metric's own unit. A machine's value is the median of its run values;
a group's figures are taken over machine values, or over run values with `weight="run"`.
"""

import itertools
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import numpy as np

from macmeter.statistics.between_models import is_too_wide, median_of, medians_of_sides
from macmeter.statistics.clusters import Clusters
from macmeter.statistics.intervals import (
    MINIMUM,
    Median,
    Z,
    limits_of_stretches,
    of_ratio,
)
from macmeter.statistics.run_intervals import FEWEST_RUNS, limits_of_runs
from macmeter.statistics.summary import Array, Ints, medians_of, percentiles_of

# In the order of the fields of GroupStatistics after the median.
_FRACTIONS = (0.10, 0.25, 0.75, 0.90)
_LARGEST_LOGARITHM = math.log(sys.float_info.max)
BETWEEN_MACHINES = "between machines"
BETWEEN_MODELS = "between models"
WITHIN_MACHINE = "within this machine"
BETWEEN_PAIRS = "between pairs"


@dataclass(frozen=True)
class Interval:
    """A 95% interval, and the unit whose variation it describes."""

    low: float
    high: float
    of: str


class NoInterval(StrEnum):
    """Reason for a missing interval."""

    FEW_MACHINES = "few_machines"
    """Fewer than MINIMUM machines."""
    FEW_RUNS = "few_runs"
    """A single machine with fewer runs than FEWEST_RUNS, which may all be alike."""
    FEW_MODELS = "few_models"
    """A few models that differ so much that others' median may be anywhere."""


@dataclass(frozen=True)
class GroupStatistics:
    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float
    interval: Interval | None
    no_interval: NoInterval | None


Limits = Callable[[float], tuple[float, float] | None]


class Agreement(NamedTuple):
    """How many `of` the pairs, or of the comparisons of a machine of each side, go the `same` way
    as their ratio. It needs no interval, and so no number of machines.
    """

    same: int
    of: int


def agreement(value: float, over: int, under: int, count: int) -> Agreement:
    """Return the agreement with a ratio of `value`, if so many comparisons are over and under 1."""
    return Agreement(over if value > 1 else under if value < 1 else count - over - under, count)


@dataclass(frozen=True)
class Ratio:
    """`value` of a group relative to its reference; `pairs` is None if they aren't paired.

    `fewest` is the number of pairs, or of machines on the smaller side. `limits` give intervals
    other than the 95% one, by standard deviations; None where there are none.
    """

    value: float
    pairs: int | None
    interval: Interval | None
    fewest: int
    limits: Limits = field(compare=False, repr=False)
    agreement: Agreement | None = None


def figures(machines: Clusters, weight: str) -> GroupStatistics:
    """Return figures of a group; a cluster holds a machine's run values."""
    ordered = machines.ascending[0] if weight == "run" else np.sort(machines.medians)
    return _figures(ordered, [0, len(ordered)], [_interval(machines, weight)])[0]


def figures_of_groups(
    machines: Array,
    ends: Sequence[int],
    alone: Callable[[int], Clusters],
    models: Ints | None = None,
) -> list[GroupStatistics | None]:
    """Return `figures` by machine of several groups at once; None for an empty group.

    `machines` are the machines' values, one group after another, and `models` their models; `ends`
    are the groups' boundaries, from the first start to the last end. `alone` reads the values of a
    group with a single machine.
    """
    ordered = machines.copy()
    for start, end in itertools.pairwise(ends):
        ordered[start:end].sort()
    sizes = np.diff(ends)
    having = np.flatnonzero(sizes)
    intervals: list[Interval | NoInterval] = [NoInterval.FEW_MACHINES] * len(having)
    several = np.flatnonzero(sizes[having] >= MINIMUM)
    starts = np.asarray(ends)[having[several]]
    limits = limits_of_stretches(ordered, starts, sizes[having[several]])
    for index, low, high in zip(several.tolist(), *map(Array.tolist, limits), strict=True):
        intervals[index] = Interval(low, high, BETWEEN_MACHINES)
    for index, group in enumerate(having.tolist()):
        stretch = slice(ends[group], ends[group + 1])
        if sizes[group] == 1:
            intervals[index] = _interval(alone(group), "machine")
        elif sizes[group] >= MINIMUM and models is not None:
            ones = np.ones(sizes[group], dtype=np.int64)
            clusters = Clusters(machines[stretch], ones, machines[stretch], models[stretch])
            median = median_of(clusters, "machine")
            if median.is_between_models:
                intervals[index] = _median_interval(median)
    listed: list[GroupStatistics | None] = [None] * len(sizes)
    computed = _figures(ordered, [*dict.fromkeys(ends)], intervals)
    for group, group_figures in zip(having.tolist(), computed, strict=True):
        listed[group] = group_figures
    return listed


def _figures(
    ordered: Array, ends: Sequence[int], intervals: Sequence[Interval | NoInterval]
) -> list[GroupStatistics]:
    """Return figures of non-empty groups of ascending values."""
    starts, sizes = np.asarray(ends[:-1]), np.diff(ends)
    columns = [
        medians_of(ordered, starts, sizes).tolist(),
        *(percentiles_of(ordered, starts, sizes, fraction).tolist() for fraction in _FRACTIONS),
        ordered.take(starts).tolist(),
        ordered.take(starts + sizes - 1).tolist(),
        [math.fsum(ordered[start:end]) / (end - start) for start, end in itertools.pairwise(ends)],
        [interval if isinstance(interval, Interval) else None for interval in intervals],
        [interval if isinstance(interval, NoInterval) else None for interval in intervals],
    ]
    return [GroupStatistics(*row) for row in zip(*columns, strict=True)]


def ratio_of_pairs(
    ratios: Array, models: Ints | None = None, *, are_logarithms: bool = False
) -> Ratio:
    """Return the median of the pairs' own ratios, one for each machine.

    With logarithms, swapping the sides gives the reciprocal. `models` are the machines' models: an
    effect may differ between them.
    """
    count, scale = len(ratios), _exponential if are_logarithms else float
    median = median_of(Clusters(ratios, np.ones(count, dtype=np.int64), ratios, models), "machine")

    def limits(deviations: float) -> tuple[float, float]:
        low, high = median.limits(deviations)
        return scale(low), scale(high)

    interval = None
    if count >= MINIMUM:
        low, high = limits(Z)
        if not median.is_between_models:
            interval = Interval(low, high, BETWEEN_PAIRS)
        elif not is_too_wide(low, high):
            interval = Interval(low, high, BETWEEN_MODELS)
    value, even = scale(median.value), 0.0 if are_logarithms else 1.0
    over, under = (int(np.count_nonzero(mask)) for mask in (ratios > even, ratios < even))
    return Ratio(value, count, interval, count, limits, agreement(value, over, under, count))


def _exponential(logarithm: float) -> float:
    return math.exp(logarithm) if logarithm < _LARGEST_LOGARITHM else math.inf


def ratio_of_medians(machines: Clusters, reference: Clusters, weight: str) -> Ratio:
    """Return the ratio of the two groups' medians."""
    over, under = medians_of_sides(machines, reference, weight)
    fewest = min(len(machines), len(reference))
    interval = None
    # A machine's own spread says nothing about others: the interval must be between machines.
    if fewest >= MINIMUM:
        ends = of_ratio(over, under)
        if over.is_between_models or under.is_between_models:
            if ends is not None and not is_too_wide(*ends):
                interval = Interval(*ends, BETWEEN_MODELS)
        elif ends is not None:
            interval = Interval(*ends, BETWEEN_MACHINES)
    limits = partial(of_ratio, over, under)
    value = over.value / under.value
    same = agreement(value, *compared(machines.medians, np.sort(reference.medians)))
    return Ratio(value, None, interval, fewest, limits, same)


def compared(values: Array, ascending: Array) -> tuple[int, int, int]:
    """Compare each value with each of the other side: count those above, those below, and all."""
    over = int(np.searchsorted(ascending, values, side="left").sum())
    count = len(values) * len(ascending)
    return over, count - int(np.searchsorted(ascending, values, side="right").sum()), count


def _interval(machines: Clusters, weight: str) -> Interval | NoInterval:
    if len(machines) == 1 and machines.sizes[0] >= MINIMUM:
        if machines.read_in_order is None or machines.sizes[0] < FEWEST_RUNS:
            return NoInterval.FEW_RUNS
        return Interval(*limits_of_runs(machines.read_in_order()), WITHIN_MACHINE)
    if len(machines) < MINIMUM:
        return NoInterval.FEW_MACHINES
    return _median_interval(median_of(machines, weight))


def _median_interval(median: Median) -> Interval | NoInterval:
    low, high = median.interval
    if not median.is_between_models:
        return Interval(low, high, BETWEEN_MACHINES)
    if is_too_wide(low, high):
        return NoInterval.FEW_MODELS
    return Interval(low, high, BETWEEN_MODELS)
