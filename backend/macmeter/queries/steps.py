"""Steps of a line of results, each with its size and the runs beside it, however few these are.

A test of whether a level changed needs two weeks of days (stats/changes.py). What a reader sees in
six points needs none: the step at each update of macOS, and where else the line moves further than
the runs around it vary. Steps are described, not tested, and say so.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import NamedTuple

import numpy as np

from macmeter.answers.machines import Certainty, LevelChange, Point, Step
from macmeter.stats import changes as level
from macmeter.stats.summary import Array

# As logarithms. A smaller step is nobody's concern, and no line is taken for steadier than this.
_SMALLEST, _STEADIEST = math.log(1.03), 0.005
# Where two days say nothing of how much the Mac varies.
_USUAL = 0.02
# Fewer days about two levels say nothing of their spread.
_ENOUGH = 6
# Times the standard error of a step between so many days: at an update, and anywhere else.
_AT_UPDATE, _ANYWHERE = 3.5, 5.0
# Away from an update one day may be a bad one.
_FEWEST_DAYS = 2
# Places away from updates at which medians are compared: a line has up to 400.
_LOOKED_AT = 8
# A change that the test found so many days away is the same one.
_SAME = 2


class _Days(NamedTuple):
    """A line by day: D medians as logarithms, and where each day begins among its points."""

    values: Array
    starts: list[int]
    updates: set[int]
    """The days that begin with another macOS than the day before had last."""


def steps_of(points: Sequence[Point], changes: Sequence[LevelChange]) -> list[Step]:
    """The steps of a line's points in time, in their order; `changes` are what the test found."""
    days = _by_day(points)
    if days is None:
        return []
    noise = _noise(days.values)
    edges = sorted(_standing_out(days, noise, 0, len(days.values)))
    places = sorted({*edges, *days.updates})
    whole = [0, *edges, len(days.values)]
    found = []
    for place in places:
        before = max(edge for edge in whole if edge < place)
        after = min(edge for edge in whole if edge > place)
        found.append(_step(points, days, changes, (before, place, after), place in edges))
    return found


def _by_day(points: Sequence[Point]) -> _Days | None:
    """None where there are fewer than two days, or a value that has no logarithm."""
    starts: list[int] = []
    values: list[float] = []
    updates: set[int] = set()
    before: str | None = None
    for _, day in groupby(enumerate(points), key=lambda of: of[1].at[:10]):
        listed = list(day)
        versions = [point.os_version for _, point in listed if point.os_version is not None]
        if versions and before not in (None, versions[0]):
            updates.add(len(starts))
        elif versions and before is not None and versions[-1] != before:
            updates.add(len(starts))  # on the day of the update, most runs may be either's
        before = versions[-1] if versions else before
        starts.append(listed[0][0])
        values.append(median(point.value for _, point in listed))
    if len(values) < 2 or min(values) <= 0:
        return None
    return _Days(np.log(values), starts, updates)


def _noise(values: Array) -> float:
    """The standard deviation of a day, from one day to the next: a few steps don't move it."""
    apart = np.sort(np.abs(np.diff(values)))[:-1]
    if len(apart) == 0:
        return _USUAL
    of_days = 1.4826 * float(np.median(apart)) / math.sqrt(2)
    # The median of a few differences may be small by chance.
    return max(of_days * (1 + 2 / len(apart)), _STEADIEST)


def _standing_out(days: _Days, noise: float, start: int, end: int) -> Iterator[int]:
    """The places of steps that are further than chance would move these days, strongest first.

    Of several such places the one that leaves least beside the two levels.
    """
    least, place = math.inf, None
    for index in _places(days, start, end):
        before, after = days.values[start:index], days.values[index:end]
        is_update = index in days.updates
        times = _AT_UPDATE if is_update else _ANYWHERE
        error = max(noise, _spread(before, after)) * math.sqrt(_weight(before) + _weight(after))
        left = _left(before) + _left(after)
        # An update explains as much as a day beside it.
        nearer = left < least or (left == least and is_update)
        if nearer and _size(before, after, is_update) >= max(times * error, _SMALLEST):
            least, place = left, index
    if place is not None:
        yield place
        yield from _standing_out(days, noise, start, place)
        yield from _standing_out(days, noise, place, end)


