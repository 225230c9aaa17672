"""How much a cohort moves as one from week to week, where nothing that lasts has happened."""

from __future__ import annotations

import math

import numpy as np

from macmeter.alerts.points import DAYS_BEFORE, Points
from macmeter.stats.summary import Array

_WEEK = 7.0
_FEWEST_WEEKS = 4
# A line of fewer has no level of its own to be measured by.
_FEWEST_POINTS = 3
# Means of independent machines have so much of their own variance in few cases of a thousand.
_BY_CHANCE = 3.0
# A change in common is news where it is so many times what is usual.
UNUSUAL = 4.0


def usual_movement(points: Points) -> float:
    """The standard deviation, as a logarithm, of what all machines share in one of the last weeks.

    Weeks that differ by no more than the machines' own spread allows share nothing: 0. So do fewer
    than four weeks. This is the variance between groups in an analysis of variance of one way
    (Fisher 1925), with weeks as groups and machines as units.
    """
    if not len(points):
        return 0.0
    until = float(points.day.max())
    points = points.only(points.day >= until - DAYS_BEFORE)
    _, line, sizes = np.unique(points.line, return_inverse=True, return_counts=True)
    known = (sizes >= _FEWEST_POINTS)[line]
    change = _drawn_in(_from_own_mean(points.value[known], line[known]))
    week = np.floor((until - points.day[known]) / _WEEK).astype(np.int64)
    _, cell, in_cell = np.unique(
        np.stack([week, points.machine[known]]), axis=1, return_inverse=True, return_counts=True
    )
    cell = cell.reshape(-1)
    of_cell = np.bincount(cell, change) / in_cell
    week_of_cell = np.zeros(len(in_cell), dtype=np.int64)
    week_of_cell[cell] = week
    return _between(of_cell, week_of_cell)


def _between(values: Array, group: np.ndarray) -> float:
    machines = np.bincount(group)
    some = machines > 1
    if int(some.sum()) < _FEWEST_WEEKS:
        return 0.0
    means = np.bincount(group, values) / np.maximum(machines, 1)
    kept = some[group]
    away = values[kept] - means[group[kept]]
    within = float(away @ away) / (int(kept.sum()) - int(some.sum()))
    expected = float(np.mean(within / machines[some]))
    between = float(np.var(means[some], ddof=1))
    return math.sqrt(between - expected) if between > _BY_CHANCE * expected else 0.0


def _from_own_mean(values: Array, line: np.ndarray) -> Array:
    counts = np.maximum(np.bincount(line), 1)
    found: Array = values - (np.bincount(line, values) / counts)[line]
    return found


def _drawn_in(values: Array) -> Array:
    """One run that is far out moves no week."""
    if not len(values):
        return values
    low, high = np.quantile(values, [0.25, 0.75])
    reach = 3 * (high - low)
    found: Array = np.clip(values, low - reach, high + reach)
    return found
