"""Write a run: raw document, dimensions and results in one transaction, or nothing.

Results go in by COPY, several times as fast as inserts. Series are named beforehand in a
short transaction of their own: two uploads that bring the same new series then never wait
for, or deadlock with, each other's run.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import orjson
import psycopg
from psycopg.types.json import Jsonb
from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.access.run_changes import RunAct, change_runs
from macmeter.documents.compression import compressed
from macmeter.documents.derive import DerivedResult, DerivedRun
from macmeter.errors import Problem
from macmeter.ingest import copying
from macmeter.models import QUARANTINE, Document, PublishedFigure, Run, RunId

# Written out once: building these statements each time took longer than PostgreSQL needs for them.
_LATER = {
    "received_at",
    "withdrawn_at",
    "withdrawn_by",
    "withdrawn_reason",
    "sweep_id",
    "uploaded_as",
    "trust",
}
RUN_COLUMNS = [c.name for c in Run.__table__.columns if c.name not in _LATER]
_STORE = f"""
    WITH claimed AS (
        INSERT INTO run_ids (run_id, machine_id) VALUES (%(run_id)s, %(machine_id)s)
        ON CONFLICT DO NOTHING RETURNING run_id
    ), run AS (
        INSERT INTO runs ({", ".join(RUN_COLUMNS)})
        SELECT {", ".join(f"%({name})s" for name in RUN_COLUMNS)} FROM claimed
        RETURNING machine_id, run_id
    )
    INSERT INTO documents (machine_id, run_id, sha256, size, compressed)
    SELECT machine_id, run_id, %(sha256)s, %(size)s, %(compressed)s FROM run
"""  # noqa: S608 - made of the model's own column names
SeriesKey = tuple[Any, ...]
_ASKED = (
    "unnest(CAST(:metrics AS text[]), CAST(CAST(:parameters AS text[]) AS jsonb[])) "
    "WITH ORDINALITY AS asked (metric, parameters, place)"
)
_LOOK_UP_SERIES = text(
    f"SELECT asked.place, series.series_id FROM {_ASKED} "  # noqa: S608 - no value in it
    "JOIN series ON series.metric = asked.metric AND series.parameters = asked.parameters"
)
# In one order everywhere, so that two uploads can't wait for each other.
_WRITE_SERIES = text(
    f"INSERT INTO series (metric, parameters) SELECT metric, parameters FROM {_ASKED} "  # noqa: S608
    "ORDER BY metric, parameters ON CONFLICT DO NOTHING"
)
# A few hundred bytes each.
_MOST_KNOWN = 20_000
_LARGE = 64 * 1024


class Stored(Enum):
    NEW = 201
    IDENTICAL = 200


@dataclass(frozen=True)
class Writer:
    """On whose behalf a run is stored; the document never decides its own visibility."""

    visibility: str
    fleet_id: uuid.UUID | None = None
    token_id: uuid.UUID | None = None
    implausible: str | None = None
    """Why the run is withdrawn at once, until somebody has looked at it."""


class SeriesNumbers:
    """The numbers of series seen of late by this process; they never change once given."""

    def __init__(self, most: int = _MOST_KNOWN) -> None:
        self._known: OrderedDict[SeriesKey, int] = OrderedDict()
        self._most = most

    async def of(self, engine: AsyncEngine, results: list[DerivedResult]) -> list[int]:
        """A number for each result's series, in order; new series are written first."""
        keys = [(result.metric, *result.parameters.items()) for result in results]
        try:
            return [self._known[key] for key in keys]
        except KeyError:
            return await self._asked(engine, keys, results)

    async def _asked(
        self, engine: AsyncEngine, keys: list[SeriesKey], results: list[DerivedResult]
    ) -> list[int]:
        known = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: r for key, r in zip(keys, results, strict=True) if key not in known}
        if missing:
            async with engine.begin() as connection:
                known |= await _numbers(connection, missing)
        # Only what is committed is known for good.
        self._keep(known)
        return [known[key] for key in keys]

    def _keep(self, used: dict[SeriesKey, int]) -> None:
        self._known.update(used)
        for key in used:
            self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)


async def _numbers(
    connection: AsyncConnection, series: dict[SeriesKey, DerivedResult]
) -> dict[SeriesKey, int]:
    """In three statements at most, however many series: looked up, written, looked up again."""
    found = await _look_up(connection, series)
    missing = {key: result for key, result in series.items() if key not in found}
    if missing:
        await connection.execute(_WRITE_SERIES, _columns(missing))
        found |= await _look_up(connection, missing)
    return found


async def _look_up(
    connection: AsyncConnection, series: dict[SeriesKey, DerivedResult]
) -> dict[SeriesKey, int]:
    keys = list(series)
    rows = await connection.execute(_LOOK_UP_SERIES, _columns(series))
    return {keys[row.place - 1]: row.series_id for row in rows}


