"""Answers are cached until something changes, and only for readers who may see them."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import pytest
from macmeter.platform import database
from macmeter.platform.database import Databases
from macmeter.platform.worker_pool import Pool
from macmeter.server import answer_cache as cache
from macmeter.server.answer_cache import AnswerCache
from macmeter.server.jobs import Questions
from support.documents import disk_run
from support.server import InThisProcess, Server, serving

T = TypeVar("T")
WRITE = "metric=disk.write_average"


class Counting(InThisProcess):
    """Pool that counts how often an answer was computed."""

    def __init__(self) -> None:
        super().__init__()
        self.worked = 0

    async def run(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        self.worked += 1
        return await super().run(job, *arguments)


@pytest.fixture
def pool() -> Counting:
    return Counting()


@pytest.fixture
async def counted(database_url: str, pool: Counting) -> AsyncIterator[Server]:
    async with serving(database_url, questions=pool) as server:
        yield server


def asked_of(run: dict[str, Any]) -> list[str]:
    """Requests of pages that one run may change."""
    machine = run["machine"]["id"]
    return [
        f"answer?{WRITE}&by=storage",
        f"answer?{WRITE}&by=encryption&relative_to=encryption:none",
        f"answer.csv?{WRITE}",
        f"compare?{WRITE}&side=1:storage:internal&side=2:storage:usb4",
        f"compare.csv?{WRITE}&side=1:storage:internal&side=2:storage:usb4",
        f"chart.svg?{WRITE}",
        f"chart.png?{WRITE}",
        f"starting-point?{WRITE}",
        f"facets?{WRITE}",
        "facets",
        f"percentile?{WRITE}&machine={machine}",
        f"percentile?{WRITE}&run={run['id']}",
        "residency",
        "runs?limit=5",
        f"doubted?{WRITE}",
        "machines?q=m4",
        f"machines/{machine}",
        f"machines/{machine}/timeline?{WRITE}",
    ]


async def test_what_was_asked_before_is_not_worked_out_again(
    counted: Server, pool: Counting
) -> None:
    run = disk_run()
    await counted.stored(run)
    for path in asked_of(run):
        first = await counted.client.get(f"/api/v1/{path}")
        assert first.status_code == 200, path
        worked = pool.worked
        again = await counted.client.get(f"/api/v1/{path}")
        headers = {"If-None-Match": first.headers["ETag"]}
        unchanged = await counted.client.get(f"/api/v1/{path}", headers=headers)
        assert pool.worked == worked, path
        assert (again.content, again.headers["ETag"]) == (first.content, first.headers["ETag"])
        assert (unchanged.status_code, unchanged.content) == (304, b""), path


async def test_equal_questions_are_one(counted: Server, pool: Counting) -> None:
    await counted.stored(disk_run())
    for query in (f"{WRITE}&by=chip&by=storage", f"by=storage&by=chip&{WRITE}&weight=machine"):
        await counted.answer(query)
    assert pool.worked == 1


async def test_what_happened_a_moment_ago_is_told(counted: Server) -> None:
    """After each change the next answer includes it, for every reader."""
    run, token = disk_run(), counted.token()
    owner = {"Authorization": f"Bearer {token}"}
    withdrawal = f"/api/v1/runs/{run['id']}/withdrawal"

    async def runs() -> tuple[int, int]:
        listed = (await counted.client.get("/api/v1/runs")).json()["total"]
        return listed, sum(group["runs"] for group in await counted.groups(WRITE))

    assert await runs() == (0, 0)
    assert (await counted.put(run, token)).status_code == 201
    assert await runs() == (1, 1)
    reason = {"reason": "the drive was failing"}
    assert (await counted.client.put(withdrawal, json=reason, headers=owner)).status_code == 204
    assert await runs() == (1, 0)
    assert (await counted.client.delete(withdrawal, headers=owner)).status_code == 204
    assert await runs() == (1, 1)
    response = await counted.client.delete(f"/api/v1/runs/{run['id']}", headers=owner)
    assert response.status_code == 204
    assert await runs() == (0, 0)


async def test_a_fleets_answers_are_its_own(counted: Server, pool: Counting) -> None:
    tokens = [counted.token("fleet"), counted.token("fleet")]
    assert (await counted.put(disk_run(), tokens[0])).status_code == 201
    for _ in range(2):
        assert await counted.groups(WRITE) == []
        for token in tokens:
            answer = await counted.answer(WRITE, Authorization=f"Bearer {token}")
            assert [group["runs"] for group in answer["results"][0]["groups"]] == [1]
    assert pool.worked == 2, "one answer for everybody, one for whoever speaks for the fleet"


@pytest.fixture
def short_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten bursts for servers started later: each version costs an upload and an answer."""
    monkeypatch.setattr(cache, "BURST", 8)


