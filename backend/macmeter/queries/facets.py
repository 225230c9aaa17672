"""The values of every dimension under the current filters, with their counts.

A dimension that is filtered itself is counted under the others' filters only, so that its
alternatives stay visible. All others share one pass over the runs (grouping sets).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.models import Result, Run, Series
from macmeter.queries.question import Term
from macmeter.queries.sql import column, matches, undoubted

# A list longer than this is no choice any more; the count says how many there are.
MAX_VALUES = 200

MAX_LABELS = 8

# PostgreSQL's GROUPING() takes fewer than 32 arguments.
_AT_ONCE = 30

RUN_DIMENSIONS = [name for name, d in catalog.DIMENSIONS.items() if d.of == "run"]


async def facets(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: str,
    reader: Bearer | None,
) -> dict[str, Any]:
    """`{total, dimensions: [{name, distinct, values: [{value, runs, machines}]}]}`.

    Counts runs; with `metrics`, those that have a result of one of them.
    """
    names = RUN_DIMENSIONS + _of_samples(metrics)
    filtered = {term.dimension for term in terms}
    labels = {name for name in filtered if name.startswith(catalog.LABEL_PREFIX)}
    labels |= await _labels_of(connection, metrics, terms, flagged, reader)
    names += sorted(labels)
    counted: dict[str, list[dict[str, Any]]] = {}
    free = [name for name in names if name not in filtered]
    for start in range(0, len(free), _AT_ONCE):
        part = free[start : start + _AT_ONCE]
        counted.update(await _count(connection, part, metrics, terms, flagged, reader))
    for name in names:
        if name in filtered:
            others = tuple(term for term in terms if term.dimension != name)
            counted.update(await _count(connection, [name], metrics, others, flagged, reader))
    total = await connection.scalar(
        _runs(metrics, terms, flagged, reader).add_columns(func.count(Run.run_id.distinct()))
    )
    return {
        "total": total,
        "dimensions": [
            {
                "name": name,
                "distinct": len(counted[name]),
                "values": counted[name][:MAX_VALUES],
            }
            for name in names
            if any(entry["value"] is not None for entry in counted[name])
        ],
    }


async def _labels_of(
    connection: AsyncConnection,
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: str,
    reader: Bearer | None,
) -> set[str]:
    """The labels that most runs of workloads have: they alone tell configurations apart.

    Other suites' runs are too many to be searched for keys at every question.
    """
    if not metrics or any(catalog.METRICS[name].suite != "workload" for name in metrics):
        return set()
    runs = _runs(metrics, terms, flagged, reader).add_columns(Run.run_id, Run.labels).subquery()
    key = func.jsonb_object_keys(runs.c.labels).table_valued("key").render_derived()
    found = (
        select(key.c.key)
        .select_from(runs.join(key, true()))
        .group_by(key.c.key)
        .order_by(func.count(runs.c.run_id.distinct()).desc(), key.c.key)
        .limit(MAX_LABELS)
    )
    keys = [found_key for (found_key,) in await connection.execute(found)]
    # Of a key with these a question could not be asked.
    return {catalog.LABEL_PREFIX + k for k in keys if k and ":" not in k and not k.endswith("!")}


def _of_samples(metrics: tuple[str, ...]) -> list[str]:
    found = [catalog.METRICS[name].required + catalog.METRICS[name].optional for name in metrics]
    # A dimension that one of the metrics does not have would count nothing but gaps.
    return [name for name in (found[0] if found else ()) if all(name in of for of in found)]


def _runs(
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: str,
    reader: Bearer | None,
) -> Select[Any]:
    base = select().select_from(Run)
    if metrics:
        base = base.join(
            Result,
            and_(Result.machine_id == Run.machine_id, Result.run_id == Run.run_id),
        ).join(Series, Series.series_id == Result.series_id)
        base = base.where(Series.metric.in_(metrics), undoubted(flagged))
    return base.where(visible(reader), matches(terms))


async def _count(
    connection: AsyncConnection,
    names: list[str],
    metrics: tuple[str, ...],
    terms: tuple[Term, ...],
    flagged: str,
    reader: Bearer | None,
) -> dict[str, list[dict[str, Any]]]:
    columns: list[ColumnElement[Any]] = [column(n).label(f"d{i}") for i, n in enumerate(names)]
    inner = (
        _runs(metrics, terms, flagged, reader)
        .add_columns(*columns, Run.run_id, Run.machine_id, Run.unspecified)
        .subquery()
    )
    dimensions = [inner.c[f"d{i}"] for i in range(len(names))]
    query = select(
        func.grouping(*dimensions).label("others"),
        *dimensions,
        func.count(inner.c.run_id.distinct()).label("runs"),
        func.count(inner.c.machine_id.distinct())
        .filter(inner.c.unspecified.is_(False))
        .label("machines"),
    ).group_by(func.grouping_sets(*dimensions))
    counted: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    everything = 2 ** len(names) - 1
    for row in await connection.execute(query):
        # GROUPING() has a 1 for each dimension that this row was not grouped by.
        index = len(names) - 1 - (everything ^ row.others).bit_length() + 1
        value = row._mapping[f"d{index}"]
        counted[names[index]].append({"value": value, "runs": row.runs, "machines": row.machines})
    for values in counted.values():
        values.sort(
            key=lambda entry: (
                entry["value"] is None,
                -entry["runs"],
                str(entry["value"]),
            )
        )
    return counted
