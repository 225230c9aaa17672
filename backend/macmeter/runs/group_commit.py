"""Group commit: uploads that wait at the same time share a statement and its commit.

A commit takes as long for sixteen runs as for one. A single upload is stored at once, and those
that arrive meanwhile are the next group. After a group of several, the next one waits a moment for
as many again.
"""

import asyncio
import contextlib
import uuid
from collections import deque
from dataclasses import dataclass

import psycopg
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.platform.database_errors import CANCELLED, concerns_all, sqlstate
from macmeter.platform.errors import server_full
from macmeter.platform.telemetry import counters
from macmeter.runs.store import Upload, store

MOST_TOGETHER = 16
MOST_BYTES_TOGETHER = 2 * 1024 * 1024
# Time that a group waits for more uploads. Clients that were answered together send their next ones
# one after another, and without it the first would always be a group of its own.
_MOMENT_SECONDS = 0.003
# Limit of waiting uploads, and of the time that one waits before it is refused.
MOST_WAITING = 256
TURN_SECONDS = 3.0
# Longer than the statement's own limit: after it, the server or the connection is gone.
_ANSWER_SECONDS = 70.0
_QUEUE = 'queue="uploads"'


@dataclass(eq=False)
class _Waiting:
    """A waiting upload. `stored` is its outcome, and `timer` refuses it."""

    upload: Upload
    stored: asyncio.Future[bool]
    timer: asyncio.TimerHandle | None = None


class GroupCommitter:
    """Stores uploads in groups, through an engine that commits each statement."""

    def __init__(self, engine: AsyncEngine, patience: float = 1) -> None:
        """Multiply the time that an upload waits for its turn by `patience`."""
        self._engine = engine
        self._patience = patience
        self._waiting: deque[_Waiting] = deque()
        self._task: asyncio.Task[None] | None = None
        self._expected = 1
        self._enough_waiting = asyncio.Event()

    async def store(self, upload: Upload) -> bool:
        """Return True once the run is committed and durable, False if `store.store` left it out."""
        if len(self._waiting) >= MOST_WAITING:
            raise _full()
        loop = asyncio.get_running_loop()
        entry = _Waiting(upload, loop.create_future())
        entry.timer = loop.call_later(TURN_SECONDS * self._patience, self._refuse, entry)
        self._waiting.append(entry)
        if len(self._waiting) >= self._expected:
            self._enough_waiting.set()
        counters.own().add("macmeter_queue_length", _QUEUE)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())
        return await entry.stored

    async def close(self) -> None:
        if self._task is not None:
            await self._task
        await self._engine.dispose()

    async def _work(self) -> None:
        while self._waiting:
            await self._gather()
            if group := self._take():
                await self._send(group)
            # All current clients: those that were just answered, and those that wait.
            self._expected = min(len(group) + len(self._waiting), MOST_TOGETHER)

    async def _gather(self) -> None:
        """Wait until as many uploads wait as are expected, but only for a moment."""
        if len(self._waiting) < self._expected:
            self._enough_waiting.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_MOMENT_SECONDS):
                    await self._enough_waiting.wait()

    def _take(self) -> list[_Waiting]:
        """Take the next group.

        An upload with the same id as another one waits for a later group.
        """
        taken: dict[uuid.UUID, _Waiting] = {}
        size = 0
        while self._waiting and len(taken) < MOST_TOGETHER:
            first = self._waiting[0]
            size += len(first.upload.document["compressed"])
            if first.upload.run.run_id in taken or (taken and size > MOST_BYTES_TOGETHER):
                break
            self._remove(first)
            if not first.stored.done():  # nobody has cancelled it
                taken[first.upload.run.run_id] = first
        return list(taken.values())

    def _remove(self, entry: _Waiting) -> None:
        self._waiting.remove(entry)
        counters.own().add("macmeter_queue_length", _QUEUE, -1)
        if entry.timer is not None:
            entry.timer.cancel()

    def _refuse(self, entry: _Waiting) -> None:
        self._remove(entry)
        if not entry.stored.done():
            entry.stored.set_exception(_full())

    async def _send(self, group: list[_Waiting]) -> None:
        """Store a group, or each upload by itself if one of them made the group fail."""
        try:
            stored = await self._store([entry.upload for entry in group])
        except Exception as error:
            if len(group) > 1 and not (concerns_all(error) or sqlstate(error) == CANCELLED):
                for entry in group:
                    await self._send([entry])
                return
            for entry in group:
                if not entry.stored.done():
                    entry.stored.set_exception(error)
        else:
            counters.own().observe("macmeter_commit_runs", len(stored))
            for entry in group:
                if not entry.stored.done():
                    entry.stored.set_result(entry.upload.run.run_id in stored)

    async def _store(self, uploads: list[Upload]) -> set[uuid.UUID]:
        try:
            async with asyncio.timeout(_ANSWER_SECONDS), self._engine.connect() as connection:
                return await store(connection, uploads)
        except TimeoutError:
            raise psycopg.OperationalError("the database does not answer") from None


def _full() -> Exception:
    return server_full("Too many uploads are waiting for the database.")
