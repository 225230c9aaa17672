"""A machine over time: its results as lines, one for each way of measuring, and their changes.

Two results are points of one line when all that could move a figure is the same, except for time
and macOS: metric, parameters, method and its version, and what it ran on.

Changes are looked for among all days: runs of one day share what the machine was busy with, and ten
of them in a row say no more of its level than their median.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.scope import Asker
from macmeter.answers.machines import LevelChange, Line, OsUpdate, Point, Timeline
from macmeter.documents.flags import in_order
from macmeter.errors import not_found
from macmeter.queries.steps import steps_of
from macmeter.reading.machines import has_runs
from macmeter.reading.moment import begin
from macmeter.reading.timeline import CONFIGURATION, Measurement, measurements_of
from macmeter.stats import changes as level
from macmeter.terms import Filters

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
    filters = (asked.metrics, asked.where, asked.flagged)
    found = await measurements_of(moment, machine_id, *filters)
    ordered = _lines(sorted(found, key=lambda one: asked.metrics.index(one.metric)))
    if not ordered and not await has_runs(moment, machine_id):
        raise not_found("machine")
    shown = [marked(line) for line in ordered[:MAX_LINES]]
    return Timeline(str(machine_id), shown, len(ordered) - len(shown))


def longest_line(found: Iterable[Measurement]) -> Line | None:
    """The line with most points of these results, which are the oldest first."""
    return next(map(marked, _lines(found)), None)


def _lines(found: Iterable[Measurement]) -> list[Line]:
    """Those with most points first."""
    lines: dict[tuple[Any, ...], Line] = {}
    for one in found:
        entry = catalog.METRICS[one.metric]
        same = (one.series_id, one.source, one.method, one.method_version)
        key = (*same, *map(repr, one.configuration))
        line = lines.get(key)
        if line is None:
            stated = zip(CONFIGURATION, one.configuration, strict=True)
            line = lines[key] = Line(
                metric=one.metric,
                title=entry.title,
                unit=entry.unit.value,
                better=entry.better,
                parameters=one.parameters,
                source=one.source,
                method=one.method,
                method_version=one.method_version,
                # What is not stated is left out.
                configuration={name: value for name, value in stated if value},
                points=[],
                earlier=0,
                days=0,
                fewest_days=0,
                changes=[],
                os_updates=[],
                steps=[],
            )
        line.points.append(
            Point(
                run_id=str(one.run_id),
                at=one.at.isoformat(),
                os_version=one.os_version,
                value=one.value,
                samples=one.samples,
                printed=one.printed,
                flags=in_order(set(one.run_flags) | set(one.flags or [])),
            )
        )
    return sorted(lines.values(), key=lambda line: -len(line.points))


def marked(line: Line) -> Line:
    """With its changes of level and of macOS, and the newest of its points."""
    days = [list(day) for _, day in groupby(line.points, key=lambda point: point.at[:10])]
    found = level.changes([median(point.value for point in day) for day in days])
    changes = [
        _change(days[change.index - 1][-1], days[change.index][0], change) for change in found
    ]
    updates = [*_updates(line.points)]
    # Articles don't say on which day they measured.
    steps = [] if line.source == "published" else steps_of(line.points, changes)
    beginnings = {one.run_id for of in (changes, updates, steps) for one in of}
    points = _shown(line.points, beginnings)
    ids = {point.run_id for point in points}
    return replace(
        line,
        points=points,
        earlier=len(line.points) - len(points),
        days=len(days),
        fewest_days=level.SHORTEST,
        changes=[change for change in changes if change.run_id in ids],
        os_updates=[update for update in updates if update.run_id in ids],
        steps=[step for step in steps if step.run_id in ids],
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
