"""Runs as an older server stored them, under rules that have become stricter since."""

from __future__ import annotations

from macmeter.accounts.binding import reserve
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse_stored
from macmeter.platform import database
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, document_row, store

from support.server import Server


async def store_as_before(server: Server, *contents: bytes) -> None:
    """Store documents as public runs of no fleet, without today's upload checks."""
    engine = database.engine(server.database_url)
    for content in contents:
        run = derive(*parse_stored(content))
        numbers = await SeriesNumbers().of(engine, run.results)
        async with engine.begin() as connection:
            await reserve(connection, {run.machine_id})
            owner = {"visibility": "public"}
            await store(connection, [Upload(run, numbers, await document_row(content), owner)])
    await engine.dispose()
