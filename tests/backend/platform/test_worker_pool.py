"""Jobs in other processes: results and refusals come back, and no job blocks the server."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from macmeter.platform import worker_pool as pools
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.worker_pool import FaultError, Pool
from support import jobs

TESTS = Path(__file__).resolve().parents[2]


@pytest.fixture
async def pool(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Pool]:
    # Jobs are named by their module, which the process must find, too.
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    pool = Pool(1, seconds=30)
    yield pool
    await pool.close()


async def test_a_result_comes_back(pool: Pool) -> None:
    assert await pool.run(jobs.doubled, 21) == 42
    assert await pool.run(jobs.own_pid) != os.getpid()


async def test_a_refusal_comes_back_whole(pool: Pool) -> None:
    with pytest.raises(Problem) as refused:
        await pool.run(jobs.refuse, "?by")
    assert refused.value == invalid("?by", "no")


async def test_a_fault_comes_back_with_its_traceback(pool: Pool) -> None:
    with pytest.raises(FaultError, match="ZeroDivisionError"):
        await pool.run(jobs.fail, 1)
    assert await pool.run(jobs.doubled, 1) == 2


async def test_a_job_without_an_end_is_ended(pool: Pool) -> None:
    await pool.run(jobs.doubled, 1)
    pool._seconds = 0.5
    with pytest.raises(Problem) as refused:
        await pool.run(jobs.take, 60.0)
    assert (refused.value.status, refused.value.code) == (503, "too_slow")
    pool._seconds = 30
    assert await pool.run(jobs.doubled, 2) == 4


async def test_a_process_that_ends_is_replaced(pool: Pool) -> None:
    with pytest.raises(Problem) as refused:
        await pool.run(jobs.end)
    assert (refused.value.status, refused.value.code) == (503, "server_full")
    assert await pool.run(jobs.doubled, 3) == 6


async def test_whoever_would_wait_too_long_is_refused(
    pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "TURN_SECONDS", 0.2)
    monkeypatch.setattr(pools, "MOST_WAITING", 2)
    busy = asyncio.create_task(pool.run(jobs.take, 2.0))
    await asyncio.sleep(0.05)
    waiting = [asyncio.create_task(pool.run(jobs.doubled, 1)) for _ in range(3)]
    for refused in await asyncio.gather(*waiting, return_exceptions=True):
        assert isinstance(refused, Problem)
        assert (refused.status, refused.code) == (503, "server_full")
        assert int(refused.headers["Retry-After"]) > 0
    await busy
    assert await pool.run(jobs.doubled, 4) == 8


async def test_whoever_goes_leaves_nothing_behind(pool: Pool) -> None:
    task = asyncio.create_task(pool.run(jobs.take, 60.0))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await pool.run(jobs.doubled, 5) == 10


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of glibc's allocator")
async def test_a_process_that_is_never_idle_gives_memory_back(pool: Pool) -> None:
    before = await pool.run(jobs.memory)
    most = await pool.run(jobs.scatter, 64)
    assert most > before + 50 * 2**20
    end = time.monotonic() + 30
    while await pool.run(jobs.memory) > before + 20 * 2**20:
        assert time.monotonic() < end
        await asyncio.sleep(0.1)
