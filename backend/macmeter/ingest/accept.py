"""The way of one document from a sender to the database: parse, derive, bind, store."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.access.binding import bind
from macmeter.access.tokens import Bearer
from macmeter.errors import invalid
from macmeter.ingest.announce import Announcer
from macmeter.ingest.derive import DerivedRun, derive
from macmeter.ingest.parse import parse
from macmeter.ingest.store import SeriesNumbers, Stored, Writer, store

# Documents beyond this would hold up every other request while they are checked.
_INLINE_BYTES = 64 * 1024


@dataclass(frozen=True)
class Accepted:
    """A stored run's id, and whether it was new."""

    run_id: str
    stored: Stored


class Acceptor:
    """Takes documents in for one server process."""

    def __init__(self, engine: AsyncEngine, *, simulated: bool = False) -> None:
        """`simulated`: take documents of simulated Macs too, for contributors' own servers."""
        self._engine = engine
        self._announcer = Announcer(engine)
        self._numbers = SeriesNumbers()
        self._simulated = simulated

    async def accept(self, content: bytes, bearer: Bearer, run_id: str | None = None) -> Accepted:
        """Store a document; when it returns, the run is committed and durable."""
        if len(content) > _INLINE_BYTES:
            run = await asyncio.to_thread(self._derive, content, run_id)
        else:
            run = self._derive(content, run_id)
        numbers = await self._numbers.of(self._engine, run.results)
        writer = Writer(bearer.visibility, bearer.fleet_id, bearer.token_id)
        async with self._engine.begin() as connection:
            await bind(connection, run.machine_id, bearer)
            stored = await store(connection, content, run, numbers, writer)
        if stored is Stored.NEW:
            self._announcer.stored()
        return Accepted(str(run.run_id), stored)

    async def close(self) -> None:
        await self._announcer.close()

    def _derive(self, content: bytes, run_id: str | None) -> DerivedRun:
        document = parse(content, now=datetime.now(UTC))
        if run_id is not None and document.id.lower() != run_id.lower():
            raise invalid("/id", f"The address says {run_id}.", "id_mismatch")
        if document.source == "published":
            detail = "Published figures come with the server; an agent measures or imports."
            raise invalid("/source", detail, "not_yours")
        if document.simulated and not self._simulated:
            detail = "This server takes no simulated runs; with ACCEPT_SIMULATED=1 it does."
            raise invalid("/simulated", detail, "simulated")
        return derive(document)
