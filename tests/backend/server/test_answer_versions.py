"""Each change makes another version of the database; many in a row are a stream."""

from __future__ import annotations

import asyncio
import itertools
import uuid
from typing import Any

import psycopg
import pytest
from macmeter.platform.database import connect
from macmeter.server import answer_cache as versioning
from macmeter.server.answer_cache import Versions

CHANGE = "INSERT INTO changes (kind, machine_id, run_id) VALUES ('stored', %s, %s)"


async def test_a_transaction_that_commits_late_makes_a_version(database_url: str) -> None:
    versions = Versions(database_url)
    early, late = await connect(database_url), await connect(database_url)
    keys = [uuid.uuid4(), uuid.uuid4()]
    versions_seen = [await versions.newest()]
    try:
        async with early.transaction():
            await early.execute(CHANGE, keys)
            await late.execute(CHANGE, keys)
            versions_seen.append(await versions.newest())
            assert await versions.newest() == versions_seen[-1]
        versions_seen.append(await versions.newest())
        assert await versions.newest() == versions_seen[-1]
    finally:
        await early.close()
        await late.close()
        await versions.close()
    assert len(set(versions_seen)) == 3


async def test_versions_come_back_with_the_database(database_url: str) -> None:
    versions = Versions(database_url)
    first = await versions.newest()
    driver = await versions._connection.open()
    other: psycopg.AsyncConnection[Any] = await connect(database_url)
    await other.execute("SELECT pg_terminate_backend(%s)", [driver.info.backend_pid])
    await other.close()
    assert await versions.newest() == first
    await versions.close()


async def test_versions_stream_by_until_they_stay_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versioning, "BURST", 3)
    monkeypatch.setattr(versioning, "PER_SECOND", 200.0)
    numbers, changing = itertools.count(), True

    class Changing(Versions):
        async def _fetch(self) -> str:
            return str(next(numbers)) if changing else "the last"

        async def _count_passed(self) -> int:
            return 1

    versions = Changing("")
    while not versions.is_streaming:
        await versions.newest()
    # However long ago the version was last checked.
    for _ in range(20):
        await asyncio.sleep(0.01)
        assert versions.is_streaming
    changing = False
    async with asyncio.timeout(60):
        while versions.is_streaming:
            await asyncio.sleep(0.01)
    await versions.newest()
    assert not versions.is_streaming
    await versions.close()


async def test_whoever_comes_seldom_sees_a_stream_at_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versioning, "PER_SECOND", 0.0)
    versions = Versions(database_url)
    other = await connect(database_url)

    async def changed(times: int) -> None:
        for _ in range(times):
            await other.execute(CHANGE, [uuid.uuid4(), uuid.uuid4()])

    try:
        await changed(1)
        await versions.newest()
        await changed(versioning.BURST // 2)
        await versions.newest()
        assert not versions.is_streaming
        await changed(versioning.BURST // 2)
        await versions.newest()
        assert versions.is_streaming
    finally:
        await other.close()
        await versions.close()


async def test_whoever_comes_late_sees_a_stream_at_once(database_url: str) -> None:
    """A server's second process may be idle while others upload."""
    other = await connect(database_url)
    small = Versions(database_url)
    try:
        for _ in range(versioning.BURST):
            await other.execute(CHANGE, [uuid.uuid4(), uuid.uuid4()])
        await small.newest()
        assert not small.is_streaming
        for _ in range(versioning.BURST + 1):
            await other.execute(CHANGE, [uuid.uuid4(), uuid.uuid4()])
        late = Versions(database_url)
        await late.newest()
        assert late.is_streaming
        await late.close()
        # Old changes are not a stream.
        await other.execute("UPDATE changes SET at = at - interval '2 minutes'")
        late = Versions(database_url)
        await late.newest()
        assert not late.is_streaming
        await late.close()
    finally:
        await other.close()
        await small.close()
