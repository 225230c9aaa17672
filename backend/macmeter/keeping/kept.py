"""Answers by what was asked, in so many bytes: each worked out once for all who ask meanwhile."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from macmeter.keeping.versions import Versions

T = TypeVar("T")

ROOM = 8 * 2**20
"""Of a server, which its workers share out: some eight hundred packed answers."""
# What no version covers, such as the date on a picture, is at most so old.
_LONGEST = 60.0
# While versions stream by, an answer is computed again at most this often: for whoever comes after
# twice that time, and ahead of whoever comes before.
_STREAMING = 1.0
# What an answer takes besides its own bytes, its headers among them; and its key besides its text.
_BESIDES = 1024
_KEY_FACTOR = 4


@dataclass(frozen=True)
class Kept(Generic[T]):
    """An answer, the version that it was worked out of, and when that began."""

    value: T
    version: str
    began: float
    first: float
    """When the first of equal answers began, whose bytes these are."""
    bytes: int
    """With its key: a question may be longer than its answer."""

    @property
    def age(self) -> float:
        """In seconds."""
        return time.monotonic() - self.began


Work = Callable[[], Awaitable[tuple[T, str]]]
"""Works out an answer, and says of which version it is."""


@dataclass
class _UnderWay(Generic[T]):
    task: asyncio.Task[Kept[T]]
    waiting: int = 0


class Answers(Generic[T]):
    """The answers of one server process.

    An answer computed again that says the same is sent as it was, its `as_of` included: a reader
    doesn't see in it that something changed which they may not see.
    """

    def __init__(
        self,
        versions: Versions,
        size: Callable[[T], int],
        room: int,
        identity: Callable[[T], Hashable],
    ) -> None:
        """`size` of an answer in bytes; the oldest go where there is no `room` for all. Answers of
        equal `identity` say the same.
        """
        self._versions = versions
        self._size = size
        self._identity = identity
        self.room = self._room = room
        self._kept: OrderedDict[Hashable, Kept[T]] = OrderedDict()
        self._under_way: dict[Hashable, _UnderWay[T]] = {}
        self._ahead: dict[Hashable, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    async def close(self) -> None:
        """Gives up what nobody waits for."""
        ahead = [*self._ahead.values()]
        for task in ahead:
            task.cancel()
        await asyncio.gather(*ahead, return_exceptions=True)

    @property
    def bytes(self) -> int:
        """What is kept, in bytes."""
        return sum(kept.bytes for kept in self._kept.values())

    async def of(self, key: Hashable, work: Work[T]) -> T:
        """The answer for `key`: with all that was committed by now, unless versions stream by."""
        if self._versions.is_streaming:
            kept = self._kept.get(key)
            if kept is None or kept.age >= 2 * _STREAMING:
                return (await self._worked_out(key, work)).value
            if kept.age >= _STREAMING:
                self._work_ahead(key, work)
            return self._used(key, kept)
        started = time.monotonic()
        version = await self._versions.newest()
        kept = self._kept.get(key)
        if kept is None or kept.version != version or started - kept.first > _LONGEST:
            kept = await self._worked_out(key, work)
            if kept.began < started and kept.version != version:
                # It was under way already, and of an older version: what begins now is not.
                kept = await self._worked_out(key, work)
        return self._used(key, kept)

    def _used(self, key: Hashable, kept: Kept[T]) -> T:
        if key in self._kept:
            self._kept.move_to_end(key)
        return kept.value

    def _work_ahead(self, key: Hashable, work: Work[T]) -> None:
        """For those who come later; whoever comes after it failed gets the reason."""
        if key not in self._ahead and key not in self._under_way:
            task = self._ahead[key] = asyncio.create_task(self._worked_out_ahead(key, work))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())

    async def _worked_out_ahead(self, key: Hashable, work: Work[T]) -> None:
        """One after another: whoever waits for an answer waits for one of these at most."""
        try:
            async with self._turn:
                kept = self._kept.get(key)
                # After that, whoever comes works it out.
                if kept is not None and _STREAMING <= kept.age < 2 * _STREAMING:
                    await self._worked_out(key, work)
        finally:
            del self._ahead[key]

    async def _worked_out(self, key: Hashable, work: Work[T]) -> Kept[T]:
        """Compute for whoever came first; given up when nobody waits for it any more."""
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

    async def _work(self, key: Hashable, work: Work[T]) -> Kept[T]:
        began = time.monotonic()
        try:
            value, version = await work()
        finally:
            self._ends(key)
        first, before = began, self._kept.get(key)
        if (
            before is not None
            and began - before.first <= _LONGEST
            and self._identity(value) == self._identity(before.value)
        ):
            value, first = before.value, before.first
        size = self._size(value) + _KEY_FACTOR * len(repr(key)) + _BESIDES
        kept = Kept(value, version, began, first, size)
        self._keep(key, kept)
        return kept

    def _ends(self, key: Hashable) -> None:
        """The next request starts from scratch."""
        under_way = self._under_way.get(key)
        if under_way is not None and (not under_way.waiting or _is_current(under_way.task)):
            del self._under_way[key]

    def _keep(self, key: Hashable, kept: Kept[T]) -> None:
        gone = self._kept.pop(key, None)
        self._room += gone.bytes if gone is not None else 0
        if kept.bytes > self.room:
            return  # all others would go, and this one with them
        self._kept[key] = kept
        self._room -= kept.bytes
        while self._room < 0:
            _, oldest = self._kept.popitem(last=False)
            self._room += oldest.bytes


def _is_current(task: asyncio.Task[Any]) -> bool:
    return task is asyncio.current_task()