async def test_while_versions_stream_by_an_answer_is_kept_for_a_moment(
    short_burst: None, counted: Server, pool: Counting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "PER_SECOND", 0.0)
    monkeypatch.setattr(cache, "_STREAMING_AGE", 3600.0)
    for number in range(1, cache.BURST):
        await counted.stored(disk_run())
        # An uploader sees what they have just uploaded.
        assert [group["runs"] for group in await counted.groups(WRITE)] == [number]
    await counted.stored(disk_run())
    before = await counted.answer(WRITE)
    worked = pool.worked
    await counted.stored(disk_run())
    assert await counted.answer(WRITE) == before
    assert pool.worked == worked
    monkeypatch.setattr(cache, "_STREAMING_AGE", 0.0)
    # Another question is answered as of the same time, and says so.
    monkeypatch.setattr(database, "RECENT_SECONDS", 3600.0)
    other = await counted.answer(f"{WRITE}&by=chip")
    assert pool.worked == worked + 1
    assert (other["runs"], other["as_of"]) == (before["runs"], before["as_of"])
    monkeypatch.setattr(database, "RECENT_SECONDS", 0.0)
    after = await counted.answer(WRITE)
    assert after["runs"] == before["runs"] + 1
    assert after["as_of"] >= before["as_of"]


class Numbers:
    """Version numbers without a database."""

    is_streaming = False

    def __init__(self) -> None:
        self.now = 0

    async def newest(self) -> str:
        return str(self.now)


async def test_workers_share_out_what_answers_may_take(database_url: str) -> None:
    pool, databases = Pool(1), Databases(database_url, database_url, None)
    for workers in (1, 2, 8):
        assert Questions(pool, databases, workers)._cache.max_bytes == cache.MAX_BYTES // workers


async def test_no_more_is_kept_than_there_is_room_for() -> None:
    versions: Any = Numbers()
    answers: AnswerCache[bytes] = AnswerCache(versions, len, max_bytes=10_000, identity=hash)
    worked = []

    async def work(size: int) -> tuple[bytes, str]:
        worked.append(size)
        return bytes(size), "0"

    for size in (3000, 4000, 5000, 6000, 50_000, 1000):
        assert await answers.get(size, partial(work, size)) == bytes(size)
        assert answers.bytes <= 10_000
    await answers.get(1000, lambda: work(1000))
    # Keys take space as well: anybody may ask anything.
    await answers.get("?" * 10_000, lambda: work(1))
    assert worked.pop() == 1
    assert 0 < answers.bytes <= 10_000
    assert worked == [3000, 4000, 5000, 6000, 50_000, 1000]


async def test_an_equal_answer_of_a_newer_version_is_sent_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions: Any = Numbers()
    answers: AnswerCache[tuple[str, int]] = AnswerCache(
        versions, lambda _: 0, max_bytes=10_000, identity=lambda entry: entry[0]
    )
    text, numbers = "same", itertools.count(1)

    async def work() -> tuple[tuple[str, int], str]:
        return (text, next(numbers)), await versions.newest()

    assert await answers.get("asked", work) == ("same", 1)
    for _ in range(2):
        versions.now += 1
        assert await answers.get("asked", work) == ("same", 1)
    assert next(numbers) == 4, "it was computed for each version"
    # But for no longer than an answer whose version stayed the same.
    monkeypatch.setattr(cache, "_MAX_AGE", 0.0)
    assert await answers.get("asked", work) == ("same", 5)
    monkeypatch.undo()
    versions.now, text = versions.now + 1, "other"
    assert await answers.get("asked", work) == ("other", 6)


