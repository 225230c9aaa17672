"""Runs one by one: the list, newest first, and all that is known of one."""

from __future__ import annotations

import base64
import binascii
import json
import uuid
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Row, and_, func, select, tuple_, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.errors import invalid, not_found
from macmeter.ingest.derive import canonical_parameters
from macmeter.ingest.flags import in_order
from macmeter.ingest.withdraw import count_doubts
from macmeter.models import Document, PublishedFigure, Result, Run, RunId, Series
from macmeter.queries.chief_figures import chief_figures
from macmeter.reading.filters import matches, results_of, standing
from macmeter.stats.summary import summarise
from macmeter.terms import Term

Json = dict[str, Any]

MAX_PAGE = 200


async def list_runs(
    connection: AsyncConnection,
    terms: tuple[Term, ...],
    reader: Bearer | None,
    limit: int,
    cursor: str | None,
) -> Json:
    """A page of `{items, total, next}`; `next` continues exactly after the last item."""
    found = select(Run).where(visible(reader), matches(terms))
    total = await connection.scalar(
        select(func.count()).select_from(Run).where(visible(reader), matches(terms))
    )
    page = found.order_by(Run.received_at.desc(), Run.run_id.desc()).limit(limit + 1)
    if cursor is not None:
        page = page.where(tuple_(Run.received_at, Run.run_id) < tuple_(*position_of(cursor)))
    rows = list(await connection.execute(page))
    shown = rows[:limit]
    return {
        "items": await summaries(connection, shown),
        "total": total,
        "next": cursor_of(shown[-1].received_at, shown[-1].run_id) if len(rows) > limit else None,
    }


async def doubted_runs(
    connection: AsyncConnection,
    metrics: Iterable[str],
    terms: tuple[Term, ...],
    reader: Bearer | None,
    limit: int,
) -> Json:
    """The newest `{items, total, next}` of those that an answer leaves out for a doubt."""
    left_out = union_all(
        *(
            results_of(metric, terms, reader)
            .where(Result.doubtful, standing())
            .add_columns(Run.run_id, Result.flags)
            for metric in metrics
        )
    ).subquery()
    among = Run.run_id.in_(select(left_out.c.run_id))
    total = await connection.scalar(
        select(func.count()).select_from(Run).where(visible(reader), among)
    )
    newest = select(Run).where(visible(reader), among)
    rows = list(
        await connection.execute(
            newest.order_by(Run.received_at.desc(), Run.run_id.desc()).limit(limit)
        )
    )
    # A run's result may be doubted where the run itself is not: its reason is told as well.
    own: dict[uuid.UUID, set[str]] = {}
    for run_id, flags in await connection.execute(
        select(left_out).where(left_out.c.run_id.in_(row.run_id for row in rows))
    ):
        own.setdefault(run_id, set()).update(flags or ())
    items = await summaries(connection, rows)
    for item, row in zip(items, rows, strict=True):
        item["flags"] = [_flag(code) for code in in_order({*row.flags, *own[row.run_id]})]
    return {"items": items, "total": total, "next": None}


async def summaries(connection: AsyncConnection, rows: list[Row[Any]]) -> list[Json]:
    """What a list tells of each of these rows of `runs`."""
    chief = await chief_figures(connection, rows)
    return [_summary(row, chief.get(row.run_id, [])) for row in rows]


async def run_summary(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Bearer | None
) -> Json:
    """What a list tells of that run; 404 as for `one_run`."""
    query = (
        select(Run)
        .join(RunId, and_(RunId.machine_id == Run.machine_id, RunId.run_id == Run.run_id))
        .where(RunId.run_id == run_id, visible(reader))
    )
    found = await summaries(connection, list(await connection.execute(query)))
    if not found:
        raise not_found("run")
    return found[0]


async def one_run(connection: AsyncConnection, run_id: uuid.UUID, reader: Bearer | None) -> Json:
    """A run with its results; 404 alike for one that is absent and one that is private."""
    query = (
        select(Run, Document.sha256, Document.size, Document.deflated)
        .join(RunId, and_(RunId.machine_id == Run.machine_id, RunId.run_id == Run.run_id))
        .join(
            Document,
            and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id),
        )
        .where(RunId.run_id == run_id, visible(reader))
    )
    row: Any = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("run")
    document = inflated(row.deflated)
    chief = await chief_figures(connection, [row])
    return {
        **_summary(row, chief.get(run_id, [])),
        **_from_document(document),
        "results": await _results(connection, row, document),
        "published": await _published(connection, row),
        "document_sha256": row.sha256.hex(),
        "document_bytes": row.size,
        "doubts": await count_doubts(connection, run_id),
    }


async def raw_document(
    connection: AsyncConnection, run_id: uuid.UUID, reader: Bearer | None
) -> bytes:
    """The bytes as they were uploaded."""
    deflated = await connection.scalar(
        select(Document.deflated)
        .join(
            Run,
            and_(Run.machine_id == Document.machine_id, Run.run_id == Document.run_id),
        )
        .join(RunId, and_(RunId.machine_id == Run.machine_id, RunId.run_id == Run.run_id))
        .where(RunId.run_id == run_id, visible(reader))
    )
    if deflated is None:
        raise not_found("run")
    return zlib.decompress(deflated)


