"""Runs as they arrive: waiting for the word that there are new ones, and looking which.

Runs are listed in the order of (received_at, run_id). `received_at` is when a transaction
began, so one that began earlier may be committed later: every look goes back a little, and
whoever looks leaves out what it has seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, and_, exists, func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.access.visibility import visible
from macmeter.database_errors import EXPECTED, first_line
from macmeter.ingest.announce import CHANNEL
from macmeter.models import Result, Run, Series
from macmeter.queries.question import Filters
from macmeter.reading.filters import matches, undoubted

log = logging.getLogger("macmeter")

# Longer than a transaction that stores a run takes.
OVERLAP = timedelta(seconds=10)
_RECONNECT_SECONDS = 1.0
_LISTEN_SECONDS = 30.0


class Arrivals:
    """Wakes whoever waits in this process when any process has stored a run."""

    def __init__(self, engine: AsyncEngine) -> None:
        """`engine` is for listening alone: its connection is held as long as anybody waits."""
        self._engine = engine
        self._waiting: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self.closing = False
        # Called once, in the event loop, when somebody begins to wait.
        self.before_first: Callable[[], None] = lambda: None

    @contextlib.asynccontextmanager
    async def waiter(self) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever there may be new runs; whoever waits clears it."""
        event = asyncio.Event()
        self._waiting.add(event)
        self.before_first()
        self.before_first = lambda: None
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._listen())
        try:
            yield event
        finally:
            self._waiting.discard(event)
            if not self._waiting and self._task is not None:
                self._task.cancel()

    async def close(self) -> None:
        self.end()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        await self._engine.dispose()

    def end(self) -> None:
        """Ends every wait."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    async def _listen(self) -> None:
        while True:
            try:
                alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
                async with alone.connect() as connection:
                    await connection.execute(text(f"LISTEN {CHANNEL}"))
                    # Something may have come while nobody listened.
                    self._wake()
                    driver: Any = (await connection.get_raw_connection()).driver_connection
                    while not driver.closed:
                        async for _ in driver.notifies(timeout=_LISTEN_SECONDS, stop_after=1):
                            self._wake()
            except (*EXPECTED, OSError) as error:
                log.warning("listening for new runs: %s", first_line(error))
            except Exception:
                log.exception("listening for new runs")
            await asyncio.sleep(_RECONNECT_SECONDS)


async def arrived(
    connection: AsyncConnection,
    asked: Iterable[Filters],
    reader: Bearer | None,
    since: datetime,
    limit: int,
) -> list[Row[Any]]:
    """The runs that arrived from `since` on and match one of those, oldest first."""
    matching = or_(*(_matches(one) for one in asked))
    query = (
        select(Run)
        .where(visible(reader), matching, Run.received_at >= since)
        .order_by(Run.received_at, Run.run_id)
        .limit(limit)
    )
    return list(await connection.execute(query))


async def now_of(connection: AsyncConnection) -> datetime:
    """The clock by which runs are received."""
    now: datetime = (await connection.execute(select(func.now()))).scalar_one()
    return now


def _matches(asked: Filters) -> Any:
    of_runs = [term for term in asked.where if not catalog.is_of_sample(term.dimension)]
    if not asked.metrics:
        return matches(of_runs)
    of_samples = [term for term in asked.where if catalog.is_of_sample(term.dimension)]
    result = exists().where(
        and_(
            Result.machine_id == Run.machine_id,
            Result.run_id == Run.run_id,
            Result.series_id == Series.series_id,
            Series.metric.in_(asked.metrics),
            matches(of_samples, Series.parameters),
            undoubted(asked.flagged),
        )
    )
    return and_(matches(of_runs), result)
