"""Storing of runs: documents, dimensions and results in one statement, each run whole or not at
all.

All ways of storing a run end here: uploads, lines of batches, imports and published figures.
"""

import asyncio
import hashlib
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson
from sqlalchemy import TextClause, delete, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts.audit import RunAct, change_runs
from macmeter.accounts.binding import IS_BOUND_SQL
from macmeter.documents.compression import compressed
from macmeter.documents.derive import DerivedRun
from macmeter.documents.packing import packed
from macmeter.models import QUARANTINE, Document, Doubt, PublishedFigure, Run, RunId, RunResults
from macmeter.platform.errors import Problem

_LARGE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Upload:
    """A run that is ready to be stored.

    `series` are the numbers of its results' series, in order. `columns` are those of `runs` that
    the document doesn't determine. With a `token_id` among them, the run is stored only if that
    token is valid and bound to the machine, and gets the token's fleet. Without one, the caller has
    checked that it may be stored, and gives its visibility. `doubts` are rows that came with it
    from another server.
    """

    run: DerivedRun
    series: list[int]
    document: Json
    columns: Json
    doubts: list[Json] = field(default_factory=list)


async def document_row(content: bytes) -> Json:
    """Return the stored form of a document. Large ones are handled in a thread, without the GIL."""
    large = len(content) > _LARGE_BYTES
    return await asyncio.to_thread(_document, content) if large else _document(content)


def _document(content: bytes) -> Json:
    return {
        "sha256": hashlib.sha256(content).digest(),
        "size": len(content),
        "compressed": compressed(content),
    }


def _rows_of(model: Any) -> str:
    """Return SQL for the rows of a table that are given as JSON by column name."""
    name = model.__tablename__
    return f"json_populate_recordset(NULL::{name}, CAST(:{name} AS json))"


def _insert(model: Any, where: str = "") -> str:
    names = ", ".join(f'"{column.name}"' for column in model.__table__.columns)
    return (
        f"INSERT INTO {model.__tablename__} ({names}) "  # noqa: S608 - the model's own names
        f"SELECT {names} FROM {_rows_of(model)} {where}"
    )


_DERIVED = (RunResults, PublishedFigure)
_WHERE_CLAIMED = "WHERE run_id IN (SELECT run_id FROM claimed)"
_INSERTS_OF_OTHERS = "".join(
    f", of_{model.__tablename__} AS ({_insert(model, _WHERE_CLAIMED)})"
    for model in (Document, *_DERIVED, Doubt)
)
_RUN_COLUMNS = [column.name for column in Run.__table__.columns]
_COMPUTED_COLUMNS = {
    "visibility": "coalesce(who.visibility, given.visibility)",
    "fleet_id": "coalesce(who.fleet_id, given.fleet_id)",
    "received_at": "coalesce(given.received_at, now())",
}
_ALLOWED_COLUMNS = ", ".join(
    f"{_COMPUTED_COLUMNS.get(name, f'given.{name}')} AS {name}" for name in _RUN_COLUMNS
)
# OFFSET 0 forces one look-up by key per run, whatever table sizes the planner assumes.
_STORE = text(f"""
    WITH allowed AS MATERIALIZED (
        SELECT {_ALLOWED_COLUMNS}
        FROM {_rows_of(Run)} AS given
        LEFT JOIN LATERAL (
            SELECT tokens.token_id, tokens.fleet_id,
                CASE WHEN tokens.fleet_id IS NULL THEN 'public' ELSE 'private' END AS visibility
            FROM tokens CROSS JOIN machines
            WHERE tokens.token_id = given.token_id AND machines.machine_id = given.machine_id
                AND {IS_BOUND_SQL}
            OFFSET 0
        ) AS who ON true
        WHERE given.token_id IS NULL OR who.token_id IS NOT NULL
    ), claimed AS (
        INSERT INTO run_ids (run_id, machine_id)
        SELECT run_id, machine_id FROM allowed ON CONFLICT DO NOTHING RETURNING run_id
    ), of_runs AS (
        INSERT INTO runs ({", ".join(_RUN_COLUMNS)})
        SELECT {", ".join(_RUN_COLUMNS)} FROM allowed {_WHERE_CLAIMED}
    ){_INSERTS_OF_OTHERS}
    SELECT run_id FROM claimed
""")  # noqa: S608 - made of the model's own column names