def _places(days: _Days, start: int, end: int) -> list[int]:
    """Where a step may be: at an update, and at the few places where means part most."""
    values = days.values[start:end]
    updates = [place for place in days.updates if start < place < end]
    before = np.arange(_FEWEST_DAYS, len(values) - _FEWEST_DAYS + 1)
    if len(before) == 0:
        return sorted(updates)
    after = len(values) - before
    sums = np.cumsum(values - values.mean())[before - 1]
    strongest = np.argsort(-np.abs(sums) / np.sqrt(before * after), kind="stable")[:_LOOKED_AT]
    return sorted({*updates, *(start + before[strongest]).tolist()})


def _size(before: Array, after: Array, is_update: bool) -> float:
    """How far two levels are from each other. Away from an update one bad day of two isn't a level:
    the one that is nearer to the other side counts.
    """
    levels = float(np.median(before)), float(np.median(after))
    if is_update or min(len(before), len(after)) > _FEWEST_DAYS:
        return abs(levels[1] - levels[0])
    few, other = (before, levels[1]) if len(before) <= len(after) else (after, levels[0])
    apart = few - other
    return 0.0 if apart.min() < 0 < apart.max() else float(np.abs(apart).min())


def _left(side: Array) -> float:
    return float(np.abs(side - np.median(side)).sum())


def _spread(before: Array, after: Array) -> float:
    """Spread of days about the level of their side, which a slow drift makes wider than days in a
    row.
    """
    if len(before) + len(after) < _ENOUGH:
        return 0.0
    about = np.concatenate([before - np.median(before), after - np.median(after)])
    return 1.4826 * float(np.median(np.abs(about)))


def _weight(side: Array) -> float:
    """The variance of a side's median for one of a day: of days in a row, two are worth one."""
    return 2 / (1 + len(side))


def _step(
    points: Sequence[Point],
    days: _Days,
    changes: Sequence[LevelChange],
    ends: tuple[int, int, int],
    stands_out: bool,
) -> Step:
    start, place, end = ends
    first = days.starts[place]
    last = days.starts[end] if end < len(days.starts) else len(points)
    certainty = _certainty(points, days, changes, ends)
    before, after = (
        float(np.exp(np.median(days.values[a:b]))) for a, b in ((start, place), (place, end))
    )
    return Step(
        run_id=points[first].run_id,
        at=points[first].at,
        os_before=_version(reversed(points[:first])),
        os_after=_version(points[first:]),
        before=before,
        after=after,
        ratio=after / before,
        runs_before=first - days.starts[start],
        runs_after=last - first,
        days_before=place - start,
        days_after=end - place,
        # Where days are enough for a test, it decides.
        stands_out=certainty == "found" or (stands_out and certainty == "too_few"),
        certainty=certainty,
    )


def _version(points: Sequence[Point] | Iterator[Point]) -> str | None:
    return next((point.os_version for point in points if point.os_version is not None), None)


def _certainty(
    points: Sequence[Point],
    days: _Days,
    changes: Sequence[LevelChange],
    ends: tuple[int, int, int],
) -> Certainty:
    _, place, _ = ends
    number = {points[start].at[:10]: day for day, start in enumerate(days.starts)}
    found = (number.get(change.at[:10]) for change in changes)
    if any(day is not None and abs(day - place) <= _SAME for day in found):
        return "found"
    beside = min(place, len(days.values) - place)
    enough = len(days.values) >= level.SHORTEST and beside >= level.fewest_beside(len(days.values))
    return "not_found" if enough else "too_few"
