"""Storing the lines of a batch: several at a time, answered in order."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import IO, NotRequired

import orjson
from typing_extensions import TypedDict

from macmeter.answers.exact import Exact
from macmeter.ingest.groups import MOST_TOGETHER
from macmeter.untyped import Json

# One group is with the database while the next is read. The lines' bytes are kept meanwhile.
_AT_ONCE = 2 * MOST_TOGETHER
_BYTES_AT_ONCE = 4 * 1024 * 1024


class StoredRun(Exact):
    """`newer_agent` is the newest agent's version, where an older one made the run."""

    id: str
    created: bool
    url: str
    renew_token: NotRequired[bool]
    newer_agent: NotRequired[str]


class Outcome(TypedDict):
    """What happened to a line: its status, and the problem or the run that is stored."""

    status: int
    problem: NotRequired[Json]
    id: NotRequired[str]
    created: NotRequired[bool]
    url: NotRequired[str]
    newer_agent: NotRequired[str]


@dataclass(frozen=True)
class Line:
    """The outcome of a line; `tell` logs what operators should know, if anything."""

    result: Outcome
    tell: Callable[[], None] = lambda: None

    @property
    def failed(self) -> bool:
        """Whether no line would fare better: neither the database nor the disk mends itself."""
        return self.result["status"] in (503, 507)


class Batch:
    """Stores lines as they come; `results` gets a line for each, in the order of the body.

    Until a run is stored lines go one by one: a fresh token binds the first line's machine.
    After a failure of the server no further line is tried.
    """

    def __init__(self, store: Callable[[bytes | None], Awaitable[Line]], results: IO[bytes]):
        self._store = store
        self._results = results
        self._running: deque[tuple[int, int, asyncio.Task[Line]]] = deque()
        self._bytes = 0
        self._any_stored = False
        self._failure: Line | None = None

    async def take(self, number: int, line: bytes | None) -> None:
        """Begin with a line; returns when there is room for another."""
        if self._failure is None:
            size = len(line or b"")
            task = asyncio.ensure_future(self._store(line))
            self._running.append((number, size, task))
            self._bytes += size
            while self._running and self._is_full():
                await self._end_first()
        else:
            self._tell(number, self._failure)
        if self._failure is not None:
            await self.finish()

    async def finish(self) -> None:
        """Returns when all lines taken are answered."""
        while self._running:
            await self._end_first()

    async def abandon(self) -> None:
        """Do what `finish` does, for nobody: what is with the database is not broken off."""
        await asyncio.gather(*(task for _, _, task in self._running), return_exceptions=True)

    def _is_full(self) -> bool:
        one_by_one = not self._any_stored
        return one_by_one or len(self._running) >= _AT_ONCE or self._bytes > _BYTES_AT_ONCE

    async def _end_first(self) -> None:
        number, size, task = self._running[0]
        line = await task
        self._running.popleft()
        self._bytes -= size
        self._any_stored = self._any_stored or line.result["status"] == 201
        if line.failed and self._failure is None:
            self._failure = line
            line.tell()
        self._tell(number, line)

    def _tell(self, number: int, line: Line) -> None:
        self._results.write(result(number, line.result))


def result(number: int, of_line: Outcome) -> bytes:
    return orjson.dumps({"line": number, **of_line}) + b"\n"
