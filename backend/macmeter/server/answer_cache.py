"""Cache of answers by data version, bounded in bytes; concurrent requests share one computation.

Reading the version from PostgreSQL takes a fraction of a millisecond. An answer includes everything
that was committed before its request. While versions change too fast to check each one,
`is_streaming` is true.
"""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import psycopg

from macmeter.platform.changelog import PASSED, PASSED_OF_LATE, VERSION
from macmeter.platform.database import DriverConnection

# This many versions are checked one by one, so that somebody who alternates between uploading and
# looking never sees stale data. After that, one a second.
BURST = 60
PER_SECOND = 1.0
# Streaming ends after this many checks, a second apart, that find the same version.
STEADY = 2
# Time in which the full burst allowance is restored.
_LATE_SECONDS = BURST / PER_SECOND
_ANSWER_SECONDS = 15.0

ROOM = 8 * 2**20
"""Bytes for a server, shared out among its workers: about eight hundred packed answers."""
# Maximum age in seconds, for what no version covers, such as the date on a picture.
_LONGEST = 60.0
# While versions stream, an answer older than this is recomputed in the background; one older than
# twice this is recomputed before it is returned.
_STREAMING = 1.0
# Overhead of an answer, including its headers; memory of a key per character of its text.
_BESIDES = 1024
_KEY_FACTOR = 4

T = TypeVar("T")


