"""A fleet's results of one metric over time, and how each of its machines changed.

A line is what one machine measured in one way on one thing: figures of two lines are never
compared. A machine has several, and one change: the median of those of its lines.
"""

from __future__ import annotations

import math
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
# In the first days after an update a Mac indexes its files again: what it measures then passes.
SETTLING = 3.0
# A Mac that has measured in those days alone counts where so many others have gone on, and their
# mean is so many standard errors from none.
_FEWEST_SETTLED = 2
_AGREE = 5.0
# What a line measured in its last days is how it is now.
_NOW = 7.0
# The number of all cohorts as one.
EVERY = -1
# A change of more than half of an effect is nearer to it than to none.
NEARER = 0.5


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

    `version` is what it was updated to, of `changes_over_updates`. `settled`: it measured after
    the first days as well.
    """

    machine: Ints
    cohort: Ints
    version: Ints
    day: Array
    change: Array
    settled: Bools

    def __len__(self) -> int:
        return len(self.machine)

    def only(self, chosen: Bools | Ints) -> Changes:
        machine, cohort, version = (of[chosen] for of in (self.machine, self.cohort, self.version))
        settled = self.settled[chosen]
        return Changes(machine, cohort, version, self.day[chosen], self.change[chosen], settled)

    def confirmed(self) -> Changes:
        """All, where those that have settled changed clearly as the others; otherwise those alone.

        The spread is that of both groups, each around its own mean.
        """
        settled, others = self.only(self.settled), self.change[~self.settled]
        if len(settled) < _FEWEST_SETTLED or not len(others):
            return settled
        mean, passing = float(settled.change.mean()), float(others.mean())
        away = np.concatenate([settled.change - mean, others - passing])
        error = math.sqrt(float(away @ away) / max(len(self) - 2, 1) / len(settled))
        is_alike = passing != 0 and mean / passing > NEARER
        return self if is_alike and abs(mean) >= _AGREE * error else settled


@dataclass(frozen=True)
class LineChanges:
    """The logarithm of after/before of each of N lines; `first` is the first point after."""

    first: Points
    change: Array
    settled: Bools

    def together(self) -> LineChanges:
        """Those of all cohorts as one."""
        return replace(self, first=self.first.together())

    def by_machine(self) -> Changes:
        """One for each machine, version and cohort: of settled lines, where it has any."""
        first = self.first
        order = np.lexsort((self.change, ~self.settled, first.machine, first.version, first.cohort))
        ordered, change, settled = first.only(order), self.change[order], self.settled[order]
        new = np.ones(len(ordered), dtype=bool)
        new[1:] = (
            (ordered.machine[1:] != ordered.machine[:-1])
            | (ordered.version[1:] != ordered.version[:-1])
            | (ordered.cohort[1:] != ordered.cohort[:-1])
        )
        starts = np.flatnonzero(new)
        if not len(starts):
            none = ordered.day
            return Changes(ordered.machine, ordered.cohort, ordered.version, none, none, settled)
        one = ordered.only(starts)
        sizes, of_settled = np.diff(starts, append=len(ordered)), np.add.reduceat(settled, starts)
        return Changes(
            one.machine,
            one.cohort,
            one.version,
            np.minimum.reduceat(ordered.day, starts),
            medians_of(change, starts, np.where(of_settled > 0, of_settled, sizes)),
            of_settled > 0,
        )


def changes_over_updates(points: Points, today: float = math.inf) -> LineChanges:
    """One for each line and version that its machine was updated to, measured before and since.

    Points of the first days under a version count from their end on, and only until there are
    later ones.
    """
    points = points.in_order()
    settling = settling_since(points)
    stays = _Stays.of(points)
    updated = np.flatnonzero(stays.is_update)
    at = np.append(points.day[stays.first[updated]], np.nan)  # of -1: of none
    by_stay = np.full(len(stays.first) + 1, -1)
    by_stay[updated] = np.arange(len(updated))
    since, before = by_stay[stays.of_point], by_stay[stays.of_point + 1]
    since[(since >= 0) & (points.day > at[since] + DAYS_AFTER)] = -1
    before[(before >= 0) & (points.day < at[before] - DAYS_BEFORE)] = -1
    is_settled = np.isnan(settling)
    before[~is_settled] = -1
    settled = np.bincount(since[is_settled & (since >= 0)], minlength=len(updated)) > 0
    # Points of lines that have settled since, and of those that wait for it.
    waits = ~is_settled & (settled[since] | (settling + SETTLING > today)) if len(updated) else []
    since[waits] = -1
    change, known = _change(points.value, before, since, len(updated))
    first = stays.first[updated[known]]
    return LineChanges(points.only(first), change[known], settled[known])


def changes_since(points: Points, day: float) -> LineChanges:
    """One for each line whose machine kept its macOS over that day, measured in the weeks before
    and since; the first days after an update don't count.
    """
    points = settled_of(points)
    near = (points.day >= day - DAYS_BEFORE) & (points.day <= day + DAYS_AFTER)
    stays = _Stays.of(points)
    since = np.where(near & (points.day >= day), stays.of_point, -1)
    before = np.where(near & (points.day < day), stays.of_point, -1)
    change, known = _change(points.value, before, since, len(stays.first))
    first = points.only(stays.first[known])
    return LineChanges(first, change[known], np.ones(len(first), dtype=bool))


def settled_of(points: Points) -> Points:
    """In order, and without those of the first days after an update."""
    points = points.in_order()
    return points.only(np.isnan(settling_since(points)))


def settling_since(points: Points) -> Array:
    """For each point of the first days after an update its machine's first one under that version;
    NaN for all others.
    """
    order = np.lexsort((points.day, points.machine))
    machine, version, day = points.machine[order], points.version[order], points.day[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (machine[1:] != machine[:-1]) | (version[1:] != version[:-1])
    starts = np.flatnonzero(new)
    is_update = np.zeros(len(starts), dtype=bool)
    is_update[1:] = machine[starts[1:]] == machine[starts[:-1]]
    stay = np.cumsum(new) - 1
    began = day[starts][stay]
    found = np.empty(len(order))
    found[order] = np.where(is_update[stay] & (day < began + SETTLING), began, np.nan)
    return found


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
    levels_before, sizes_before = levels(value, before, count)
    levels_since, sizes_since = levels(value, since, count)
    return levels_since - levels_before, (sizes_before >= FEWEST_BEFORE) & (sizes_since > 0)


def levels(value: Array, group: Ints, count: int) -> tuple[Array, Ints]:
    """The median and the size of each group; points of group -1 are of none."""
    chosen = np.flatnonzero(group >= 0)
    order = chosen[np.lexsort((value[chosen], group[chosen]))]
    sizes = np.bincount(group[order], minlength=count)
    found = np.full(count, np.nan)
    some = sizes > 0
    starts = (np.cumsum(sizes) - sizes)[some]
    found[some] = medians_of(value[order], starts, sizes[some])
    return found, sizes


def latest_changes(points: Points, version: int | None, day: float) -> Changes:
    """How each machine of one cohort measures now, against its level before a change.

    The change is that to `version`, or on that day for all where it is None. Now are the last days
    in which a line was measured, whatever happened since.
    """
    points = settled_of(points)
    _, line = np.unique(points.line, return_inverse=True)
    lines = int(line.max(initial=-1)) + 1
    began = np.full(lines, np.nan if version is not None else day)
    before = points.day < day
    if version is not None:
        stays = _Stays.of(points)
        updated = np.flatnonzero(stays.is_update & (points.version[stays.first] == version))
        began[line[stays.first[updated]]] = points.day[stays.first[updated]]
        before = np.isin(stays.of_point, updated - 1) & (points.day < began[line])
    before &= points.day >= began[line] - DAYS_BEFORE
    last = np.full(lines, -np.inf)
    np.maximum.at(last, line, points.day)
    since = (points.day >= began[line]) & (points.day > last[line] - _NOW)
    change, known = _change(
        points.value, np.where(before, line, -1), np.where(since, line, -1), lines
    )
    _, first = np.unique(line, return_index=True)
    of_lines = replace(points.only(first), day=began)
    if version is not None:
        of_lines = replace(of_lines, version=np.full(lines, version))
    else:
        of_lines = replace(of_lines, version=np.zeros(lines, dtype=np.int64))
    all_settled = np.ones(int(known.sum()), dtype=bool)
    return LineChanges(of_lines.only(known), change[known], all_settled).by_machine()
