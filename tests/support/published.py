"""Published figures as the server stores them, and the collection that they were taken from."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from macmeter.accounts.binding import reserve
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.platform import database
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, document_row, store

from support.documents import Document
from support.server import Server

SOURCE = Path(__file__).resolve().parents[3] / "shared" / "published" / "published.json"


def measurements() -> list[dict[str, Any]]:
    """Figures of the collection without unstated keys; skips the test if it is missing."""
    if not SOURCE.exists():
        pytest.skip(f"0 figures compared: no {SOURCE.name} beside the checkout")
    entries = json.loads(SOURCE.read_text(encoding="utf-8"))["measurements"]
    return [{k: v for k, v in entry.items() if v is not None} for entry in entries]


async def store_published(server: Server, *documents: Document) -> None:
    """Store documents like the published figures that come with the server."""
    engine = database.engine(server.database_url)
    for document in documents:
        content = json.dumps(document).encode()
        run = derive(*parse(content, now=datetime.now(UTC)))
        numbers = await SeriesNumbers().of(engine, run.results)
        async with engine.begin() as connection:
            await reserve(connection, {run.machine_id})
            owner = {"visibility": "public"}
            await store(connection, [Upload(run, numbers, await document_row(content), owner)])
    await engine.dispose()
