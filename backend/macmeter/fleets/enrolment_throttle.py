"""Many that enrol at once: a fleet's Macs, which all may, and copies of one Mac, which cost nobody.

A cloned image that starts five hundred times enrols five hundred times under one id. At most one
of those asks the database at a time; while the id is held, none does more than once a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from macmeter.fleets.enrolment import Applicant, Enrolled
from macmeter.platform.errors import Problem

_REMEMBERED_SECONDS = 1.0
# Of this process's connections, that enrolments may hold at a time.
_AT_ONCE = 3


@dataclass
class _Herd:
    """All that ask with the same."""

    alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    held: Problem | None = None
    refused: int = 0
    """From memory, and not yet counted in the database."""


class Herds:
    """Enrolments refused from memory in this process. `count` writes down how many, under an id."""

    def __init__(self, count: Callable[[uuid.UUID, int], Awaitable[None]]) -> None:
        self._count = count
        self._herds: dict[Applicant, _Herd] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._counting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def enrol(
        self, applicant: Applicant, work: Callable[[], Awaitable[Enrolled | Problem]]
    ) -> Enrolled:
        """What `work` returns, or the Problem it returned for the same within the last second."""
        herd = self._herds.setdefault(applicant, _Herd())
        herd.waiting += 1
        try:
            async with herd.alone:
                if herd.held is not None:
                    herd.refused += 1
                    raise replace(herd.held)
                async with self._turns:
                    found = await work()
                if isinstance(found, Problem):
                    herd.held = found
                    task = asyncio.create_task(self._let_go(applicant, herd))
                    self._counting.add(task)
                    task.add_done_callback(self._counting.discard)
                    raise found
                return found
        finally:
            herd.waiting -= 1
            if not herd.waiting and herd.held is None:
                self._herds.pop(applicant, None)

    async def close(self) -> None:
        """Counts what waits for being counted."""
        # Not by cancelling: a count that is on its way would be lost, or written twice.
        self._closing.set()
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def _let_go(self, applicant: Applicant, herd: _Herd) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _REMEMBERED_SECONDS)
        async with herd.alone:
            herd.held = None
            times, herd.refused = herd.refused, 0
            if times:
                await self._count(applicant.machine_id, times)
        if not herd.waiting:
            self._herds.pop(applicant, None)
