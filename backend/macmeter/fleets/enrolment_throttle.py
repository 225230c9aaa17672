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

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    recent_refusal: Problem | None = None
    """Sent to the applicant's other requests, without asking the database again."""
    refused: int = 0
    """Refused from memory, not yet counted in the database."""


class EnrolmentThrottle:
    """Limits concurrent enrolments in this process.

    `count` records how many were refused from memory, under an id.
    """

    def __init__(self, count: Callable[[uuid.UUID, int], Awaitable[None]]) -> None:
        self._count = count
        self._requests: dict[Applicant, _Requests] = {}
        self._limit = asyncio.Semaphore(_AT_ONCE)
        self._forgetting: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()

    async def enrol(
        self, applicant: Applicant, work: Callable[[], Awaitable[Enrolled | Problem]]
    ) -> Enrolled:
        """Return the result of `work`.

        Raise the Problem that it returns, or that it returned to this applicant a second ago.
        """
        requests = self._requests.setdefault(applicant, _Requests())
        requests.waiting += 1
        try:
            async with requests.lock:
                if requests.recent_refusal is not None:
                    requests.refused += 1
                    raise replace(requests.recent_refusal)
                async with self._limit:
                    result = await work()
                if isinstance(result, Problem):
                    requests.recent_refusal = result
                    task = asyncio.create_task(self._forget(applicant, requests))
                    self._forgetting.add(task)
                    task.add_done_callback(self._forgetting.discard)
                    raise result
                return result
        finally:
            requests.waiting -= 1
            if not requests.waiting and requests.recent_refusal is None:
                self._requests.pop(applicant, None)

    async def close(self) -> None:
        """Record pending counts."""
        # Not by cancelling: a count in flight would be lost, or written twice.
        self._closing.set()
        await asyncio.gather(*self._forgetting, return_exceptions=True)

    async def _forget(self, applicant: Applicant, requests: _Requests) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), _REMEMBERED_SECONDS)
        async with requests.lock:
            requests.recent_refusal = None
            times, requests.refused = requests.refused, 0
            if times:
                await self._count(applicant.machine_id, times)
        if not requests.waiting:
            self._requests.pop(applicant, None)
