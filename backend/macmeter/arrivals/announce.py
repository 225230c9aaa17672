"""Tells every process of this server that runs were stored, so that open pages can show them.

PostgreSQL lets one notifying transaction commit at a time, syncing to disk inside that lock: in the
transaction of an upload a NOTIFY would make eight uploads wait for each other. So it is sent
after the commit, by itself, and once for all runs of a moment. A run whose process is killed
between the two is no less stored; listeners also look now and then without a notification.
"""

from __future__ import annotations

import asyncio
import logging

from macmeter.database import DriverConnection
from macmeter.database_errors import EXPECTED, first_line

log = logging.getLogger("macmeter")

CHANNEL = "macmeter_runs"
_PAUSE_SECONDS = 0.1
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
