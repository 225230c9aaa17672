"""A fleet's results of one metric over time, and how each of its machines changed.

A line is what one machine measured on one thing in one way: values of different lines are never
compared. A machine has several lines and one change, the median of theirs.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from macmeter.statistics.summary import Array, medians_of

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

# Older results don't show a machine's level before an update: seasons and volumes changed.
DAYS_BEFORE = 56.0
DAYS_AFTER = 28.0
# Minimum number of runs before an update, since a single one may be anything.
FEWEST_BEFORE = 2
# A Mac indexes its files again in the first days after an update, which passes.
SETTLING = 3.0
# These days count if so many machines have settled, and their mean agrees and is so many standard
# errors from zero.
_FEWEST_SETTLED = 2
_AGREE = 4.0
# A line's last days are its current level.
_NOW = 7.0
# Number of all cohorts as one.
EVERY = -1
# A change of more than half an effect is nearer to it than to none.
NEARER = 0.5


@dataclass(frozen=True)
class _Rows:
    """Columns of equal length."""

    machine: Ints

    def __len__(self) -> int:
        return len(self.machine)

    def only(self, chosen: Bools | Ints) -> Self:
        return type(self)(*(column[chosen] for column in vars(self).values()))


@dataclass(frozen=True)
class Points(_Rows):
    """P results, in any order. `value` is a logarithm, `day` counts from 1970 and has a fraction.

    `cohort` and `version` are numbers that the caller assigns.
    """

    line: Ints
    cohort: Ints
    version: Ints
    day: Array
    value: Array

    def together(self) -> Points:
        """Merge all cohorts into one; lines stay separate."""
        return replace(self, cohort=np.full(len(self), EVERY))

    def in_order(self) -> Points:
        """Sort by line and time."""
        same_line = self.line[1:] == self.line[:-1]
        later = (self.line[1:] > self.line[:-1]) | same_line & (self.day[1:] >= self.day[:-1])
        if later.all():
            return self
        return self.only(np.lexsort((self.day, self.line)))


@dataclass(frozen=True)
class Changes(_Rows):
    """N machines of cohorts, with the logarithm of after/before for each. `day` is when it changed.

    Changes of `changes_over_updates` also have the `version` that the machine was updated to, the
    change `early` of the first days after the update, NaN if nothing was measured then, and the
    change `both` of these and all later days. `change` leaves out the first days, except for
    machines that have not `settled`: they have measured nothing else.
    """

    cohort: Ints
    version: Ints
    day: Array
    change: Array
    settled: Bools
    early: Array
    both: Array

    def with_first_days_if_alike(self) -> Changes:
        """Include the first days if later ones clearly show the same; leave them out otherwise.

        The spread is that of both, each around its own mean.
        """
        settled = self.only(self.settled)
        early = self.early[np.isfinite(self.early)]
        if len(settled) < _FEWEST_SETTLED or not len(early):
            return settled
        later, first = float(settled.change.mean()), float(early.mean())
        away = np.concatenate([settled.change - later, early - first])
        error = math.sqrt(float(away @ away) / max(len(away) - 2, 1) / len(settled))
        is_alike = first != 0 and later / first > NEARER
        if is_alike and abs(later) >= _AGREE * error:
            return replace(self, change=self.both)
        return settled


@dataclass(frozen=True)
class LineChanges:
    """Logarithm of after/before for each of N lines. `first` is the first point after.

    `later` leaves out the first days after an update, `early` is these alone, `both` is all.
    """

    first: Points
    later: Array
    early: Array
    both: Array

    def together(self) -> LineChanges:
        """Merge all cohorts into one."""
        return replace(self, first=self.first.together())

    def by_machine(self) -> Changes:
        """Return one change per machine, version and cohort."""
        first = self.first
        order = np.lexsort((first.machine, first.version, first.cohort))
        ordered = first.only(order)
        new = begins(ordered.machine, ordered.version, ordered.cohort)
        starts = np.flatnonzero(new)
        group = np.cumsum(new) - 1
        later, early, both = (
            levels(column[order], np.where(np.isfinite(column[order]), group, -1), len(starts))[0]
            for column in (self.later, self.early, self.both)
        )
        settled = np.isfinite(later)
        heads = ordered.only(starts)
        days = np.minimum.reduceat(ordered.day, starts) if len(starts) else ordered.day
        changes = (np.where(settled, later, early), settled, early, both)
        return Changes(heads.machine, heads.cohort, heads.version, days, *changes)


def changes_over_updates(points: Points, today: float = math.inf) -> LineChanges:
    """Changes of each line over each update of its machine, measured before and since.

    Machines in their first days under a version are left out until these are over.
    """
    points = points.in_order()
    settling = settling_since(points)
    stays = _Stays.of(points)
    updated = np.flatnonzero(stays.is_update)
    at = np.append(points.day[stays.first[updated]], np.nan)  # index -1 means none
    by_stay = np.full(len(stays.first) + 1, -1)
    by_stay[updated] = np.arange(len(updated))
    since, before = by_stay[stays.of_point], by_stay[stays.of_point + 1]
    since[(since >= 0) & (points.day > at[since] + DAYS_AFTER)] = -1
    before[(before >= 0) & (points.day < at[before] - DAYS_BEFORE)] = -1
    is_settled = np.isnan(settling)
    before[~is_settled] = -1
    since[settling + SETTLING > today] = -1
    later, early = np.where(is_settled, since, -1), np.where(is_settled, -1, since)
    both, is_known = _change(points.value, before, since, len(updated))
    later, early = (_change(points.value, before, side, len(updated))[0] for side in (later, early))
    first = points.only(stays.first[updated[is_known]])
    return LineChanges(first, later[is_known], early[is_known], both[is_known])


def changes_since(points: Points, day: float) -> LineChanges:
    """Changes of each line whose machine kept its macOS over `day`, from the weeks before and
    since.

    The first days after an update don't count.
    """
    points = settled_of(points)
    near = (points.day >= day - DAYS_BEFORE) & (points.day <= day + DAYS_AFTER)
    stays = _Stays.of(points)
    since = np.where(near & (points.day >= day), stays.of_point, -1)
    before = np.where(near & (points.day < day), stays.of_point, -1)
    change, is_known = _change(points.value, before, since, len(stays.first))
    return _line_changes(points.only(stays.first[is_known]), change[is_known])


def settled_of(points: Points) -> Points:
    """Sort points, and leave out those of the first days after an update."""
    points = points.in_order()
    return points.only(np.isnan(settling_since(points)))


def settling_since(points: Points) -> Array:
    """Start of the first days after an update, for each point in them; NaN for all others.

    The start is the machine's first point under that version.
    """
    order = np.lexsort((points.day, points.machine))
    machine, version, day = points.machine[order], points.version[order], points.day[order]
    new = begins(machine, version)
    starts = np.flatnonzero(new)
    is_update = np.zeros(len(starts), dtype=bool)
    is_update[1:] = machine[starts[1:]] == machine[starts[:-1]]
    stay = np.cumsum(new) - 1
    began = day[starts][stay]
    since = np.empty(len(order))
    since[order] = np.where(is_update[stay] & (day < began + SETTLING), began, np.nan)
    return since


@dataclass(frozen=True)
class _Stays:
    """S stretches of consecutive points of one line under one macOS."""

    of_point: Ints
    first: Ints
    is_update: Bools
    """Whether the stretch before it is of the same line."""

    @classmethod
    def of(cls, ordered: Points) -> _Stays:
        new_line, new = begins(ordered.line), begins(ordered.line, ordered.version)
        first = np.flatnonzero(new)
        return cls(np.cumsum(new) - 1, first, ~new_line[first])


def begins(*keys: Ints) -> Bools:
    """Mask of rows that differ from the one before in any of these columns."""
    new = np.ones(len(keys[0]), dtype=bool)
    new[1:] = np.logical_or.reduce([key[1:] != key[:-1] for key in keys])
    return new


def _change(value: Array, before: Ints, since: Ints, count: int) -> tuple[Array, Bools]:
    """Change between two groups of points by number, and a mask of known changes."""
    levels_before, sizes_before = levels(value, before, count)
    levels_since, sizes_since = levels(value, since, count)
    return levels_since - levels_before, (sizes_before >= FEWEST_BEFORE) & (sizes_since > 0)


def levels(value: Array, group: Ints, count: int) -> tuple[Array, Ints]:
    """Median and size of each group. Points of group -1 are ignored."""
    chosen = np.flatnonzero(group >= 0)
    order = chosen[np.lexsort((value[chosen], group[chosen]))]
    sizes = np.bincount(group[order], minlength=count)
    medians = np.full(count, np.nan)
    nonempty = sizes > 0
    starts = (np.cumsum(sizes) - sizes)[nonempty]
    medians[nonempty] = medians_of(value[order], starts, sizes[nonempty])
    return medians, sizes


def latest_changes(points: Points, version: int | None, day: float) -> Changes:
    """Changes of one cohort's machines from their level before a change to now.

    The change is the update to `version`, or on `day` for all machines if it is None. Now is the
    last days in which a line was measured, whatever happened since.
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
    change, is_known = _change(
        points.value, np.where(before, line, -1), np.where(since, line, -1), lines
    )
    _, first = np.unique(line, return_index=True)
    versions = np.full(lines, 0 if version is None else version)
    line_starts = replace(points.only(first), day=began, version=versions)
    return _line_changes(line_starts.only(is_known), change[is_known]).by_machine()


