"""Notifications of stored runs, from the process that stores them to open pages of all processes.

PostgreSQL commits one notifying transaction at a time and syncs to disk inside that lock: a NOTIFY
in an upload's transaction would serialise uploads. So it is sent after the commit, in its own
transaction, once for all runs of a short interval. If the process is killed in between, the run is
still stored; listeners also poll.
"""

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
# A lost notification loses no data.
_CHEAPLY = "-c synchronous_commit=off"


class Announcer:
    """Notifier of one process; `stored()` doesn't delay an upload."""

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


class Notifications:
    """Listener that wakes this process's waiters when any process has stored a run."""

    def __init__(self, engine: AsyncEngine) -> None:
        """Use `engine` for listening only: its connection is held while there are waiters."""
        self._engine = engine
        self._waiting: set[asyncio.Event] = set()
        self._task: asyncio.Task[None] | None = None
        self.closing = False

    @contextlib.asynccontextmanager
    async def waiter(self) -> AsyncIterator[asyncio.Event]:
        """Yield an event that is set when there may be new runs; the waiter clears it."""
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
        """End every wait."""
        self.closing = True
        self._wake()

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    async def _listen(self) -> None:
        while True:
            try:
                autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")
                async with autocommit.connect() as connection:
                    await connection.execute(text(f"LISTEN {CHANNEL}"))
                    # Runs may have arrived before listening began.
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
