"""A machine over time: its results as lines, one for each way of measuring, and their changes.

Two results are points of one line when all that could move a figure is the same, except for time
and macOS: metric, parameters, method and its version, and what it ran on.

Changes are looked for among all days: runs of one day share what the machine was busy with, and ten
of them in a row say no more of its level than their median. A test of whether a level changed needs
two weeks of days (statistics/changes.py). What a reader sees in six points needs none: the step at
each update of macOS, and where else the line moves further than the runs around it vary. Steps are
described, not tested, and say so.
"""

from __future__ import annotations

import math
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Asker
from macmeter.catalog.terms import Filters
from macmeter.documents.flags import in_order
from macmeter.platform.errors import not_found
from macmeter.results.context import begin
from macmeter.results.machines import has_runs
from macmeter.results.results import CONFIGURATION, Measurement, measurements_of
from macmeter.schemas.machines import Certainty, LevelChange, Line, OsUpdate, Point, Step, Timeline
from macmeter.statistics import changes as level
from macmeter.statistics.summary import Array

# Beyond these a picture shows nothing more, and the newest matter most.
MAX_LINES = 64
MAX_POINTS = 400


async def timeline(
    connection: AsyncConnection, machine_id: uuid.UUID, asked: Filters, reader: Asker | None
) -> Timeline:
    """The lines with most points first, and how many were left out.

    404 alike for a machine that is absent and one of which no run may be read.
    """
    moment = await begin(connection, reader)
    found = await measurements_of(moment, machine_id, asked)
    ordered = _lines(sorted(found, key=lambda one: asked.metrics.index(one.metric)))
    if not ordered and not await has_runs(moment, machine_id):
        raise not_found("machine")
    shown = [_line(measured) for measured in ordered[:MAX_LINES]]
    return Timeline(str(machine_id), shown, len(ordered) - len(shown))


def longest_line(found: Iterable[Measurement]) -> Line | None:
    """The line with most points of these results, which are the oldest first."""
    return next(map(_line, _lines(found)), None)


def _lines(found: Iterable[Measurement]) -> list[list[Measurement]]:
    """Those with most points first."""
    lines: dict[tuple[Any, ...], list[Measurement]] = defaultdict(list)
    for one in found:
        same = (one.series_id, one.source, one.method, one.method_version)
        lines[(*same, *map(repr, one.configuration))].append(one)
    return sorted(lines.values(), key=lambda line: -len(line))


def _line(measured: Sequence[Measurement]) -> Line:
    """With its changes of level and of macOS, and the newest of its points."""
    every = [_point(one) for one in measured]
    days = [list(day) for _, day in groupby(every, key=lambda point: point.at[:10])]
    found = level.changes([median(point.value for point in day) for day in days])
    changes = [
        _change(days[change.index - 1][-1], days[change.index][0], change) for change in found
    ]
    updates, first = [*_updates(every)], measured[0]
    # Articles don't say on which day they measured.
    steps = [] if first.source == "published" else steps_of(every, changes)
    beginnings = {one.run_id for of in (changes, updates, steps) for one in of}
    points = _shown(every, beginnings)
    ids = {point.run_id for point in points}
    entry = catalog.METRICS[first.metric]
    stated = zip(CONFIGURATION, first.configuration, strict=True)
    return Line(
        metric=first.metric,
        title=entry.title,
        unit=entry.unit.value,
        better=entry.better,
        parameters=first.parameters,
        source=first.source,
        method=first.method,
        method_version=first.method_version,
        # What is not stated is left out.
        configuration={name: value for name, value in stated if value},
        points=points,
        earlier=len(every) - len(points),
        days=len(days),
        fewest_days=level.SHORTEST,
        changes=[change for change in changes if change.run_id in ids],
        os_updates=[update for update in updates if update.run_id in ids],
        steps=[step for step in steps if step.run_id in ids],
    )


def _point(one: Measurement) -> Point:
    return Point(
        run_id=str(one.run_id),
        at=one.at.isoformat(),
        os_version=one.os_version,
        value=one.value,
        samples=one.samples,
        printed=one.printed,
        flags=in_order({*one.run_flags, *(one.flags or [])}),
    )


def _shown(points: Sequence[Point], beginnings: Collection[str]) -> list[Point]:
    """At most MAX_POINTS: the newest, the first, and at most half of them where something began."""
    if len(points) <= MAX_POINTS:
        return [*points]
    half = MAX_POINTS // 2
    early = [point for point in points[1:-half] if point.run_id in beginnings]
    early = [points[0], *early][-half:]
    newest = points[len(early) - MAX_POINTS :]
    shown = {point.run_id for point in newest}
    return [*(point for point in early if point.run_id not in shown), *newest]


def _updates(points: Iterable[Point]) -> Iterable[OsUpdate]:
    known = [(point.run_id, point.os_version) for point in points if point.os_version is not None]
    for (_, before), (run_id, after) in pairwise(known):
        if before != after:
            yield OsUpdate(run_id, before, after)


def _change(last: Point, first: Point, change: level.Change) -> LevelChange:
    return LevelChange(
        run_id=first.run_id,
        at=first.at,
        before=change.before,
        after=change.after,
        ratio=change.after / change.before if change.before > 0 else None,
        os_before=last.os_version,
        os_after=first.os_version,
    )


# Of one way of measuring on one target: their median isn't moved by one or two bad runs.
NEWEST = 5


class Latest(NamedTuple):
    """A median over `runs` runs, in the metric's unit, all under one macOS."""

    value: float
    os_version: str | None
    runs: int


def latest_of(measured: Sequence[Measurement]) -> Latest | None:
    """The latest value from results of one metric, the oldest first; None where there are none.

    A Mac with several drives has the newest runs of each under its macOS.
    """
    if not measured:
        return None
    os_version = measured[-1].os_version
    lines: dict[tuple[object, ...], list[Measurement]] = defaultdict(list)
    for one in measured:
        if one.os_version == os_version:
            lines[one.series_id, repr(one.configuration)].append(one)
    newest = [one for line in lines.values() for one in line[-NEWEST:]]
    runs = len({one.run_id for one in newest})
    return Latest(float(median(one.value for one in newest)), os_version, runs)


def by_method(
    measured: Iterable[Measurement], metric: str, method: str, version: int
) -> list[Measurement]:
    """Those that a machine's value counts: of one metric by one method, not from an article."""
    return [
        one
        for one in measured
        if (one.metric, one.method, one.method_version) == (metric, method, version)
        and one.source != "published"
    ]


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
