"""The figures that stand for a whole run in a list: one or two, whatever it measured."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import Row, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.models import PublishedFigure, Result, Series

Json = dict[str, Any]

MOST = 2
# What a suite is run for, before all else that it gives.
_FIRST = (
    "disk.write_average",
    "disk.read_average",
    "disk.stream_read_speed",
    "hash.sha256_speed",
    "compression.speed",
    "power.cpu_total",
)
_RANKS = {
    name: rank
    for rank, name in enumerate((*_FIRST, *(m for m in catalog.METRICS if m not in _FIRST)))
}


async def chief_figures(
    connection: AsyncConnection, rows: list[Row[Any]]
) -> dict[uuid.UUID, list[Json]]:
    """For each of these rows of `runs` its chief metrics, from its lowest result to its highest.

    A run of which only a ratio or a range is printed has that, as it is printed.
    """
    runs = [(row.machine_id, row.run_id) for row in rows]
    ranges = (
        select(
            Result.run_id,
            Series.metric,
            func.min(Result.median).label("low"),
            func.max(Result.median).label("high"),
            func.count().label("results"),
            func.min(Result.printed).label("printed"),
        )
        .join(Series, Series.series_id == Result.series_id)
        .where(tuple_(Result.machine_id, Result.run_id).in_(runs))
        .group_by(Result.run_id, Series.metric)
    )
    found: dict[uuid.UUID, list[Json]] = {}
    for row in await connection.execute(ranges):
        alone = row.results == 1
        found.setdefault(row.run_id, []).append(
            _figure(row.metric, row.printed if alone else None, row.low, row.high, row.results)
        )
    printed = (
        select(
            PublishedFigure.run_id,
            PublishedFigure.metric,
            PublishedFigure.printed,
            PublishedFigure.kind,
        )
        .where(tuple_(PublishedFigure.machine_id, PublishedFigure.run_id).in_(runs))
        .order_by(PublishedFigure.position)
    )
    for run_id, metric, text, kind in await connection.execute(printed):
        if run_id not in found:
            figure = _figure(metric, text, None, None, 0)
            found[run_id] = [{**figure, "ratio": kind == "ratio"}]
    for figures in found.values():
        figures.sort(key=lambda figure: _RANKS[figure["metric"]])
        del figures[MOST:]
    return found


def _figure(
    metric: str, printed: str | None, low: float | None, high: float | None, results: int
) -> Json:
    return {
        "metric": metric,
        "unit": catalog.METRICS[metric].unit.value,
        "low": low,
        "high": high,
        "results": results,
        "printed": printed,
        "ratio": False,
    }
