"""Machines: which have measured, and what one of them is and has measured."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ColumnElement, Text, and_, cast, exists, func, or_, select
from sqlalchemy.dialects.postgresql import aggregate_order_by, distinct_on
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.errors import not_found
from macmeter.models import Document, Result, Run, Series
from macmeter.queries.runs import cursor_of, inflated, position_of, stated
from macmeter.reading.filters import matches, undoubted, vouched_host
from macmeter.terms import Term

Json = dict[str, Any]

_SEARCHED = (Run.chip, Run.model, Run.os_version)
MAX_WORDS = 8


async def list_machines(
    connection: AsyncConnection,
    terms: tuple[Term, ...],
    search: str,
    reader: Bearer | None,
    limit: int,
    cursor: str | None,
) -> Json:
    """A page of `{items, total, next}`: who measured last comes first; counts under the filters.

    Machines that an article does not name are no machines.
    """
    last = func.max(Run.received_at)
    found = (
        select(
            Run.machine_id,
            func.count().label("runs"),
            last.label("last_received_at"),
            func.array_agg(Run.suite.distinct()).label("suites"),
            func.array_agg(Run.source.distinct()).label("sources"),
        )
        .where(visible(reader), Run.unspecified.is_(False), matches(terms), *_words(search))
        .group_by(Run.machine_id)
    )
    total = await connection.scalar(select(func.count()).select_from(found.subquery()))
    page = found.order_by(last.desc(), Run.machine_id.desc()).limit(limit + 1)
    if cursor is not None:
        time, machine_id = position_of(cursor)
        earlier = or_(last < time, and_(last == time, Run.machine_id < machine_id))
        page = page.having(earlier)
    rows = list(await connection.execute(page))
    shown = rows[:limit]
    facts = await _latest(connection, [row.machine_id for row in shown], reader)
    return {
        "items": [
            {
                "id": str(row.machine_id),
                **facts[row.machine_id],
                "runs": row.runs,
                "suites": row.suites,
                "sources": row.sources,
                "last_received_at": row.last_received_at.isoformat(),
            }
            for row in shown
        ],
        "total": total,
        "next": cursor_of(shown[-1].last_received_at, shown[-1].machine_id)
        if len(rows) > limit
        else None,
    }


def _words(search: str) -> list[ColumnElement[bool]]:
    """Each word is somewhere in the chip, the model or the macOS version."""
    return [
        or_(
            *(func.strpos(func.lower(column), word) > 0 for column in _SEARCHED),
            func.starts_with(cast(Run.machine_id, Text), word),
        )
        for word in search.lower().split()[:MAX_WORDS]
    ]


async def _latest(
    connection: AsyncConnection, machine_ids: list[uuid.UUID], reader: Bearer | None
) -> dict[uuid.UUID, Json]:
    """What each machine's newest readable run says of it."""
    query = (
        select(Run.machine_id, Run.chip, Run.model, Run.os_version, Run.virtual)
        .add_columns(vouched_host().label("host_machine_id"))
        .ext(distinct_on(Run.machine_id))
        .where(Run.machine_id.in_(machine_ids), visible(reader))
        .order_by(Run.machine_id, Run.received_at.desc())
    )
    return {
        row.machine_id: {
            "chip": row.chip,
            "model_name": row.model,
            "os_version": row.os_version,
            "virtual": row.virtual,
            "host_machine_id": str(row.host_machine_id) if row.host_machine_id else None,
        }
        for row in await connection.execute(query)
    }


async def has_machine(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Bearer | None
) -> bool:
    """Whether it has a run that may be read."""
    readable = and_(Run.machine_id == machine_id, Run.unspecified.is_(False), visible(reader))
    return bool(await connection.scalar(select(exists().where(readable))))


async def one_machine(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Bearer | None
) -> Json:
    """Its facts after its newest run, its macOS versions, and what it has measured.

    404 alike for one that is absent and one of which no run may be read.
    """
    readable = and_(Run.machine_id == machine_id, Run.unspecified.is_(False), visible(reader))
    newest = (
        await connection.execute(
            select(Document.deflated, Run.received_at)
            .join(Run, and_(Run.machine_id == Document.machine_id, Run.run_id == Document.run_id))
            .where(readable)
            .order_by(Run.received_at.desc())
            .limit(1)
        )
    ).one_or_none()
    if newest is None:
        raise not_found("machine")
    document = inflated(newest.deflated)
    facts = (await _latest(connection, [machine_id], reader))[machine_id]
    return {
        "id": str(machine_id),
        **facts,
        "machine": stated(document["machine"]),
        "environment": stated(document.get("environment")) or {},
        "guests": await _guests(connection, machine_id, reader),
        **await _counts(connection, readable),
        "os_versions": await _os_versions(connection, readable),
        "measured": await _measured(connection, readable),
    }


async def _counts(connection: AsyncConnection, readable: ColumnElement[bool]) -> Json:
    at = func.coalesce(Run.started_at, Run.received_at)
    query = select(
        func.count().label("runs"),
        func.min(at).label("first"),
        func.max(at).label("last"),
        func.array_agg(Run.suite.distinct()).label("suites"),
        func.array_agg(Run.source.distinct()).label("sources"),
    ).where(readable)
    row = (await connection.execute(query)).one()
    return {
        "runs": row.runs,
        "first_at": row.first.isoformat(),
        "last_at": row.last.isoformat(),
        "suites": row.suites,
        "sources": row.sources,
    }


async def _os_versions(connection: AsyncConnection, readable: ColumnElement[bool]) -> list[Json]:
    """In the order in which they were first seen; a run that does not say counts nowhere."""
    at = func.coalesce(Run.started_at, Run.received_at)
    query = (
        select(
            Run.os_version,
            func.min(at).label("first"),
            func.max(at).label("last"),
            func.count().label("runs"),
        )
        .where(readable, Run.os_version.is_not(None))
        .group_by(Run.os_version)
        .order_by(func.min(at), Run.os_version)
    )
    return [
        {
            "os_version": row.os_version,
            "first_at": row.first.isoformat(),
            "last_at": row.last.isoformat(),
            "runs": row.runs,
        }
        for row in await connection.execute(query)
    ]


async def _measured(connection: AsyncConnection, readable: ColumnElement[bool]) -> list[Json]:
    """Each metric with the values of its parameters, in the catalogue's order."""
    query = (
        select(
            Series.metric,
            func.array_agg(
                aggregate_order_by(Series.parameters.distinct(), Series.parameters)
            ).label("parameters"),
            func.count(Run.run_id.distinct()).label("runs"),
        )
        .select_from(Run)
        .join(Result, and_(Result.machine_id == Run.machine_id, Result.run_id == Run.run_id))
        .join(Series, Series.series_id == Result.series_id)
        .where(readable, undoubted("exclude"))
        .group_by(Series.metric)
    )
    rows = {row.metric: row for row in await connection.execute(query)}
    return [
        {
            "metric": name,
            "title": metric.title,
            "unit": metric.unit.value,
            "better": metric.better.value,
            "parameters": rows[name].parameters,
            "runs": rows[name].runs,
        }
        for name, metric in catalog.METRICS.items()
        if name in rows
    ]


async def _guests(
    connection: AsyncConnection, machine_id: uuid.UUID, reader: Bearer | None
) -> list[str]:
    query = (
        select(Run.machine_id)
        .where(Run.host_machine_id == machine_id, vouched_host() == machine_id, visible(reader))
        .distinct()
        .order_by(Run.machine_id)
    )
    return [str(guest) for guest in (await connection.execute(query)).scalars()]
