"""A fleet's results of one metric over time, and how each of its machines changed.

A line is what one machine measured in one way on one thing: figures of two lines are never
compared. A machine has several, and one change: the median of those of its lines.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.stats.summary import Array, medians_of

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

# What is older says no more of a machine's level before an update: seasons and volumes changed.
DAYS_BEFORE = 56.0
DAYS_AFTER = 28.0
# One run may be anything: before an update there are some.
FEWEST_BEFORE = 2
# The number of all cohorts as one.
EVERY = -1


@dataclass(frozen=True)
class Points:
    """P results, in any order; `value` are logarithms, `day` counts from 1970 and has a fraction.

    `cohort` and `version` are numbers of whoever made them.
    """

    machine: Ints
    line: Ints
    cohort: Ints
    version: Ints
    day: Array
    value: Array

    def __len__(self) -> int:
        return len(self.line)

    def only(self, chosen: Bools | Ints) -> Points:
        numbers = (self.machine, self.line, self.cohort, self.version)
        machine, line, cohort, version = (array[chosen] for array in numbers)
        return Points(machine, line, cohort, version, self.day[chosen], self.value[chosen])

    def together(self) -> Points:
        """All cohorts as one; lines stay apart."""
        return replace(self, cohort=np.full(len(self), EVERY))

    def in_order(self) -> Points:
        """By line and time."""
        same_line = self.line[1:] == self.line[:-1]
        later = (self.line[1:] > self.line[:-1]) | same_line & (self.day[1:] >= self.day[:-1])
        if later.all():
            return self
        return self.only(np.lexsort((self.day, self.line)))


@dataclass(frozen=True)
class Changes:
    """N machines of cohorts, and the logarithm of after/before of each; `day` is when.

    `version` is what it was updated to, of `changes_over_updates`.
    """

    machine: Ints
    cohort: Ints
    version: Ints
    day: Array
    change: Array

    def __len__(self) -> int:
        return len(self.machine)

    def only(self, chosen: Bools | Ints) -> Changes:
        machine, cohort, version = (of[chosen] for of in (self.machine, self.cohort, self.version))
        return Changes(machine, cohort, version, self.day[chosen], self.change[chosen])


@dataclass(frozen=True)
class LineChanges:
    """The logarithm of after/before of each of N lines; `first` is the first point after."""

    first: Points
    change: Array

    def together(self) -> LineChanges:
        """Those of all cohorts as one."""
        return LineChanges(self.first.together(), self.change)

    def by_machine(self) -> Changes:
        """One for each machine, version and cohort."""
        first = self.first
        keys = (first.machine, first.version, first.cohort)
        order = np.lexsort((self.change, *keys))
        ordered, change = first.only(order), self.change[order]
        new = np.ones(len(ordered), dtype=bool)
        new[1:] = (
            (ordered.machine[1:] != ordered.machine[:-1])
            | (ordered.version[1:] != ordered.version[:-1])
            | (ordered.cohort[1:] != ordered.cohort[:-1])
        )
        starts = np.flatnonzero(new)
        if not len(starts):
            return Changes(ordered.machine, ordered.cohort, ordered.version, ordered.day, change)
        one = ordered.only(starts)
        return Changes(
            one.machine,
            one.cohort,
            one.version,
            np.minimum.reduceat(ordered.day, starts),
            medians_of(change, starts, np.diff(starts, append=len(ordered))),
        )


def changes_over_updates(points: Points) -> LineChanges:
    """One for each line and version that its machine was updated to, measured before and since."""
    points = points.in_order()
    stays = _Stays.of(points)
    updated = np.flatnonzero(stays.is_update)
    at = np.append(points.day[stays.first[updated]], np.nan)  # of -1: of none
    by_stay = np.full(len(stays.first) + 1, -1)
    by_stay[updated] = np.arange(len(updated))
    since, before = by_stay[stays.of_point], by_stay[stays.of_point + 1]
    since[(since >= 0) & (points.day > at[since] + DAYS_AFTER)] = -1
    before[(before >= 0) & (points.day < at[before] - DAYS_BEFORE)] = -1
    change, known = _change(points.value, before, since, len(updated))
    first = stays.first[updated[known]]
    return LineChanges(points.only(first), change[known])


def changes_since(points: Points, day: float) -> LineChanges:
    """One for each line whose machine kept its macOS over that day, measured in the weeks before
    and since.
    """
    points = points.in_order()
    near = (points.day >= day - DAYS_BEFORE) & (points.day <= day + DAYS_AFTER)
    stays = _Stays.of(points)
    since = np.where(near & (points.day >= day), stays.of_point, -1)
    before = np.where(near & (points.day < day), stays.of_point, -1)
    change, known = _change(points.value, before, since, len(stays.first))
    return LineChanges(points.only(stays.first[known]), change[known])


@dataclass(frozen=True)
class _Stays:
    """Points of one line under one macOS, one after another: S of them."""

    of_point: Ints
    first: Ints
    is_update: Bools
    """The stay before it is of the same line."""

    @classmethod
    def of(cls, ordered: Points) -> _Stays:
        new_line = np.ones(len(ordered), dtype=bool)
        new_line[1:] = ordered.line[1:] != ordered.line[:-1]
        new = new_line.copy()
        new[1:] |= ordered.version[1:] != ordered.version[:-1]
        first = np.flatnonzero(new)
        return cls(np.cumsum(new) - 1, first, ~new_line[first])


def _change(value: Array, before: Ints, since: Ints, count: int) -> tuple[Array, Bools]:
    """By number the change from one group of points to the other, and whether both are known."""
    levels_before, sizes_before = _levels(value, before, count)
    levels_since, sizes_since = _levels(value, since, count)
    return levels_since - levels_before, (sizes_before >= FEWEST_BEFORE) & (sizes_since > 0)


def _levels(value: Array, group: Ints, count: int) -> tuple[Array, Ints]:
    """The median and the size of each group; points of group -1 are of none."""
    chosen = np.flatnonzero(group >= 0)
    order = chosen[np.lexsort((value[chosen], group[chosen]))]
    sizes = np.bincount(group[order], minlength=count)
    levels = np.full(count, np.nan)
    some = sizes > 0
    starts = (np.cumsum(sizes) - sizes)[some]
    levels[some] = medians_of(value[order], starts, sizes[some])
    return levels, sizes
