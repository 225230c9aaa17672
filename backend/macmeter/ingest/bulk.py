"""Write many runs in one transaction: one COPY a table, one commit for all of them.

For runs that the server's admin brings in. Whether they are stored already, and whose their
machines are, is asked before; what another writer stores meanwhile makes the transaction fail
with a unique violation, and the caller asks again.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Dialect, Table
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.arrivals.announce import CHANNEL
from macmeter.documents.compression import compressed
from macmeter.documents.derive import DerivedRun
from macmeter.ingest.store import RUN_COLUMNS, SeriesNumbers, copy_results, driver
from macmeter.models import Document, Doubt, PublishedFigure, Run, RunId

_OF_DOUBTS = (
    *("doubt_id", "machine_id", "run_id", "reason", "created_at"),
    *("decision", "answer", "decided_at"),
)
_GIVEN_LATER = ("received_at", "withdrawn_at", "withdrawn_by", "withdrawn_reason")
Row = Sequence[Any]
_DIALECT: Dialect = postgresql.dialect()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class Withdrawn:
    at: datetime
    by: str
    reason: str


@dataclass(frozen=True)
class Doubted:
    doubt_id: uuid.UUID
    reason: str
    at: datetime
    decision: str | None = None
    answer: str | None = None
    decided_at: datetime | None = None


@dataclass(frozen=True)
class Incoming:
    """A run on its way in: what its document says, and what its server knew of it."""

    content: bytes
    sha256: bytes
    run: DerivedRun
    visibility: str
    fleet_id: uuid.UUID | None
    received_at: datetime
    withdrawn: Withdrawn | None = None
    doubts: tuple[Doubted, ...] = ()


async def store_many(
    engine: AsyncEngine, incoming: Sequence[Incoming], numbers: SeriesNumbers
) -> None:
    """Store all of these new runs, or none. Their machines and fleets exist already."""
    # In one order everywhere, so that two writers can't wait for each other.
    ordered = sorted(incoming, key=lambda one: one.run.run_id)
    series = await numbers.of(engine, [result for one in ordered for result in one.run.results])
    async with engine.begin() as connection:
        await _copy(connection, RunId, _run_ids(ordered), ("run_id", "machine_id"))
        await _copy(connection, Run, map(_run, ordered), (*RUN_COLUMNS, *_GIVEN_LATER))
        await _copy(connection, Document, map(_document, ordered))
        await copy_results(connection, [one.run for one in ordered], series)
        await _copy(connection, PublishedFigure, _published_figures(ordered))
        await _copy(connection, Doubt, _doubts(ordered), _OF_DOUBTS)
        await connection.exec_driver_sql(f"NOTIFY {CHANNEL}")


async def _copy(
    connection: AsyncConnection, model: Any, rows: Iterable[Row], columns: Sequence[str] = ()
) -> None:
    """COPY `rows` into the model's table; nothing is sent where there are none."""
    table: Table = model.__table__
    columns = columns or [column.name for column in table.columns]
    listed = list(rows)
    if not listed:
        return
    names = ", ".join(f'"{name}"' for name in columns)
    async with (
        driver(connection) as psycopg_connection,
        psycopg_connection.cursor() as cursor,
        cursor.copy(f"COPY {table.name} ({names}) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.set_types([_type(table, name) for name in columns])
        for row in listed:
            await copy.write_row(row)


def _type(table: Table, column: str) -> str:
    return table.columns[column].type.compile(_DIALECT).lower()


def _run_ids(incoming: Iterable[Incoming]) -> Iterable[Row]:
    return ((one.run.run_id, one.run.machine_id) for one in incoming)


def _run(one: Incoming) -> Row:
    values = {
        "machine_id": one.run.machine_id,
        "run_id": one.run.run_id,
        "visibility": one.visibility,
        "fleet_id": one.fleet_id,
        "token_id": None,
        **one.run.columns,
    }
    withdrawn = one.withdrawn
    later = (withdrawn.at, withdrawn.by, withdrawn.reason) if withdrawn else (None, None, None)
    return (*(_adapted(values[name]) for name in RUN_COLUMNS), one.received_at, *later)


def _document(one: Incoming) -> Row:
    key = (one.run.machine_id, one.run.run_id)
    return (*key, one.sha256, len(one.content), compressed(one.content))


def _published_figures(incoming: Iterable[Incoming]) -> Iterable[Row]:
    names = [column.name for column in PublishedFigure.__table__.columns]
    for one in incoming:
        key = {"machine_id": one.run.machine_id, "run_id": one.run.run_id}
        for figure in one.run.published_figures:
            yield [_adapted((key | figure).get(name)) for name in names]


def _doubts(incoming: Iterable[Incoming]) -> Iterable[Row]:
    for one in incoming:
        for doubt in one.doubts:
            key = (one.run.machine_id, one.run.run_id)
            judged = (doubt.decision, doubt.answer, doubt.decided_at)
            yield (doubt.doubt_id, *key, doubt.reason, doubt.at, *judged)


def _adapted(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value