async def store(connection: AsyncConnection, uploads: Iterable[Upload]) -> set[uuid.UUID]:
    """Store runs. Return the ids of those that were stored; each id must be given once.

    The others existed already, or their tokens may not write them.
    """
    # In a fixed order, so that two writers can't deadlock.
    ordered = sorted(uploads, key=lambda upload: upload.run.run_id)
    rows: dict[Any, list[Json]] = {
        Run: [_key(upload.run) | upload.run.columns | upload.columns for upload in ordered],
        Document: [_key(upload.run) | upload.document for upload in ordered],
        Doubt: [_key(upload.run) | doubt for upload in ordered for doubt in upload.doubts],
        **_derived([upload.run for upload in ordered], [upload.series for upload in ordered]),
    }
    return set(await connection.scalars(_STORE, _encoded(rows)))


_WRITE_DERIVED: dict[Any, TextClause] = {model: text(_insert(model)) for model in _DERIVED}


async def write_derived(connection: AsyncConnection, run: DerivedRun, series: list[int]) -> None:
    """Write what is derived from the document of a run that is stored already."""
    for model, rows in _derived([run], [series]).items():
        await connection.execute(_WRITE_DERIVED[model], _encoded({model: rows}))


def _derived(runs: Sequence[DerivedRun], series: Sequence[list[int]]) -> dict[Any, list[Json]]:
    return {
        RunResults: [
            _key(run) | packed(run.results, numbers)
            for run, numbers in zip(runs, series, strict=True)
        ],
        PublishedFigure: [_key(run) | figure for run in runs for figure in run.published_figures],
    }


def _key(run: DerivedRun) -> Json:
    return {"machine_id": run.machine_id, "run_id": run.run_id}


def _encoded(rows: dict[Any, list[Json]]) -> dict[str, str]:
    return {model.__tablename__: orjson.dumps(rows[model], default=_hex).decode() for model in rows}


def _hex(value: bytes) -> str:
    """Encode bytes as PostgreSQL reads them in a text."""
    return f"\\x{value.hex()}"


async def quarantine(connection: AsyncConnection, run: DerivedRun, reason: str) -> None:
    """Withdraw a run that was just stored, until somebody has judged it."""
    is_run = (Run.machine_id == run.machine_id) & (Run.run_id == run.run_id)
    values = {"withdrawn_at": func.now(), "withdrawn_by": QUARANTINE, "withdrawn_reason": reason}
    act = RunAct("run.quarantine", None, {"run": str(run.run_id)})
    await change_runs(connection, is_run, values, act)


async def remove(connection: AsyncConnection, machine_id: uuid.UUID, run_id: uuid.UUID) -> None:
    """Delete a run with everything derived from it. Its id may be used again."""
    await connection.execute(delete(Run).where(Run.machine_id == machine_id, Run.run_id == run_id))
    await connection.execute(delete(RunId).where(RunId.run_id == run_id))


async def digests(
    connection: AsyncConnection, run_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, bytes | None]:
    """Return the SHA-256 of the documents that are stored under these ids."""
    same_run = (Document.run_id == RunId.run_id) & (Document.machine_id == RunId.machine_id)
    query = select(RunId.run_id, Document.sha256).outerjoin(Document, same_run)
    rows = await connection.execute(query.where(RunId.run_id.in_(run_ids)))
    return {row.run_id: row.sha256 for row in rows}


def other_content() -> Problem:
    return Problem(
        409,
        "other_content",
        "Run id taken",
        "Another run is stored under this id. Runs are never overwritten: "
        "send this one with a new id.",
    )
