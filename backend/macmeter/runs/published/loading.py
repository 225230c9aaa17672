"""Loading of the published figures that come with this version of the program.

They go through the steps of every upload (parse, derive, store), are public, and belong to the
server itself: nobody else writes runs of their machines. A document that a newer version changed
replaces the old one; one that it no longer has is removed. Otherwise nothing is written.
"""

import asyncio
import hashlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import orjson
from sqlalchemy import Row, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import Json
from macmeter.accounts.audit import RunAct, note_runs
from macmeter.accounts.binding import reserve
from macmeter.accounts.visibility import PUBLIC
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.models import Document, Run
from macmeter.platform import database
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, document_row, remove, store

# Servers that start at the same time on one database load one after the other.
_LOCK = text("SELECT pg_advisory_xact_lock(hashtext('macmeter.published'))")
_RUN_COLUMNS = {"visibility": PUBLIC}


@dataclass(frozen=True)
class Loaded:
    """Number of published runs that a load added, replaced, removed and left alone."""

    new: int
    replaced: int
    removed: int
    unchanged: int


def load(url: str) -> Loaded:
    """Call `load_into` from a program without an event loop."""
    return asyncio.run(_load(url))


async def _load(url: str) -> Loaded:
    engine = database.engine(url, pool_size=2)
    try:
        return await load_into(engine)
    finally:
        await engine.dispose()


async def load_into(engine: AsyncEngine) -> Loaded:
    """Store what is new or changed and remove what is gone, in one transaction."""
    contents = {uuid.UUID(entry["id"]): orjson.dumps(entry) for entry in documents()}
    digests = {run_id: hashlib.sha256(content).digest() for run_id, content in contents.items()}
    async with engine.connect() as connection:
        if {run_id: row.sha256 for run_id, row in (await _stored(connection)).items()} == digests:
            return Loaded(0, 0, 0, len(contents))
    now = datetime.now(UTC)
    runs = {run_id: derive(*parse(content, now=now)) for run_id, content in contents.items()}
    # Before the transaction, as for every upload: see runs/series_numbers.py.
    series_numbers = SeriesNumbers()
    series = {run_id: await series_numbers.of(engine, run.results) for run_id, run in runs.items()}
    async with engine.begin() as connection:
        await connection.execute(_LOCK)
        stored = await _stored(connection)
        gone = stored.keys() - contents.keys()
        common = stored.keys() & contents.keys()
        changed = {run_id for run_id in common if stored[run_id].sha256 != digests[run_id]}
        for run_id in sorted(gone | changed):
            await remove(connection, stored[run_id].machine_id, run_id)
        deletion = RunAct("run.delete", None, {"source": "published"})
        await note_runs(connection, deletion, {None: len(gone | changed)})
        await reserve(connection, {run.machine_id for run in runs.values()})
        new = contents.keys() - (common - changed)
        uploads = [
            Upload(runs[run_id], series[run_id], await document_row(contents[run_id]), _RUN_COLUMNS)
            for run_id in new
        ]
        await store(connection, uploads)
    return Loaded(len(new) - len(changed), len(changed), len(gone), len(contents) - len(new))


async def _stored(connection: AsyncConnection) -> dict[uuid.UUID, Row[uuid.UUID, uuid.UUID, bytes]]:
    same_run = (Document.machine_id == Run.machine_id) & (Document.run_id == Run.run_id)
    query = select(Run.run_id, Run.machine_id, Document.sha256).join(Document, same_run)
    rows = await connection.execute(query.where(Run.source == "published"))
    return {row.run_id: row for row in rows}


FOLDER = Path(__file__).parent


def documents() -> Iterator[Json]:
    """Run documents, one for each figure that is a result, a ratio or a range."""
    return map(orjson.loads, (FOLDER / "documents.ndjson").read_bytes().splitlines())


@cache
def sources() -> Json:
    """Every article with all its figures, and how figures can be used: `Sources` of the API."""
    content: Json = orjson.loads((FOLDER / "sources.json").read_bytes())
    return content