def _columns(series: dict[SeriesKey, DerivedResult]) -> dict[str, list[str]]:
    return {
        "metrics": [result.metric for result in series.values()],
        "parameters": [orjson.dumps(result.parameters).decode() for result in series.values()],
    }


async def store(
    connection: AsyncConnection,
    content: bytes,
    run: DerivedRun,
    numbers: list[int],
    writer: Writer,
) -> Stored:
    """Store a run inside the caller's transaction. 409 when the id has other content."""
    sha256, document = await packed(content)
    async with driver(connection) as psycopg_connection:
        cursor = await psycopg_connection.execute(
            _STORE,
            {
                "machine_id": run.machine_id,
                "run_id": run.run_id,
                "visibility": writer.visibility,
                "fleet_id": writer.fleet_id,
                "token_id": writer.token_id,
                **{name: _adapted(value) for name, value in run.columns.items()},
                "sha256": sha256,
                "size": len(content),
                "compressed": document,
            },
        )
    if cursor.rowcount == 0:
        await _require_identical(connection, run.run_id, sha256)
        return Stored.IDENTICAL
    await write_derived(connection, run, numbers)
    if writer.implausible is not None:
        await _quarantine(connection, run, writer.implausible)
    return Stored.NEW


async def _quarantine(connection: AsyncConnection, run: DerivedRun, reason: str) -> None:
    this = (Run.machine_id == run.machine_id) & (Run.run_id == run.run_id)
    values = {"withdrawn_at": func.now(), "withdrawn_by": QUARANTINE, "withdrawn_reason": reason}
    act = RunAct("run.quarantine", None, {"run": str(run.run_id)})
    await change_runs(connection, this, values, act)


async def packed(content: bytes) -> tuple[bytes, bytes]:
    """Its digest, and what is stored of it. Large documents let Python's lock go meanwhile."""
    return await asyncio.to_thread(_packed, content) if len(content) > _LARGE else _packed(content)


def _packed(content: bytes) -> tuple[bytes, bytes]:
    return hashlib.sha256(content).digest(), compressed(content)


async def write_derived(connection: AsyncConnection, run: DerivedRun, numbers: list[int]) -> None:
    """The rows of `run_results` and `published_figures`; the run itself is stored already."""
    await copy_results(connection, [run], numbers)
    if run.published_figures:
        keys = {"machine_id": run.machine_id, "run_id": run.run_id}
        nothing = {"value": None, "low": None, "high": None, "of": None, "to": None}
        await connection.execute(
            insert(PublishedFigure),
            [{**keys, **nothing, **figure} for figure in run.published_figures],
        )


async def remove(connection: AsyncConnection, machine_id: uuid.UUID, run_id: uuid.UUID) -> None:
    """Delete a run with all that was derived from it; its id is free again."""
    await connection.execute(delete(Run).where(Run.machine_id == machine_id, Run.run_id == run_id))
    await connection.execute(delete(RunId).where(RunId.run_id == run_id))


async def _require_identical(connection: AsyncConnection, run_id: uuid.UUID, sha256: bytes) -> None:
    stored = await connection.scalar(
        select(Document.sha256)
        .join(
            RunId,
            (RunId.run_id == Document.run_id) & (RunId.machine_id == Document.machine_id),
        )
        .where(RunId.run_id == run_id)
    )
    if stored != sha256:
        raise other_content()


def other_content() -> Problem:
    return Problem(
        409,
        "other_content",
        "Run id taken",
        "Another run is stored under this id. Runs are never overwritten: "
        "send this one with a new id.",
    )


async def copy_results(
    connection: AsyncConnection, runs: Sequence[DerivedRun], numbers: Sequence[int]
) -> None:
    """The rows of `run_results` of these runs; `numbers` are those of their series, in order."""
    async with (
        driver(connection) as psycopg_connection,
        psycopg_connection.cursor() as cursor,
        cursor.copy(copying.STATEMENT) as copy,
    ):
        for piece in copying.result_rows(runs, numbers):
            await copy.write(piece)


@contextlib.asynccontextmanager
async def driver(connection: AsyncConnection) -> AsyncIterator[Any]:
    """The psycopg connection below, inside the transaction that SQLAlchemy has begun.

    SQLAlchemy does not see the driver's errors: it has to learn when one has ended the connection,
    or it would give that to the next request.
    """
    inner: Any = (await connection.get_raw_connection()).driver_connection
    try:
        yield inner
    except psycopg.Error as error:
        if inner.closed:
            await connection.invalidate(error)
        raise


def _adapted(value: Any) -> Any:
    return Jsonb(value) if isinstance(value, dict) else value
