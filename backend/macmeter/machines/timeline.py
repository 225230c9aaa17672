"""A machine over time: its results as lines, one for each way of measuring, and their changes.

Points of one line are alike in everything that could affect a figure except time and macOS: metric,
parameters, method and its version, and what it ran on.

Changes are detected between days: runs of one day share the machine's load, so ten of them carry no
more information than their median. A test for a change of level needs two weeks of days
(statistics/changes.py). Steps are what a reader sees even in six points: at each update of macOS,
and wherever the line moves further than the runs around it vary. Steps are described, not tested,
and labelled so.
"""

import math
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog.terms import Filters
from macmeter.documents.flags import sort_flags
from macmeter.machines.peers import Mac, peers_on_versions
from macmeter.platform.errors import not_found
from macmeter.results.context import begin_reading
from macmeter.results.machines import facts_of, has_runs
from macmeter.results.results import CONFIGURATION, Measurement, measurements_of
from macmeter.schemas.machines import Certainty, LevelChange, Line, OsUpdate, Point, Step, Timeline
from macmeter.statistics import changes as level_changes
from macmeter.statistics.summary import Array

# More doesn't show in a picture, and the newest matter most.
MAX_LINES = 64
MAX_POINTS = 400
# A page shows one line at a time, the first to begin with.
_LINES_WITH_PEERS = 8


async def timeline(
    connection: AsyncConnection, machine_id: uuid.UUID, filters: Filters, reader: Principal | None
) -> Timeline:
    """Return the lines with most points first, and the number left out.

    404 if the machine doesn't exist or no run is readable.
    """
    readable = await begin_reading(connection, reader)
    reading = replace(readable, scope=readable.scope.of_named_item)
    results = await measurements_of(reading, machine_id, filters)
    ordered = _lines(sorted(results, key=lambda result: filters.metrics.index(result.metric)))
    if not ordered and not await has_runs(reading, machine_id):
        raise not_found("machine")
    lines = [_line(measured) for measured in ordered[:MAX_LINES]]
    facts = await facts_of(reading, machine_id)
    for index, line in enumerate(lines[:_LINES_WITH_PEERS]):
        if facts and len(line.points) > 1 and line.source != "published":
            peers = [*peers_on_versions(Mac.of(reading, facts), line)]
            lines[index] = replace(line, peers=peers)
    return Timeline(str(machine_id), lines, len(ordered) - len(lines))


def longest_line(results: Iterable[Measurement]) -> Line | None:
    """Return the line with most points of these results, which are sorted by time."""
    return next(map(_line, _lines(results)), None)


def latest_lines(results: Sequence[Measurement]) -> list[Line]:
    """Return the lines of these results, oldest first, that go on with the latest macOS."""
    lines = [line for line in _lines(results) if line[-1].os_version == results[-1].os_version]
    return [*map(_line, lines)]


def _lines(results: Iterable[Measurement]) -> list[list[Measurement]]:
    """Return the lines, those with most points first."""
    lines: dict[tuple[Any, ...], list[Measurement]] = defaultdict(list)
    for result in results:
        same = (result.series_id, result.source, result.method, result.method_version)
        lines[(*same, *map(repr, result.configuration))].append(result)
    return sorted(lines.values(), key=lambda line: -len(line))


def _line(measured: Sequence[Measurement]) -> Line:
    """Build a line with its changes of level and of macOS, and its newest points."""
    all_points = [_point(result) for result in measured]
    days = [list(day) for _, day in groupby(all_points, key=lambda point: point.at[:10])]
    detected = level_changes.changes([median(point.value for point in day) for day in days])
    changes = [
        _change(days[change.index - 1][-1], days[change.index][0], change) for change in detected
    ]
    updates, first = [*_updates(all_points)], measured[0]
    # Articles don't say on which day they measured.
    steps = [] if first.source == "published" else steps_of(all_points, changes)
    beginnings = {item.run_id for changed in (changes, updates, steps) for item in changed}
    points = _select_points(all_points, beginnings)
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
        # Only stated values.
        configuration={name: value for name, value in stated if value},
        points=points,
        earlier=len(all_points) - len(points),
        days=len(days),
        fewest_days=level_changes.SHORTEST,
        changes=[change for change in changes if change.run_id in ids],
        os_updates=[update for update in updates if update.run_id in ids],
        steps=[step for step in steps if step.run_id in ids],
    )


def _point(result: Measurement) -> Point:
    return Point(
        run_id=str(result.run_id),
        at=result.at.isoformat(),
        os_version=result.os_version,
        value=result.value,
        samples=result.samples,
        printed=result.printed,
        flags=sort_flags({*result.run_flags, *(result.flags or [])}),
    )


