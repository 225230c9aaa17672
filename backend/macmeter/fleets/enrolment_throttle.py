"""Concurrent enrolments: all Macs of a fleet may enrol, and copies of one Mac must cost nothing.

A cloned image that starts five hundred times enrols five hundred times under one id. At most one of
those queries the database at a time; while the id is held, at most one a second.
"""

import asyncio
import contextlib
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from macmeter.fleets.enrolment import Applicant, Enrolled
from macmeter.platform.errors import Problem

_REMEMBERED_SECONDS = 1.0
# Connections of this process that enrolments may use at once.
_AT_ONCE = 3


@dataclass
class _Applicant:
    """Concurrent requests of one applicant."""

    alone: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    held: Problem | None = None
    refused: int = 0
    """Refused from memory, not yet counted in the database."""


class EnrolmentThrottle:
    """Enrolments in this process.

    `count` records how many were refused from memory, under an id.
    """

    def __init__(self, count: Callable[[uuid.UUID, int], Awaitable[None]]) -> None:
        self._count = count
        self._herds: dict[Applicant, _Applicant] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._counting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def enrol(
        self, applicant: Applicant, work: Callable[[], Awaitable[Enrolled | Problem]]
    ) -> Enrolled:
        """Return the result of `work`.

        Raise its Problem, also one of the last second for this applicant.
        """
        herd = self._herds.setdefault(applicant, _Applicant())
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
        """Record pending counts."""
        # Not by cancelling: a count in flight would be lost, or written twice.
        self._closing.set()
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def _let_go(self, applicant: Applicant, herd: _Applicant) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _REMEMBERED_SECONDS)
        async with herd.alone:
            herd.held = None
            times, herd.refused = herd.refused, 0
            if times:
                await self._count(applicant.machine_id, times)
        if not herd.waiting:
            self._herds.pop(applicant, None)
