"""Brings the stored published figures to what this version of the program knows.

They take the way of every upload (parse, derive, store), are public, and belong to the
server itself: nobody else writes runs of their machines. A document that a newer version
changed replaces the old one; one that it no longer has goes. Else nothing is written.
"""

from __future__ import annotations

import asyncio
import hashlib
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import orjson
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import database
from macmeter.access.binding import reserve
from macmeter.access.run_changes import RunAct, note_runs
from macmeter.access.visibility import PUBLIC
from macmeter.documents.derive import DerivedRun, derive
from macmeter.documents.parse import parse
from macmeter.ingest.numbers import SeriesNumbers
from macmeter.ingest.published.files import documents
from macmeter.ingest.store import Upload, document_row, remove, store
from macmeter.models import Document, Run

# Servers that start at the same moment on one database load one after the other.
_LOCK = text("SELECT pg_advisory_xact_lock(hashtext('macmeter.published'))")
_OWNER = {"visibility": PUBLIC}


@dataclass(frozen=True)
class Loaded:
    """How many published runs were new, replaced or removed by this load, and left alone."""

    new: int
    replaced: int
    removed: int
    unchanged: int


@dataclass(frozen=True)
class _Stored:
    machine_id: uuid.UUID
    sha256: bytes


@dataclass(frozen=True)
class _Known:
    """A document of this version, as the bytes that are stored."""

    run_id: uuid.UUID
    content: bytes

    @property
    def sha256(self) -> bytes:
        return hashlib.sha256(self.content).digest()

    def derived(self) -> DerivedRun:
        return derive(*parse(self.content, now=datetime.now(UTC)))


def load(url: str) -> Loaded:
    """`load_into` for a program that has no event loop yet."""
    return asyncio.run(_load(url))


async def _load(url: str) -> Loaded:
    engine = database.engine(url, pool_size=2)
    try:
        return await load_into(engine)
    finally:
        await engine.dispose()


async def load_into(engine: AsyncEngine) -> Loaded:
    """Store what is new or changed and remove what is gone, in one transaction."""
    known = [_Known(uuid.UUID(entry["id"]), orjson.dumps(entry)) for entry in documents()]
    async with engine.connect() as connection:
        if _is_current(known, await _stored(connection)):
            return Loaded(0, 0, 0, len(known))
    runs = {one.run_id: one.derived() for one in known}
    # Numbered beforehand, as every upload's series are: see ingest/store.py.
    numbering = SeriesNumbers()
    numbers = {run_id: await numbering.of(engine, run.results) for run_id, run in runs.items()}
    async with engine.begin() as connection:
        await connection.execute(_LOCK)
        stored = await _stored(connection)
        gone = stored.keys() - runs.keys()
        changed = {o.run_id for o in known if o.run_id in stored} - _same(known, stored)
        for run_id in sorted(gone | changed):
            await remove(connection, stored[run_id].machine_id, run_id)
        act = RunAct("run.delete", None, {"source": "published"})
        await note_runs(connection, act, {None: len(gone | changed)})
        await reserve(connection, {run.machine_id for run in runs.values()})
        new = [one for one in known if one.run_id in changed or one.run_id not in stored]
        uploads = [
            Upload(runs[one.run_id], numbers[one.run_id], await document_row(one.content), _OWNER)
            for one in new
        ]
        await store(connection, uploads)
    unchanged = len(known) - len(new)
    return Loaded(len(new) - len(changed), len(changed), len(gone), unchanged)


async def _stored(connection: AsyncConnection) -> dict[uuid.UUID, _Stored]:
    rows = await connection.execute(
        select(Run.run_id, Run.machine_id, Document.sha256)
        .join(
            Document,
            (Document.machine_id == Run.machine_id) & (Document.run_id == Run.run_id),
        )
        .where(Run.source == "published")
    )
    return {row.run_id: _Stored(row.machine_id, row.sha256) for row in rows}


def _same(known: list[_Known], stored: dict[uuid.UUID, _Stored]) -> set[uuid.UUID]:
    """The runs that are stored byte for byte as this version knows them."""
    return {
        one.run_id
        for one in known
        if one.run_id in stored and stored[one.run_id].sha256 == one.sha256
    }


def _is_current(known: list[_Known], stored: dict[uuid.UUID, _Stored]) -> bool:
    return len(stored) == len(known) == len(_same(known, stored))
