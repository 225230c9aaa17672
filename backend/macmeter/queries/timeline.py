"""A machine over time: its results as lines, one for each way of measuring, and their changes.

Two results are points of one line when all that could move a figure is the same, but for time
and macOS: metric, parameters, method and its version, and what it ran on.

Changes are looked for among days: runs of one day share what the machine was busy with, and ten of
them in a row say no more of its level than their median.
"""

from __future__ import annotations

import asyncio
import uuid
from itertools import groupby, pairwise
from statistics import median
from typing import Any

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.ingest.flags import in_order
from macmeter.models import Result, Run, Series
from macmeter.queries.question import Filters
from macmeter.reading.filters import results_of, undoubted
from macmeter.stats import changes as level
from macmeter.terms import Op, Term

Json = dict[str, Any]

CONFIGURATION = (
    "storage",
    "link_speed",
    "device",
    "device_id",
    "via",
    "simultaneous",
    "encryption",
    "image_format",
    "image_state",
    "file_system",
    "power_mode",
    "vcpus",
    "tool",
    "labels",
)
# Beyond these a picture shows nothing more, and the newest matter most.
MAX_LINES = 64
MAX_POINTS = 400


async def timeline(
    connection: AsyncConnection, machine_id: uuid.UUID, asked: Filters, reader: Bearer | None
) -> Json:
    """`{lines, more}`: the lines with most points first, and how many were left out."""
    lines: dict[tuple[Any, ...], Json] = {}
    for metric in asked.metrics:
        await _collect(connection, machine_id, metric, asked, reader, lines)
    ordered = sorted(lines.values(), key=lambda line: -len(line["points"]))
    shown = ordered[:MAX_LINES]
    # The tests of many long lines would hold up every other request.
    await asyncio.to_thread(_mark, shown)
    return {"lines": shown, "more": len(ordered) - len(shown)}


async def _collect(
    connection: AsyncConnection,
    machine_id: uuid.UUID,
    metric: str,
    asked: Filters,
    reader: Bearer | None,
    lines: dict[tuple[Any, ...], Json],
) -> None:
    at = func.coalesce(Run.started_at, Run.received_at)
    configuration = [getattr(Run, name).label(name) for name in CONFIGURATION]
    terms = (*asked.where, Term("machine", Op.IS, str(machine_id)))
    query = (
        results_of(metric, terms, reader)
        .where(undoubted(asked.flagged))
        .add_columns(
            *(Run.run_id, Run.os_version, at.label("at"), Run.flags.label("run_flags")),
            *(Run.source, Run.method, Run.method_version, *configuration),
            *(Series.series_id, Series.parameters, Result.median, Result.flags, Result.printed),
            func.cardinality(Result.samples).label("samples"),
        )
        .order_by(at, Run.run_id)
    )
    entry = catalog.METRICS[metric]
    for row in await connection.execute(query):
        cells = row._mapping
        same = (row.series_id, row.source, row.method, row.method_version)
        key = (*same, *(repr(cells[name]) for name in CONFIGURATION))
        line = lines.get(key)
        if line is None:
            line = lines[key] = {
                "metric": metric,
                "title": entry.title,
                "unit": entry.unit.value,
                "better": entry.better.value,
                "parameters": row.parameters,
                "source": row.source,
                "method": row.method,
                "method_version": row.method_version,
                # What is not stated is left out.
                "configuration": {name: cells[name] for name in CONFIGURATION if cells[name]},
                "points": [],
                "changes": [],
            }
        line["points"].append(
            {
                "run_id": str(row.run_id),
                "at": row.at.isoformat(),
                "os_version": row.os_version,
                "value": row.median,
                "samples": row.samples,
                "printed": row.printed,
                "flags": in_order(set(row.run_flags) | set(row.flags or [])),
            }
        )


def _mark(lines: list[Json]) -> None:
    """Adds its changes of level and of macOS to each line; keeps its newest points."""
    for line in lines:
        points = line["points"] = line["points"][-MAX_POINTS:]
        days = [list(day) for _, day in groupby(points, key=lambda point: point["at"][:10])]
        found = level.changes([median(point["value"] for point in day) for day in days])
        line["days"] = len(days)
        line["fewest_days"] = level.SHORTEST
        line["changes"] = [
            _change(days[change.index - 1][-1], days[change.index][0], change) for change in found
        ]
        line["os_updates"] = [
            {
                "run_id": after["run_id"],
                "before": before["os_version"],
                "after": after["os_version"],
            }
            for before, after in pairwise(p for p in points if p["os_version"] is not None)
            if before["os_version"] != after["os_version"]
        ]


def _change(last: Json, first: Json, change: level.Change) -> Json:
    return {
        "run_id": first["run_id"],
        "at": first["at"],
        "before": change.before,
        "after": change.after,
        "ratio": change.after / change.before if change.before > 0 else None,
        "os_before": last["os_version"],
        "os_after": first["os_version"],
    }