def _line_changes(first: Points, change: Array) -> LineChanges:
    """Build LineChanges without known first days."""
    return LineChanges(first, change, np.full(len(first), np.nan), change)


# Limits of a value's distance, in effects: one bad run isn't a date.
_FARTHEST = (-1.0, 2.0)
_ROUNDS = 4
# Days that a machine may change before or after its cohort: agents are rolled out in steps.
_OWN_DAYS = 14.0


@dataclass(frozen=True)
class Dates:
    """Day on which a cohort changed, and that of each of its machines."""

    day: float
    machines: Ints
    days: Array

    def of(self, machines: Ints) -> Array:
        """Days of these machines, or the cohort's for unknown ones."""
        days_by_machine = dict(zip(self.machines.tolist(), self.days.tolist(), strict=True))
        return np.array([days_by_machine.get(machine, self.day) for machine in machines.tolist()])


def dated(points: Points, about: float) -> Dates:
    """Find the day near `about` that best divides one cohort's points into before and after.

    Each point votes by its distance from its line's level before, for the change or for none. The
    day is where the sum of later votes is largest: the likeliest place of a step in normal values
    (Hinkley 1970), with clipped ones. Points of one machine and day count as one.
    """
    points = points.in_order()
    points = points.only(np.abs(points.day - about) <= DAYS_BEFORE + DAYS_AFTER)
    points = points.only(np.argsort(points.day, kind="stable"))
    _, line = np.unique(points.line, return_inverse=True)
    machines, machine = np.unique(points.machine, return_inverse=True)
    weight = _weights(machine, points.day)
    day, votes = about, np.zeros(len(points))
    for _ in range(_ROUNDS):
        votes = weight * _votes(points, line, machine, day)
        best = _best(points.day, votes, about - DAYS_AFTER, about + DAYS_AFTER, about)
        if best == day:
            break
        day = best
    order = np.argsort(machine, kind="stable")
    rows = np.split(order, np.cumsum(np.bincount(machine))[:-1])
    days = [_best(points.day[at], votes[at], day - _OWN_DAYS, day + _OWN_DAYS, day) for at in rows]
    return Dates(day, machines, np.array(days))


