"""Uploads that wait at the same moment share a statement and its commit.

A commit takes as long for sixteen runs as for one. Whoever comes alone goes at once. Those who come
meanwhile go together, next; and where several came, they wait a moment for as many to come again.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections import deque
from typing import Any

import psycopg

from macmeter.database import DriverConnection
from macmeter.database_errors import GONE, NOBODYS_FAULT, sqlstate
from macmeter.errors import Problem, server_full
from macmeter.ingest import statement
from macmeter.ingest.statement import Upload
from macmeter.observing import tally

MOST_TOGETHER = 16
MOST_BYTES_TOGETHER = 2 * 1024 * 1024
# So long several wait for the others: clients that were answered together send their next ones by
# and by, and the first of them would always go alone.
_MOMENT_SECONDS = 0.003
# Uploads that wait to be taken into a statement; and how long one waits before it is sent away.
MOST_WAITING = 256
TURN_SECONDS = 3.0
# Beyond the statement's own limit the server, or the way there, has gone.
_ANSWER_SECONDS = 70.0
_QUEUE = 'queue="uploads"'


class _Waiting:
    """An upload on its way, and its outcome: whether it was stored."""

    def __init__(self, upload: Upload, until: float) -> None:
        """`until`: when it is sent away, by the event loop's clock."""
        self.upload, self.until = upload, until
        self.stored: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

    def ends(self, stored: bool) -> None:
        if not self.stored.done():
            self.stored.set_result(stored)

    def fails(self, error: BaseException) -> None:
        if not self.stored.done():
            self.stored.set_exception(error)


class Commits:
    """Stores uploads through connections of its own, a group at a time on each."""

    def __init__(self, url: str, connections: int = 1, patience: float = 1) -> None:
        """`patience`: how many times as long as usual an upload waits for its turn."""
        self._patience = patience
        self._timer: asyncio.TimerHandle | None = None
        self._idle = [_Connection(url) for _ in range(connections)]
        self._connections = list(self._idle)
        self._waiting: deque[_Waiting] = deque()
        self._working: set[asyncio.Task[None]] = set()
        self._expected = 1
        self._enough = asyncio.Event()

    async def store(self, upload: Upload) -> bool:
        """True once the run is committed and durable; False where it was not for this way."""
        if len(self._waiting) >= MOST_WAITING:
            raise _full()
        until = asyncio.get_running_loop().time() + TURN_SECONDS * self._patience
        waiting = _Waiting(upload, until)
        self._waiting.append(waiting)
        if self._timer is None:
            self._send_away()
        if len(self._waiting) >= self._expected:
            self._enough.set()
        tally.own().add("macmeter_queue_length", _QUEUE)
        if self._idle:
            task = asyncio.create_task(self._work(self._idle.pop()))
            self._working.add(task)
            task.add_done_callback(self._working.discard)
        return await waiting.stored

    async def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        await asyncio.gather(*self._working)
        await asyncio.gather(*(connection.close() for connection in self._connections))

    async def _work(self, connection: _Connection) -> None:
        try:
            while self._waiting:
                await self._gather()
                if group := self._take():
                    await _send(connection, group)
                # As many as there are senders now: those that were answered, and those that wait.
                self._expected = min(len(group) + len(self._waiting), MOST_TOGETHER)
        finally:
            self._idle.append(connection)

    async def _gather(self) -> None:
        """Until as many wait as are expected, or for a moment."""
        if len(self._waiting) < self._expected:
            self._enough.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_MOMENT_SECONDS):
                    await self._enough.wait()

    def _take(self) -> list[_Waiting]:
        """The next group, in the order of ids: two groups then can't wait for each other."""
        taken: dict[uuid.UUID, _Waiting] = {}
        size = 0
        while self._waiting and len(taken) < MOST_TOGETHER:
            waiting = self._waiting[0]
            run_id, more = waiting.upload.run.run_id, len(waiting.upload.compressed)
            if run_id in taken or (taken and size + more > MOST_BYTES_TOGETHER):
                break
            self._next()
            if not waiting.stored.done():  # nobody has given up
                taken[run_id] = waiting
                size += more
        return [taken[run_id] for run_id in sorted(taken)]

    def _next(self) -> _Waiting:
        tally.own().add("macmeter_queue_length", _QUEUE, -1)
        return self._waiting.popleft()

    def _send_away(self) -> None:
        """Whoever has waited for too long, and so again as long as others wait: one timer for all,
        which wait for the same time and in this order.
        """
        loop = asyncio.get_running_loop()
        while self._waiting and self._waiting[0].until <= loop.time():
            self._next().fails(_full())
        first = self._waiting[0].until if self._waiting else None
        self._timer = loop.call_at(first, self._send_away) if first is not None else None


async def _send(connection: _Connection, group: list[_Waiting]) -> None:
    """Store a group; where that fails for one of its runs, each by itself."""
    try:
        stored = await connection.store([waiting.upload for waiting in group])
    except Exception as error:
        if sqlstate(error) == GONE and len(group) == 1:
            # Its fleet was deleted: the other way can say so.
            group[0].ends(False)
            return
        alone = len(group) == 1 or connection.closed
        if alone or sqlstate(error)[:2] in NOBODYS_FAULT:
            for waiting in group:
                waiting.fails(error)
        else:
            for waiting in group:
                await _send(connection, [waiting])
    except BaseException:
        for waiting in group:
            waiting.fails(_cut_short())
        raise
    else:
        tally.own().observe("macmeter_commit_runs", len(stored))
        for waiting in group:
            waiting.ends(waiting.upload.run.run_id in stored)


def _full() -> Problem:
    return server_full("Too many uploads are waiting for the database.")


def _cut_short() -> psycopg.Error:
    return psycopg.OperationalError("the server is stopping")


class _Connection(DriverConnection):
    """To PostgreSQL, for groups of uploads."""

    def __init__(self, url: str) -> None:
        super().__init__(url, statement.OPTIONS)

    async def store(self, group: list[Upload]) -> set[uuid.UUID]:
        """The ids of those that were stored, committed by then."""
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                driver = await self.open()
                return await statement.execute(driver, group)
        except TimeoutError:
            await self.close()
            raise psycopg.OperationalError("the database does not answer") from None

    async def open(self) -> psycopg.AsyncConnection[Any]:
        is_new = self.closed
        driver = await super().open()
        if is_new:
            try:
                await statement.prepare(driver)
            except BaseException:
                await self.close()
                raise
        return driver
