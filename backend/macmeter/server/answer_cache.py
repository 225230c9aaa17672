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
STEADY_CHECKS = 2
# Seconds in which the full burst allowance is restored.
_BURST_SECONDS = BURST / PER_SECOND
# Longest wait for PostgreSQL to say the version.
_VERSION_SECONDS = 15.0

MAX_BYTES = 8 * 2**20
"""Size of a server's caches, divided among its workers: about eight hundred packed answers."""
# Maximum age in seconds, for what no version covers, such as the date on a picture.
_MAX_AGE = 60.0
# While versions stream, an answer older than this is recomputed in the background; one older than
# twice this is recomputed before it is returned.
_STREAMING_AGE = 1.0
# Memory of an answer besides its body, in bytes; memory of a key per character of its text.
_ENTRY_OVERHEAD = 1024
_KEY_FACTOR = 4

T = TypeVar("T")


class Versions:
    """Reader of the data version of the database at `url`."""

    def __init__(self, url: str) -> None:
        self._connection = DriverConnection(url)
        self._running_check: asyncio.Task[str] | None = None
        self._next_check: asyncio.Task[str] | None = None
        self._last_version = ""
        self._last_transaction = 0
        self._allowance = float(BURST)
        self._counted_at = time.monotonic()
        self._streaming = False
        self._same_count = 0
        self._streaming_check: asyncio.Task[None] | None = None

    @property
    def is_streaming(self) -> bool:
        """Whether versions recently changed faster than they are checked one by one.

        Ends when several checks find the same version. Reading this property starts a background
        check, at most once a second.
        """
        if self._streaming and self._streaming_check is None:
            self._streaming_check = asyncio.create_task(self._check_streaming())
        return self._streaming

    async def newest(self) -> str:
        """Return a version that includes everything committed by now.

        Callers that arrive during a query share the next one: the running query may have begun
        before the commits they know of.
        """
        if self._next_check is None:
            self._next_check = asyncio.create_task(self._check_version(self._running_check))
        return await asyncio.shield(self._next_check)

    async def close(self) -> None:
        for task in (self._streaming_check, self._running_check, self._next_check):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task
        await self._connection.close()

    async def _check_version(self, previous: asyncio.Task[str] | None) -> str:
        if previous is not None:
            await asyncio.wait([previous])
        self._running_check, self._next_check = self._next_check, None
        version = await self._fetch()
        is_new = version != self._last_version
        self._same_count = 0 if is_new else self._same_count + 1
        self._deduct(await self._count_passed() if is_new else 0)
        self._last_version = version
        self._streaming = self._streaming or self._allowance < 1
        return version

    async def _check_streaming(self) -> None:
        """Check the version, then wait a second; end the streaming when it stays the same."""
        with contextlib.suppress(psycopg.Error):
            await self.newest()
            if self._same_count >= STEADY_CHECKS:
                self._streaming, self._allowance = False, float(BURST)
        await asyncio.sleep(1 / PER_SECOND)
        self._streaming_check = None

    def _deduct(self, passed: int) -> None:
        """Deduct the versions since the last check from the allowance."""
        now = time.monotonic()
        earned = (now - self._counted_at) * PER_SECOND
        left = self._allowance + earned - passed
        self._allowance, self._counted_at = min(max(left, 0.0), BURST), now

    async def _fetch(self) -> str:
        version: str = (await self._row(VERSION))[0]
        return version

    async def _count_passed(self) -> int:
        """Count the versions since the last check, so that rare callers see a stream too."""
        previous = self._last_transaction
        if not previous:
            # On the first check, assume regular checks until now.
            passed, last = await self._row(PASSED_OF_LATE, _BURST_SECONDS)
            self._last_transaction = last or 0
            return max(int(passed - _BURST_SECONDS * PER_SECOND), 1)
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
            async with asyncio.timeout(_VERSION_SECONDS):
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
    first_began: float
    """Start of the first of a series of equal answers, whose bytes these are."""
    bytes: int
    """Size including its key: a question may be longer than its answer."""

    @property
    def age(self) -> float:
        """Age in seconds."""
        return time.monotonic() - self.began


Compute = Callable[[], Awaitable[tuple[T, str]]]
"""Function that computes an answer and returns it with its data version."""


@dataclass
class _Computation(Generic[T]):
    """Running computation of an answer, and the number of callers that wait for it."""

    task: asyncio.Task[CacheEntry[T]]
    waiting: int = 0


