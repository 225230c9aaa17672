"""The current version of the data: read from PostgreSQL in a fraction of a millisecond.

Whatever was committed before somebody asks is in the version that they get. While versions
follow upon one another faster than anybody could look, `is_streaming` says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import Any

import psycopg

from macmeter.changelog import PASSED, PASSED_OF_LATE, VERSION
from macmeter.database import DriverConnection

# So many versions are looked at as they come: somebody who uploads and looks, and uploads again,
# never sees what was. After that, one a second.
BURST = 60
PER_SECOND = 1.0
# So many looks, one a second, at the same version: then nothing streams by any more.
STEADY = 2
# In so many seconds all are allowed again that were looked at.
_LATE_SECONDS = BURST / PER_SECOND
_ANSWER_SECONDS = 15.0


class Versions:
    """Versions of the database at `url`."""

    def __init__(self, url: str) -> None:
        self._connection = DriverConnection(url)
        self._asking: asyncio.Task[str] | None = None
        self._next: asyncio.Task[str] | None = None
        self._last = ""
        self._last_transaction = 0
        self._allowed = float(BURST)
        self._counted_at = time.monotonic()
        self._streaming = False
        self._same = 0
        self._glance: asyncio.Task[None] | None = None

    @property
    def is_streaming(self) -> bool:
        """Whether there were more versions of late than are looked at one by one.

        Until there is the same one a few times: whoever asks meanwhile has a look begun that
        nobody waits for, once a second.
        """
        if self._streaming and self._glance is None:
            self._glance = asyncio.create_task(self._look())
        return self._streaming

    async def newest(self) -> str:
        """The version with all that was committed by now.

        Those who ask while a query is under way share the next one: that one may have begun before
        what they know of was committed.
        """
        if self._next is None:
            self._next = asyncio.create_task(self._ask(self._asking))
        return await asyncio.shield(self._next)

    async def close(self) -> None:
        for task in (self._glance, self._asking, self._next):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task
        await self._connection.close()

    async def _ask(self, before: asyncio.Task[str] | None) -> str:
        if before is not None:
            await asyncio.wait([before])
        self._asking, self._next = self._next, None
        version = await self._fetch()
        is_new = version != self._last
        self._same = 0 if is_new else self._same + 1
        self._allow(await self._passed() if is_new else 0)
        self._last = version
        self._streaming = self._streaming or self._allowed < 1
        return version

    async def _look(self) -> None:
        """Once a second; it ends the streaming where nothing changes any more."""
        with contextlib.suppress(psycopg.Error):
            await self.newest()
            if self._same >= STEADY:
                self._streaming, self._allowed = False, float(BURST)
        await asyncio.sleep(1 / PER_SECOND)
        self._glance = None

    def _allow(self, passed: int) -> None:
        """Take those since the last look off the versions that may be looked at."""
        now = time.monotonic()
        more = (now - self._counted_at) * PER_SECOND
        left = self._allowed + more - passed
        self._allowed, self._counted_at = min(max(left, 0.0), BURST), now

    async def _fetch(self) -> str:
        version: str = (await self._row(VERSION))[0]
        return version

    async def _passed(self) -> int:
        """How many versions there were since the last look: whoever comes seldom sees a stream,
        too.
        """
        before = self._last_transaction
        if not before:
            # As if it had looked all the time.
            passed, last = await self._row(PASSED_OF_LATE, _LATE_SECONDS)
            self._last_transaction = last or 0
            return max(int(passed - _LATE_SECONDS * PER_SECOND), 1)
        passed, last = await self._row(PASSED, str(before))
        self._last_transaction = max(last or 0, before)
        # On a replica what isn't a change counts as one.
        return max(int(passed), 1)

    async def _row(self, query: str, *arguments: object) -> tuple[Any, ...]:
        known = not self._connection.closed
        try:
            return await self._row_once(query, *arguments)
        except psycopg.OperationalError:
            # PostgreSQL may have started again since.
            await self._connection.close()
            if not known:
                raise
            return await self._row_once(query, *arguments)

    async def _row_once(self, query: str, *arguments: object) -> tuple[Any, ...]:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                driver = await self._connection.open()
                cursor = await driver.execute(query, arguments, prepare=True)
                row = await cursor.fetchone()
        except TimeoutError:
            raise psycopg.OperationalError("the database does not answer") from None
        assert row is not None
        return tuple(row)