def _select_points(points: Sequence[Point], beginnings: Collection[str]) -> list[Point]:
    """Return at most MAX_POINTS: the newest, the first, and up to half where changes begin."""
    if len(points) <= MAX_POINTS:
        return [*points]
    half = MAX_POINTS // 2
    early = [point for point in points[1:-half] if point.run_id in beginnings]
    early = [points[0], *early][-half:]
    newest = points[len(early) - MAX_POINTS :]
    newest_ids = {point.run_id for point in newest}
    return [*(point for point in early if point.run_id not in newest_ids), *newest]


def _updates(points: Iterable[Point]) -> Iterable[OsUpdate]:
    known = [(point.run_id, point.os_version) for point in points if point.os_version is not None]
    for (_, before), (run_id, after) in pairwise(known):
        if before != after:
            yield OsUpdate(run_id, before, after)


def _change(last: Point, first: Point, change: level_changes.Change) -> LevelChange:
    return LevelChange(
        run_id=first.run_id,
        at=first.at,
        before=change.before,
        after=change.after,
        ratio=change.after / change.before if change.before > 0 else None,
        os_before=last.os_version,
        os_after=first.os_version,
    )


class Latest(NamedTuple):
    """A median of `runs` runs, in the metric's unit; `os_version` is None if they have several."""

    value: float
    os_version: str | None
    runs: int


def latest_of(lines: Sequence[Line]) -> Latest:
    """Return the level of lines of one metric now; of several drives, their median."""
    points = [point for line in lines for point in line.newest]
    versions = {point.os_version for point in points}
    return Latest(
        median(line.level for line in lines),
        versions.pop() if len(versions) == 1 else None,
        len({point.run_id for point in points}),
    )


def by_method(
    measured: Iterable[Measurement], metric: str, method: str, version: int
) -> list[Measurement]:
    """Select the results that define a machine's value: one metric, one method, not published."""
    return [
        result
        for result in measured
        if (result.metric, result.method, result.method_version) == (metric, method, version)
        and result.source != "published"
    ]


# As logarithms: the smallest relevant step, and the lowest noise that is assumed.
_MIN_STEP, _MIN_NOISE = math.log(1.03), 0.005
# Noise if there are too few days to estimate it.
_DEFAULT_NOISE = 0.02
# Minimum number of days for an estimate of spread.
_MIN_DAYS_FOR_SPREAD = 6
# Minimum size of a step in standard errors, at an update and elsewhere.
_MIN_ERRORS_AT_UPDATE, _MIN_ERRORS_ELSEWHERE = 3.5, 5.0
# Minimum number of days on each side: away from updates a single day may be an outlier.
_MIN_DAYS = 2
# Days away from updates at which medians are compared; a line has up to 400 days.
_MAX_CANDIDATES = 8
# Maximum distance in days to a change from the test that counts as the same.
_MAX_DAYS_APART = 2


class _Days(NamedTuple):
    """A line by day: D medians as logarithms, and the index of each day's first point."""

    values: Array
    starts: list[int]
    updates: set[int]
    """Days that begin with another macOS than the previous day ended with."""


def steps_of(points: Sequence[Point], changes: Sequence[LevelChange]) -> list[Step]:
    """Return the steps of a line's points in order of time; `changes` are the test's results."""
    days = _by_day(points)
    if days is None:
        return []
    day_of = {points[start].at[:10]: day for day, start in enumerate(days.starts)}
    tested_days = {day_of[change.at[:10]] for change in changes}
    found = {*_find_steps(days, _noise(days.values), 0, len(days.values))}
    indexes = {*found, *days.updates}
    # Whatever the test found is a step.
    found |= {
        day
        for day in tested_days
        if not any(abs(day - index) <= _MAX_DAYS_APART for index in indexes)
    }
    edges = sorted(found)
    bounds = [0, *edges, len(days.values)]
    steps = []
    for index in sorted({*edges, *days.updates}):
        before = max(edge for edge in bounds if edge < index)
        after = min(edge for edge in bounds if edge > index)
        steps.append(_step(points, days, tested_days, (before, index, after), index in found))
    return steps


def _by_day(points: Sequence[Point]) -> _Days | None:
    """Group points by day; None with fewer than two days, or if a value has no logarithm."""
    starts: list[int] = []
    values: list[float] = []
    updates: set[int] = set()
    before: str | None = None
    for _, day in groupby(enumerate(points), key=lambda pair: pair[1].at[:10]):
        listed = list(day)
        versions = [point.os_version for _, point in listed if point.os_version is not None]
        if versions and before not in (None, versions[0]):
            updates.add(len(starts))
        elif versions and before is not None and versions[-1] != before:
            updates.add(len(starts))  # the day's runs may be mostly of either version
        before = versions[-1] if versions else before
        starts.append(listed[0][0])
        values.append(median(point.value for _, point in listed))
    if len(values) < 2 or min(values) <= 0:
        return None
    return _Days(np.log(values), starts, updates)


