"""When a cohort's figures changed, and when those of each of its machines did."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from macmeter.alerts.points import DAYS_AFTER, DAYS_BEFORE, NEARER, Ints, Points, levels
from macmeter.stats.summary import Array

# A value says no more than so many effects on either side: one bad run isn't a date.
_FARTHEST = (-1.0, 2.0)
_ROUNDS = 4
# A machine may change so many days before or after its cohort: agents are rolled out in steps.
_OWN_DAYS = 14.0


@dataclass(frozen=True)
class Dated:
    """The day on which a cohort changed, and that of each of its machines."""

    day: float
    machines: Ints
    days: Array


def dated(points: Points, about: float) -> Dated:
    """The day near `about` that divides one cohort's points best into before and after.

    Each point says by its distance from its line's level before whether it is nearer to the
    change or to none; the day is where the sum of what later points say is largest. That is the
    likeliest place of a step in normal values (Hinkley 1970), with clipped ones. Points of one
    machine and day count as one.
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
        found = _best(points.day, votes, about - DAYS_AFTER, about + DAYS_AFTER, about)
        if found == day:
            break
        day = found
    order = np.argsort(machine, kind="stable")
    own = np.split(order, np.cumsum(np.bincount(machine))[:-1])
    days = [_best(points.day[at], votes[at], day - _OWN_DAYS, day + _OWN_DAYS, day) for at in own]
    return Dated(day, machines, np.array(days))


def _weights(machine: Ints, day: Array) -> Array:
    """All points of one machine and day have the weight of one."""
    days = np.floor(day - day.min(initial=0.0)).astype(np.int64)
    key = machine * (int(days.max(initial=0)) + 1) + days
    _, place, sizes = np.unique(key, return_inverse=True, return_counts=True)
    found: Array = 1 / sizes[place]
    return found


def _votes(points: Points, line: Ints, machine: Ints, day: float) -> Array:
    """For each point how much nearer it is to the change than to none; 0 where nothing is known."""
    lines, before = int(line.max(initial=-1)) + 1, points.day < day
    level, _ = levels(
        points.value, np.where(before & (points.day >= day - DAYS_BEFORE), line, -1), lines
    )
    change = points.value - level[line]
    after = ~before & (points.day <= day + DAYS_AFTER) & np.isfinite(change)
    if not after.any():
        return np.zeros(len(points))
    of_machines, sizes = levels(change, np.where(after, machine, -1), int(machine.max()) + 1)
    effect = float(np.median(of_machines[sizes > 0]))
    if not effect:
        return np.zeros(len(points))
    found: Array = np.nan_to_num(np.clip(change / effect, *_FARTHEST) - NEARER, nan=0.0)
    return found


def _best(day: Array, votes: Array, first: float, last: float, otherwise: float) -> float:
    """Halfway between the last point before the change and the first one after it."""
    sums = np.cumsum(votes[::-1])[::-1]
    places = np.flatnonzero((day >= first) & (day <= last))
    if not len(places):
        return otherwise
    at = int(places[np.argmax(sums[places])])
    if sums[at] <= 0:
        return otherwise
    return float(day[at - 1] + day[at]) / 2 if at else float(day[at])
