"""Copies that enrol at once: every refused one is counted, even if the server stops."""

from __future__ import annotations

import asyncio
import contextlib
import uuid

from macmeter.fleets.enrolment import Applicant
from macmeter.fleets.enrolment_throttle import EnrolmentThrottle
from macmeter.platform.errors import Problem

MAC = uuid.uuid4()
HELD = Problem(409, "machine_cloned", "Not enrolled", "Too often.")


async def held() -> Problem:
    return HELD


async def test_a_count_that_is_on_its_way_when_the_server_stops_is_written_once() -> None:
    counts: list[int] = []
    started, go_on = asyncio.Event(), asyncio.Event()

    async def count(machine_id: uuid.UUID, times: int) -> None:
        assert machine_id == MAC
        started.set()
        await go_on.wait()
        counts.append(times)

    throttle = EnrolmentThrottle(count)
    for _ in range(5):
        with contextlib.suppress(Problem):
            await throttle.enrol(Applicant(None, MAC), held)
    await started.wait()
    closing = asyncio.create_task(throttle.close())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    # The first one was refused by the database, which counts it itself.
    assert counts == [4]


async def test_what_waits_for_being_counted_is_counted_at_the_end() -> None:
    counts: list[int] = []

    async def count(_: uuid.UUID, times: int) -> None:
        counts.append(times)

    throttle = EnrolmentThrottle(count)
    for _ in range(3):
        with contextlib.suppress(Problem):
            await throttle.enrol(Applicant(None, MAC), held)
    await throttle.close()
    assert counts == [2]