class AnswerCache(Generic[T]):
    """Cache of the answers of one server process.

    An answer that is recomputed and equal keeps its first bytes, including `as_of`: otherwise a
    reader could tell that something changed that they may not see.
    """

    def __init__(
        self,
        versions: Versions,
        size: Callable[[T], int],
        max_bytes: int,
        identity: Callable[[T], Hashable],
    ) -> None:
        """Limit the sum of the answers' `size` to `max_bytes`, evicting the least recently used.

        Answers of equal `identity` have the same content.
        """
        self._versions = versions
        self._size = size
        self._identity = identity
        self.max_bytes = self._free_bytes = max_bytes
        self._entries: OrderedDict[Hashable, CacheEntry[T]] = OrderedDict()
        self._computations: dict[Hashable, _Computation[T]] = {}
        self._recomputations: dict[Hashable, asyncio.Task[None]] = {}
        self._recompute_lock = asyncio.Lock()

    async def close(self) -> None:
        """Cancel background computations."""
        recomputations = [*self._recomputations.values()]
        for task in recomputations:
            task.cancel()
        await asyncio.gather(*recomputations, return_exceptions=True)

    @property
    def bytes(self) -> int:
        """Size of the cache in bytes."""
        return sum(entry.bytes for entry in self._entries.values())

    async def get(self, key: Hashable, compute: Compute[T]) -> T:
        """Return the answer for `key`, up to date unless versions are streaming."""
        if self._versions.is_streaming:
            entry = self._entries.get(key)
            if entry is None or entry.age >= 2 * _STREAMING_AGE:
                return (await self._compute_shared(key, compute)).value
            if entry.age >= _STREAMING_AGE:
                self._recompute_ahead(key, compute)
            return self._value(key, entry)
        started = time.monotonic()
        version = await self._versions.newest()
        entry = self._entries.get(key)
        if entry is None or entry.version != version or started - entry.first_began > _MAX_AGE:
            entry = await self._compute_shared(key, compute)
            if entry.began < started and entry.version != version:
                # It joined an older computation, of an older version; a new one is current.
                entry = await self._compute_shared(key, compute)
        return self._value(key, entry)

    def _value(self, key: Hashable, entry: CacheEntry[T]) -> T:
        if key in self._entries:
            self._entries.move_to_end(key)
        return entry.value

    def _recompute_ahead(self, key: Hashable, compute: Compute[T]) -> None:
        """Recompute in the background; if that fails, the next request gets the error."""
        if key not in self._recomputations and key not in self._computations:
            task = self._recomputations[key] = asyncio.create_task(self._recompute(key, compute))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _recompute(self, key: Hashable, compute: Compute[T]) -> None:
        """Recompute one key at a time, so that a request waits for one of these at most."""
        try:
            async with self._recompute_lock:
                entry = self._entries.get(key)
                # An older answer is computed by the next request itself.
                if entry is not None and _STREAMING_AGE <= entry.age < 2 * _STREAMING_AGE:
                    await self._compute_shared(key, compute)
        finally:
            del self._recomputations[key]

    async def _compute_shared(self, key: Hashable, compute: Compute[T]) -> CacheEntry[T]:
        """Share one computation among all callers; cancel it when the last one has left."""
        computation = self._computations.get(key)
        if computation is None:
            task = asyncio.create_task(self._compute(key, compute))
            computation = self._computations[key] = _Computation(task)
        computation.waiting += 1
        try:
            return await asyncio.shield(computation.task)
        finally:
            computation.waiting -= 1
            if not computation.waiting:
                self._forget_computation(key)
                computation.task.cancel()

    async def _compute(self, key: Hashable, compute: Compute[T]) -> CacheEntry[T]:
        began = time.monotonic()
        try:
            value, version = await compute()
        finally:
            self._forget_computation(key)
        first_began, previous = began, self._entries.get(key)
        if (
            previous is not None
            and began - previous.first_began <= _MAX_AGE
            and self._identity(value) == self._identity(previous.value)
        ):
            value, first_began = previous.value, previous.first_began
        size = self._size(value) + _KEY_FACTOR * len(repr(key)) + _ENTRY_OVERHEAD
        entry = CacheEntry(value, version, began, first_began, size)
        self._store(key, entry)
        return entry

    def _forget_computation(self, key: Hashable) -> None:
        """Forget the running computation, so that the next request starts a new one."""
        computation = self._computations.get(key)
        if computation is not None and (not computation.waiting or _is_current(computation.task)):
            del self._computations[key]

    def _store(self, key: Hashable, entry: CacheEntry[T]) -> None:
        replaced = self._entries.pop(key, None)
        self._free_bytes += replaced.bytes if replaced is not None else 0
        if entry.bytes > self.max_bytes:
            return  # it would evict everything, and then itself
        self._entries[key] = entry
        self._free_bytes -= entry.bytes
        while self._free_bytes < 0:
            _, oldest = self._entries.popitem(last=False)
            self._free_bytes += oldest.bytes


def _is_current(task: asyncio.Task[Any]) -> bool:
    return task is asyncio.current_task()
