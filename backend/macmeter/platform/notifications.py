"""The word that runs were stored, from whoever stores them to the open pages of all processes.

PostgreSQL lets one notifying transaction commit at a time, syncing to disk inside that lock: in the
transaction of an upload a NOTIFY would make eight uploads wait for each other. So it is sent
after the commit, by itself, and once for all runs of a moment. A run whose process is killed
between the two is no less stored; listeners also look now and then without a notification.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.platform.database import DriverConnection
from macmeter.platform.database_errors import EXPECTED, first_line

log = logging.getLogger("macmeter")

CHANNEL = "macmeter_runs"
_PAUSE_SECONDS = 0.1
_RECONNECT_SECONDS = 1.0
_LISTEN_SECONDS = 30.0
# Nothing is lost with a notification that is.
_CHEAPLY = "-c synchronous_commit=off"


class Announcer:
    """Announces for one process; `stored()` costs an upload nothing."""

    def __init__(self, url: str) -> None:
        self._connection = DriverConnection(url, _CHEAPLY)
        self._untold = False
        self._task: asyncio.Task[None] | None = None

    def stored(self) -> None:
        self._untold = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._tell())

    async def close(self) -> None:
        if self._task is not None:
            await self._task
        await self._connection.close()

    async def _tell(self) -> None:
        while self._untold:
            await asyncio.sleep(_PAUSE_SECONDS)
            self._untold = False
            try:
                driver = await self._connection.open()
                await driver.execute(f"NOTIFY {CHANNEL}")
            except EXPECTED as error:
                log.warning("new runs could not be announced: %s", first_line(error))


class Arrivals:
    """Wakes whoever waits in this process when any process has stored a run."""

    def __init__(self, engine: AsyncEngine) -> None:
        """`engine` is for listening alone: its connection is held as long as anybody waits."""
        self._engine = engine
        self._waiting: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self.closing = False

    @contextlib.asynccontextmanager
    async def waiter(self) -> AsyncIterator[asyncio.Event]:
        """An event that is set whenever there may be new runs; whoever waits clears it."""
        event = asyncio.Event()
        self._waiting.add(event)
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