async def test_those_who_ask_meanwhile_share_the_work() -> None:
    versions: Any = Numbers()
    answers: AnswerCache[int] = AnswerCache(versions, lambda _: 0, max_bytes=10_000, identity=hash)
    worked, go_on = itertools.count(1), asyncio.Event()

    async def work() -> tuple[int, str]:
        number = next(worked)
        version = await versions.newest()
        await go_on.wait()
        return number, version

    early = [asyncio.create_task(answers.get("asked", work)) for _ in range(5)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    versions.now += 1
    # Work on an outdated version serves only those who asked before.
    late = [asyncio.create_task(answers.get("asked", work)) for _ in range(5)]
    await asyncio.sleep(0)
    go_on.set()
    assert set(await asyncio.gather(*early)) == {1}
    assert set(await asyncio.gather(*late)) == {2}


async def test_a_streaming_answer_is_worked_out_ahead_of_whoever_comes_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions: Any = Numbers()
    answers: AnswerCache[int] = AnswerCache(versions, lambda _: 0, max_bytes=10_000, identity=hash)
    numbers, finished = itertools.count(1), asyncio.Event()

    async def work() -> tuple[int, str]:
        number = next(numbers)
        if number == 3:
            finished.set()
            raise ValueError("no")
        return number, await versions.newest()

    assert await answers.get("asked", work) == 1
    versions.is_streaming = True
    for age, number in ((0.5, 1), (1.5, 1)):
        monkeypatch.setattr(cache.CacheEntry, "age", age)
        assert await answers.get("asked", work) == number
    while await answers.get("asked", work) != 2:
        await asyncio.sleep(0)
    # A third computation fails unnoticed, as the second result is still valid.
    while not finished.is_set():
        assert await answers.get("asked", work) == 2
        await asyncio.sleep(0)
    assert await answers.get("asked", work) == 2
    monkeypatch.setattr(cache.CacheEntry, "age", 2.5)
    assert await answers.get("asked", work) > 3
    await answers.close()


async def test_answers_are_worked_out_ahead_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions: Any = Numbers()
    answers: AnswerCache[int] = AnswerCache(versions, lambda _: 0, max_bytes=100_000, identity=hash)
    started: list[int] = []
    go_on = asyncio.Event()

    async def work(number: int) -> tuple[int, str]:
        started.append(number)
        await go_on.wait()
        return number, await versions.newest()

    async def asked(number: int) -> int:
        return await answers.get(number, partial(work, number))

    async def others_turn() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    go_on.set()
    assert await asyncio.gather(*map(asked, range(5))) == [0, 1, 2, 3, 4]
    go_on.clear()
    started.clear()
    versions.is_streaming = True
    monkeypatch.setattr(cache.CacheEntry, "age", 1.5)
    for _ in range(2):
        assert await asyncio.gather(*map(asked, range(5))) == [0, 1, 2, 3, 4]
        await others_turn()
        assert started == [0]
    # A question without an answer does not wait for queued ones.
    new = asyncio.create_task(asked(5))
    await others_turn()
    assert started == [0, 5]
    # Computations queued until now are dropped: their results would be served to nobody.
    monkeypatch.setattr(cache.CacheEntry, "age", 2.5)
    go_on.set()
    assert await new == 5
    await others_turn()
    assert started == [0, 5]
    await answers.close()


async def test_what_nobody_waits_for_is_given_up() -> None:
    versions: Any = Numbers()
    answers: AnswerCache[int] = AnswerCache(versions, lambda _: 0, max_bytes=10_000, identity=hash)
    started, finished = asyncio.Event(), asyncio.Event()

    async def work() -> tuple[int, str]:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            finished.set()
        raise AssertionError

    async def quick() -> tuple[int, str]:
        return 7, "0"

    waiting = [asyncio.create_task(answers.get("asked", work)) for _ in range(2)]
    await started.wait()
    for task in waiting:
        assert not finished.is_set()
        task.cancel()
        await asyncio.wait([task])
    assert await answers.get("asked", quick) == 7
    await finished.wait()


async def test_a_refusal_is_not_kept() -> None:
    versions: Any = Numbers()
    answers: AnswerCache[int] = AnswerCache(versions, lambda _: 0, max_bytes=10_000, identity=hash)
    outcomes = iter([ValueError("no"), None])

    async def work() -> tuple[int, str]:
        if (error := next(outcomes)) is not None:
            raise error
        return 1, "0"

    with pytest.raises(ValueError, match="no"):
        await answers.get("asked", work)
    assert await answers.get("asked", work) == 1
