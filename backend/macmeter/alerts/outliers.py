"""Machines that are slower than similar ones by more than these usually differ."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from macmeter.alerts.points import Ints
from macmeter.stats.summary import Array

# Of fewer nobody can say what is usual among them.
FEWEST = 8
# What counts is what a machine did lately.
DAYS = 28.0
# In deviations of the cohort, as half of it shows them; and as a share of its median.
FARTHEST = 5.0
LEAST = 0.10
# A deviation is half of a cohort's spread, for values that are normal.
_DEVIATION = 1.4826
_FINEST = 0.01


@dataclass(frozen=True)
class Outliers:
    """Machines that are worse: each one's value as a ratio to its cohort's median."""

    machine: Ints
    cohort: Ints
    ratio: Array
    machines: Ints
    """How many the cohort has."""


def outliers(
    machine: Ints, cohort: Ints, group: Ints, value: Array, *, lower_is_better: bool
) -> Outliers:
    """Find outliers among results whose values are logarithms.

    `group`: only results of one are compared, as of one series and method. A machine counts once
    in its cohort, by the median of how it compares in them.
    """
    compared = value - _medians(np.stack([cohort, group], axis=1), value)[0]
    keys = np.stack([cohort, machine], axis=1)
    _, unique, first = _medians(keys, compared)
    found_cohort, found_machine = cohort[first], machine[first]
    _, of_cohort, sizes = np.unique(found_cohort, return_inverse=True, return_counts=True)
    of_cohort = of_cohort.reshape(-1)
    middle = _medians(found_cohort[:, None], unique)[0]
    away = unique - middle
    spread = _DEVIATION * _medians(found_cohort[:, None], np.abs(away))[0]
    worse = away if lower_is_better else -away
    size = sizes[of_cohort] if len(of_cohort) else of_cohort
    far = worse > np.maximum(FARTHEST * np.maximum(spread, _FINEST), -math.log1p(-LEAST))
    chosen = np.flatnonzero(far & (size >= FEWEST))
    return Outliers(found_machine[chosen], found_cohort[chosen], np.exp(away[chosen]), size[chosen])


def _medians(keys: Ints, value: Array) -> tuple[Array, Array, Ints]:
    """The median of each row's group, by row; and by group, with a row of each."""
    if not len(value):
        return value, value, np.zeros(0, dtype=np.int64)
    _, first, group = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    group = group.reshape(-1)
    order = np.lexsort((value, group))
    ends = np.cumsum(np.bincount(group))
    starts = np.concatenate([[0], ends[:-1]])
    ordered = value[order]
    middle = (starts + ends - 1) / 2
    medians = (ordered[np.floor(middle).astype(int)] + ordered[np.ceil(middle).astype(int)]) / 2
    return medians[group], medians, first