class Versions:
    """Reader of the data version of the database at `url`."""

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
        """Whether versions recently changed faster than they are checked one by one.

        Ends when several checks find the same version. Reading this property starts a background
        check, at most once a second.
        """
        if self._streaming and self._glance is None:
            self._glance = asyncio.create_task(self._look())
        return self._streaming

    async def newest(self) -> str:
        """Return a version that includes everything committed by now.

        Callers that arrive during a query share the next one: the running query may have begun
        before the commits they know of.
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

    async def _ask(self, previous: asyncio.Task[str] | None) -> str:
        if previous is not None:
            await asyncio.wait([previous])
        self._asking, self._next = self._next, None
        version = await self._fetch()
        is_new = version != self._last
        self._same = 0 if is_new else self._same + 1
        self._allow(await self._passed() if is_new else 0)
        self._last = version
        self._streaming = self._streaming or self._allowed < 1
        return version

    async def _look(self) -> None:
        """Check the version, then wait a second; end the streaming when it stays the same."""
        with contextlib.suppress(psycopg.Error):
            await self.newest()
            if self._same >= STEADY:
                self._streaming, self._allowed = False, float(BURST)
        await asyncio.sleep(1 / PER_SECOND)
        self._glance = None

    def _allow(self, passed: int) -> None:
        """Deduct the versions since the last check from the allowance."""
        now = time.monotonic()
        earned = (now - self._counted_at) * PER_SECOND
        left = self._allowed + earned - passed
        self._allowed, self._counted_at = min(max(left, 0.0), BURST), now

    async def _fetch(self) -> str:
        version: str = (await self._row(VERSION))[0]
        return version

    async def _passed(self) -> int:
        """Count the versions since the last check, so that rare callers see a stream too."""
        previous = self._last_transaction
        if not previous:
            # On the first check, assume regular checks until now.
            passed, last = await self._row(PASSED_OF_LATE, _LATE_SECONDS)
            self._last_transaction = last or 0
            return max(int(passed - _LATE_SECONDS * PER_SECOND), 1)
        passed, last = await self._row(PASSED, str(previous))
        self._last_transaction = max(last or 0, previous)
        # On a replica, versions that change no run count as one.
        return max(int(passed), 1)

    async def _row(self, query: str, *arguments: object) -> tuple[Any, ...]:
        was_open = not self._connection.closed
        try:
            return await self._row_once(query, *arguments)
        except psycopg.OperationalError:
            # PostgreSQL may have restarted since.
            await self._connection.close()
            if not was_open:
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


@dataclass(frozen=True)
class CacheEntry(Generic[T]):
    """Cached answer, the data version it was computed from, and when its computation began."""

    value: T
    version: str
    began: float
    first: float
    """Start of the first of a series of equal answers, whose bytes these are."""
    bytes: int
    """Size including its key: a question may be longer than its answer."""

    @property
    def age(self) -> float:
        """Age in seconds."""
        return time.monotonic() - self.began


Work = Callable[[], Awaitable[tuple[T, str]]]
"""Function that computes an answer and returns it with its data version."""


@dataclass
class _UnderWay(Generic[T]):
    task: asyncio.Task[CacheEntry[T]]
    waiting: int = 0


class Answers(Generic[T]):
    """Cache of one server process.

    An answer that is recomputed and equal keeps its first bytes, including `as_of`: otherwise a
    reader could tell that something changed that they may not see.
    """

    def __init__(
        self,
        versions: Versions,
        size: Callable[[T], int],
        room: int,
        identity: Callable[[T], Hashable],
    ) -> None:
        """Bound the cache to `room` bytes by `size`, evicting the least recently used.

        Answers of equal `identity` have the same content.
        """
        self._versions = versions
        self._size = size
        self._identity = identity
        self.room = self._room = room
        self._entries: OrderedDict[Hashable, CacheEntry[T]] = OrderedDict()
        self._under_way: dict[Hashable, _UnderWay[T]] = {}
        self._ahead: dict[Hashable, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        """Cancel background computations."""
        ahead = [*self._ahead.values()]
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)

    @property
    def bytes(self) -> int:
        """Size of the cache in bytes."""
        return sum(entry.bytes for entry in self._entries.values())

    async def of(self, key: Hashable, work: Work[T]) -> T:
        """Return the answer for `key`, up to date unless versions are streaming."""
        if self._versions.is_streaming:
            entry = self._entries.get(key)
            if entry is None or entry.age >= 2 * _STREAMING:
                return (await self._worked_out(key, work)).value
            if entry.age >= _STREAMING:
                self._work_ahead(key, work)
            return self._used(key, entry)
        started = time.monotonic()
        version = await self._versions.newest()
        entry = self._entries.get(key)
        if entry is None or entry.version != version or started - entry.first > _LONGEST:
            entry = await self._worked_out(key, work)
            if entry.began < started and entry.version != version:
                # It joined an older computation, of an older version; a new one is current.
                entry = await self._worked_out(key, work)
        return self._used(key, entry)

    def _used(self, key: Hashable, entry: CacheEntry[T]) -> T:
        if key in self._entries:
            self._entries.move_to_end(key)
        return entry.value

    def _work_ahead(self, key: Hashable, work: Work[T]) -> None:
        """Recompute for later requests; if it fails, the next request gets the error."""
        if key not in self._ahead and key not in self._under_way:
            task = self._ahead[key] = asyncio.create_task(self._worked_out_ahead(key, work))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _worked_out_ahead(self, key: Hashable, work: Work[T]) -> None:
        """Recompute one key at a time, so that a request waits for one of these at most."""
        try:
            async with self._turn:
                entry = self._entries.get(key)
                # An older answer is computed by the next request itself.
                if entry is not None and _STREAMING <= entry.age < 2 * _STREAMING:
                    await self._worked_out(key, work)
        finally:
            del self._ahead[key]

    async def _worked_out(self, key: Hashable, work: Work[T]) -> CacheEntry[T]:
        """Share one computation among all callers; cancel it when the last one has left."""
        under_way = self._under_way.get(key)
        if under_way is None:
            task = asyncio.create_task(self._work(key, work))
            under_way = self._under_way[key] = _UnderWay(task)
        under_way.waiting += 1
        try:
            return await asyncio.shield(under_way.task)
        finally:
            under_way.waiting -= 1
            if not under_way.waiting:
                self._ends(key)
                under_way.task.cancel()

    async def _work(self, key: Hashable, work: Work[T]) -> CacheEntry[T]:
        began = time.monotonic()
        try:
            value, version = await work()
        finally:
            self._ends(key)
        first, previous = began, self._entries.get(key)
        if (
            previous is not None
            and began - previous.first <= _LONGEST
            and self._identity(value) == self._identity(previous.value)
        ):
            value, first = previous.value, previous.first
        size = self._size(value) + _KEY_FACTOR * len(repr(key)) + _BESIDES
        entry = CacheEntry(value, version, began, first, size)
        self._keep(key, entry)
        return entry

    def _ends(self, key: Hashable) -> None:
        """Forget the running computation, so that the next request starts a new one."""
        under_way = self._under_way.get(key)
        if under_way is not None and (not under_way.waiting or _is_current(under_way.task)):
            del self._under_way[key]

    def _keep(self, key: Hashable, entry: CacheEntry[T]) -> None:
        gone = self._entries.pop(key, None)
        self._room += gone.bytes if gone is not None else 0
        if entry.bytes > self.room:
            return  # it would evict everything, and then itself
        self._entries[key] = entry
        self._room -= entry.bytes
        while self._room < 0:
            _, oldest = self._entries.popitem(last=False)
            self._room += oldest.bytes


def _is_current(task: asyncio.Task[Any]) -> bool:
    return task is asyncio.current_task()
