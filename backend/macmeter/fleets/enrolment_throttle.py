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
class _Requests:
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
        self._requests: dict[Applicant, _Requests] = {}
        self._limit = asyncio.Semaphore(_AT_ONCE)
        self._counting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def enrol(
        self, applicant: Applicant, work: Callable[[], Awaitable[Enrolled | Problem]]
    ) -> Enrolled:
        """Return the result of `work`.

        Raise its Problem, also one of the last second for this applicant.
        """
        requests = self._requests.setdefault(applicant, _Requests())
        requests.waiting += 1
        try:
            async with requests.alone:
                if requests.held is not None:
                    requests.refused += 1
                    raise replace(requests.held)
                async with self._limit:
                    result = await work()
                if isinstance(result, Problem):
                    requests.held = result
                    task = asyncio.create_task(self._forget(applicant, requests))
                    self._counting.add(task)
                    task.add_done_callback(self._counting.discard)
                    raise result
                return result
        finally:
            requests.waiting -= 1
            if not requests.waiting and requests.held is None:
                self._requests.pop(applicant, None)

    async def close(self) -> None:
        """Record pending counts."""
        # Not by cancelling: a count in flight would be lost, or written twice.
        self._closing.set()
        await asyncio.gather(*self._counting, return_exceptions=True)

    async def _forget(self, applicant: Applicant, requests: _Requests) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _REMEMBERED_SECONDS)
        async with requests.alone:
            requests.held = None
            times, requests.refused = requests.refused, 0
            if times:
                await self._count(applicant.machine_id, times)
        if not requests.waiting:
            self._requests.pop(applicant, None)