def _noise(values: Array) -> float:
    """Estimate a day's standard deviation from day-to-day differences, robust to a few steps."""
    differences = np.sort(np.abs(np.diff(values)))[:-1]
    if len(differences) == 0:
        return _DEFAULT_NOISE
    deviation = 1.4826 * float(np.median(differences)) / math.sqrt(2)
    # With few differences their median may be small by chance.
    return max(deviation * (1 + 2 / len(differences)), _MIN_NOISE)


def _find_steps(days: _Days, noise: float, start: int, end: int) -> Iterator[int]:
    """Yield the days on which steps begin that exceed what chance would cause.

    First the best of several candidates: the one with the smallest deviations from its two levels.
    """
    best_deviation, best = math.inf, None
    for index in _candidates(days, start, end):
        before, after = days.values[start:index], days.values[index:end]
        is_update = index in days.updates
        min_errors = _MIN_ERRORS_AT_UPDATE if is_update else _MIN_ERRORS_ELSEWHERE
        error = max(noise, _spread(before, after)) * math.sqrt(
            _relative_variance(before) + _relative_variance(after)
        )
        deviation = _total_deviation(before) + _total_deviation(after)
        # If equally good, prefer an update to a day next to it.
        is_better = deviation < best_deviation or (deviation == best_deviation and is_update)
        if is_better and _step_size(before, after, is_update) >= max(min_errors * error, _MIN_STEP):
            best_deviation, best = deviation, index
    if best is not None:
        yield best
        yield from _find_steps(days, noise, start, best)
        yield from _find_steps(days, noise, best, end)


def _candidates(days: _Days, start: int, end: int) -> list[int]:
    """Return candidate days: updates, and the few days at which means differ most."""
    values = days.values[start:end]
    updates = [index for index in days.updates if start < index < end]
    before = np.arange(_MIN_DAYS, len(values) - _MIN_DAYS + 1)
    if len(before) == 0:
        return sorted(updates)
    after = len(values) - before
    sums = np.cumsum(values - values.mean())[before - 1]
    strongest = np.argsort(-np.abs(sums) / np.sqrt(before * after), kind="stable")[:_MAX_CANDIDATES]
    return sorted({*updates, *(start + before[strongest]).tolist()})


def _step_size(before: Array, after: Array, is_update: bool) -> float:
    """Return the distance between two levels. Away from updates, one outlier of two days isn't a
    level: the day closer to the other side counts.
    """
    levels = float(np.median(before)), float(np.median(after))
    if is_update or min(len(before), len(after)) > _MIN_DAYS:
        return abs(levels[1] - levels[0])
    shorter, other = (before, levels[1]) if len(before) <= len(after) else (after, levels[0])
    differences = shorter - other
    crosses = differences.min() < 0 < differences.max()
    return 0.0 if crosses else float(np.abs(differences).min())


def _total_deviation(side: Array) -> float:
    """Return the sum of the days' deviations from their side's median."""
    return float(np.abs(side - np.median(side)).sum())


def _spread(before: Array, after: Array) -> float:
    """Return the spread of days around their side's level, which includes slow drifts unlike that
    of consecutive days.
    """
    if len(before) + len(after) < _MIN_DAYS_FOR_SPREAD:
        return 0.0
    deviations = np.concatenate([before - np.median(before), after - np.median(after)])
    return 1.4826 * float(np.median(np.abs(deviations)))


def _relative_variance(side: Array) -> float:
    """Return the variance of a side's median relative to a day's; correlated days count half."""
    return 2 / (1 + len(side))


def _step(
    points: Sequence[Point],
    days: _Days,
    tested_days: set[int],
    ends: tuple[int, int, int],
    stands_out: bool,
) -> Step:
    start, index, end = ends
    first = days.starts[index]
    last = days.starts[end] if end < len(days.starts) else len(points)
    certainty = _certainty(days, tested_days, index)
    before, after = (
        float(np.exp(np.median(days.values[a:b]))) for a, b in ((start, index), (index, end))
    )
    return Step(
        run_id=points[first].run_id,
        at=points[first].at,
        os_before=_first_version(reversed(points[:first])),
        os_after=_first_version(points[first:]),
        before=before,
        after=after,
        ratio=after / before,
        runs_before=first - days.starts[start],
        runs_after=last - first,
        days_before=index - start,
        days_after=end - index,
        # If there are enough days for a test, it decides.
        stands_out=certainty == "found" or (stands_out and certainty == "too_few"),
        certainty=certainty,
    )


def _first_version(points: Sequence[Point] | Iterator[Point]) -> str | None:
    return next((point.os_version for point in points if point.os_version is not None), None)


def _certainty(days: _Days, tested_days: set[int], index: int) -> Certainty:
    if any(abs(day - index) <= _MAX_DAYS_APART for day in tested_days):
        return "found"
    count = len(days.values)
    shorter_side = min(index, count - index)
    enough = count >= level_changes.SHORTEST and shorter_side >= level_changes.fewest_beside(count)
    return "not_found" if enough else "too_few"