def _weights(machine: Ints, day: Array) -> Array:
    """Weights that make all points of one machine and day count as one."""
    days = np.floor(day - day.min(initial=0.0)).astype(np.int64)
    key = machine * (int(days.max(initial=0)) + 1) + days
    _, index, sizes = np.unique(key, return_inverse=True, return_counts=True)
    weights: Array = 1 / sizes[index]
    return weights


def _votes(points: Points, line: Ints, machine: Ints, day: float) -> Array:
    """Vote of each point: how much nearer it is to the change than to none, 0 if unknown."""
    lines, before = int(line.max(initial=-1)) + 1, points.day < day
    level, _ = levels(
        points.value, np.where(before & (points.day >= day - DAYS_BEFORE), line, -1), lines
    )
    change = points.value - level[line]
    after = ~before & (points.day <= day + DAYS_AFTER) & np.isfinite(change)
    if not after.any():
        return np.zeros(len(points))
    medians, sizes = levels(change, np.where(after, machine, -1), int(machine.max()) + 1)
    effect = float(np.median(medians[sizes > 0]))
    if not effect:
        return np.zeros(len(points))
    votes: Array = np.nan_to_num(np.clip(change / effect, *_FARTHEST) - NEARER, nan=0.0)
    return votes


def _best(day: Array, votes: Array, first: float, last: float, otherwise: float) -> float:
    """Day halfway between the last point before the change and the first one after it."""
    sums = np.cumsum(votes[::-1])[::-1]
    positions = np.flatnonzero((day >= first) & (day <= last))
    if not len(positions):
        return otherwise
    at = int(positions[np.argmax(sums[positions])])
    if sums[at] <= 0:
        return otherwise
    return float(day[at - 1] + day[at]) / 2 if at else float(day[at])