def _summary(row: Row[Any], chief: list[Json]) -> Json:
    return {
        "id": str(row.run_id),
        "suite": row.suite,
        "source": row.source,
        "state": "incomplete" if "incomplete" in row.flags else "complete",
        "simulated": "simulated" in row.flags,
        "method": row.method,
        "method_version": row.method_version,
        "started_at": _time(row.started_at),
        "finished_at": _time(row.finished_at),
        "received_at": _time(row.received_at),
        "machine": {
            "id": str(row.machine_id),
            "model_name": row.model,
            "chip": row.chip,
            "unspecified": row.unspecified,
        },
        "os_version": row.os_version,
        "storage": row.storage,
        "device": row.device,
        "encryption": row.encryption,
        "image_format": row.image_format,
        "virtual": row.virtual,
        "chief": chief,
        "flags": [_flag(code) for code in row.flags],
        "withdrawn": _withdrawn(row),
        "citation": row.citation,
    }


def _withdrawn(row: Row[Any]) -> Json | None:
    if row.withdrawn_at is None:
        return None
    return {
        "at": row.withdrawn_at.isoformat(),
        "by": row.withdrawn_by,
        "reason": row.withdrawn_reason,
    }


def _from_document(document: Json) -> Json:
    """Facts that only the run page shows, as the agent sent them."""
    return {
        "machine": stated(document["machine"]),
        "environment": stated(document.get("environment")) or {},
        "target": stated(document.get("target")),
        "agent": stated(document.get("agent")),
        "tool": stated(document.get("tool")),
        "labels": stated(document.get("labels")) or {},
        "method_parameters": document["method"].get("parameters") or {},
        "traces": [trace["kind"] for trace in document.get("traces") or []],
        "warnings": [stated(warning) for warning in document.get("warnings") or []],
    }


def inflated(deflated: bytes) -> Json:
    """A document as it was stored."""
    document: Json = json.loads(zlib.decompress(deflated), parse_int=_integer)
    return document


def stated(part: Json | None) -> Json | None:
    """Without its null members: null is the same as leaving out."""
    return part and {name: value for name, value in part.items() if value is not None}


def _integer(digits: str) -> int | str:
    """Beyond 64 bits as a text: no reader of our JSON would take it for the same number."""
    value = int(digits)
    return value if -(2**63) <= value < 2**64 else digits


async def _results(connection: AsyncConnection, row: Row[Any], document: Json) -> list[Json]:
    query = (
        select(
            Series.metric,
            Series.parameters,
            Result.samples,
            Result.flags,
            Result.printed,
        )
        .add_columns(Result.qualifier)
        .join(Series, Series.series_id == Result.series_id)
        .where(Result.machine_id == row.machine_id, Result.run_id == row.run_id)
    )
    taken = {
        (series["metric"], _key(stated(series.get("parameters")) or {})): series
        for series in document.get("series") or []
    }
    results = []
    for result in await connection.execute(query):
        metric = catalog.METRICS[result.metric]
        series = taken.get((result.metric, _key(result.parameters)), {})
        results.append(
            {
                "metric": metric.name,
                "title": metric.title,
                "unit": metric.unit.value,
                "better": metric.better.value,
                "parameters": result.parameters,
                **asdict(summarise(result.samples)),
                "values": series.get("values", result.samples),
                "positions": series.get("positions"),
                "printed": result.printed,
                "qualifier": result.qualifier,
                "flags": [_flag(code) for code in result.flags or []],
            }
        )
    order = list(catalog.METRICS)
    return sorted(
        results,
        key=lambda r: (
            order.index(r["metric"]),
            [_rank(v) for v in r["parameters"].values()],
        ),
    )


async def _published(connection: AsyncConnection, row: Row[Any]) -> list[Json]:
    figure = PublishedFigure
    query = (
        select(figure)
        .where(figure.machine_id == row.machine_id, figure.run_id == row.run_id)
        .order_by(figure.position)
    )
    kept = (
        "kind",
        "metric",
        "parameters",
        "value",
        "low",
        "high",
        "of",
        "to",
        "qualifier",
        "printed",
    )
    return [
        {name: row._mapping[name] for name in kept if row._mapping[name] is not None}
        for row in await connection.execute(query)
    ]


def _key(parameters: Json) -> str:
    return json.dumps(canonical_parameters(parameters), sort_keys=True)


def _rank(value: Any) -> tuple[bool, float, str]:
    return (
        isinstance(value, str),
        value if isinstance(value, (int, float)) else 0,
        str(value),
    )


def _flag(code: str) -> Json:
    found = catalog.flag(code)
    return {"code": code, "severity": found.severity.value, "sentence": found.sentence}


def _time(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def cursor_of(received_at: datetime, run_id: uuid.UUID | str) -> str:
    """A run's place in the order in which runs are listed."""
    text = f"{received_at.isoformat()} {run_id}"
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


_FIRST_YEAR = 2000


def position_of(cursor: str, pointer: str = "?cursor") -> tuple[datetime, uuid.UUID]:
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode()
        time, _, run_id = text.partition(" ")
        # A time without an offset would be no point in time.
        received = datetime.fromisoformat(time).astimezone(UTC)
        # No run was received before there was a server; nothing can be taken off the year 1.
        if received.year < _FIRST_YEAR:
            raise ValueError(received)
        return received, uuid.UUID(run_id)
    except (ValueError, OverflowError, binascii.Error):
        raise invalid(pointer, "Not a place in this list; start again without one.") from None
