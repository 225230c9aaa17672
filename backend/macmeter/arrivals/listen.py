"""Runs as they arrive: waiting for the word that there are new ones."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from typing import Any

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.arrivals.announce import CHANNEL
from macmeter.database_errors import EXPECTED, first_line

log = logging.getLogger("macmeter")

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
