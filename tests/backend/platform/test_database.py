"""Snapshots shared by consecutive readers: never too old, and always closed."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from macmeter.platform import database
from macmeter.platform import worker_pool as pools
from macmeter.platform.database import Databases, end_moments
from macmeter.platform.worker_pool import Pool
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

TESTS = Path(__file__).resolve().parents[2]
HELD = text(
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND state = 'idle in transaction'"
)


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    new_engine = database.engine(database_url, pool_size=1)
    async with new_engine.begin() as connection:
        await connection.execute(text("CREATE TABLE counted (number int)"))
    yield new_engine
    await new_engine.dispose()


@pytest.fixture
async def databases(database_url: str) -> AsyncIterator[Databases]:
    yield Databases(database_url, database_url)
    await end_moments()


async def add(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("INSERT INTO counted VALUES (1)"))


async def held(engine: AsyncEngine) -> int:
    async with engine.connect() as connection:
        return int((await connection.execute(HELD)).scalar_one())


async def count(connection: AsyncConnection) -> int:
    return int((await connection.execute(text("SELECT count(*) FROM counted"))).scalar_one())


async def recent(databases: Databases) -> int:
    async with databases.recent() as connection:
        return await count(connection)


async def snapshot(databases: Databases) -> int:
    async with databases.snapshot() as connection:
        return await count(connection)


async def test_those_who_come_soon_read_of_one_moment(
    databases: Databases, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "RECENT_SECONDS", 3600.0)
    before = datetime.now(UTC)
    assert await recent(databases) == 0
    after = datetime.now(UTC)
    await add(engine)
    assert await recent(databases) == 0
    async with databases.recent() as connection:
        assert connection.sync_connection is not None
        assert before <= connection.sync_connection.get_execution_options()["moment"] <= after
    monkeypatch.setattr(database, "RECENT_SECONDS", 0.0)
    assert await recent(databases) == 1
    assert await held(engine) == 1


async def test_nobody_reads_of_a_moment_after_a_newer_one(
    databases: Databases, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "RECENT_SECONDS", 3600.0)
    assert await recent(databases) == 0
    await add(engine)
    assert await snapshot(databases) == 1
    assert await recent(databases) == 1
    await add(engine)
    async with databases.latest() as connection:
        assert await count(connection) == 2
    assert await recent(databases) == 2
    await add(engine)
    # Even while the newer one is read.
    async with databases.recent() as connection:
        assert await count(connection) == 2
        assert await snapshot(databases) == 3
        assert await count(connection) == 2
    assert await recent(databases) == 3


async def test_one_after_another(databases: Databases, engine: AsyncEngine) -> None:
    assert await asyncio.gather(*(recent(databases) for _ in range(20))) == [0] * 20
    assert await held(engine) == 1


async def test_a_moment_ends_with_a_fault(
    databases: Databases, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "RECENT_SECONDS", 3600.0)
    with pytest.raises(DBAPIError):
        async with databases.recent() as connection:
            await connection.execute(text("SELECT 1 / 0"))
    assert await held(engine) == 0
    assert await recent(databases) == 0
    async with engine.begin() as connection:
        await connection.execute(
            text(HELD.text.replace("count(*)", "pg_terminate_backend(pid, 5000)"))
        )
    with pytest.raises(DBAPIError):
        await recent(databases)
    await add(engine)
    assert await recent(databases) == 1


async def test_a_process_without_a_job_holds_none(
    database_url: str, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    pool = Pool(1, seconds=30)
    try:
        assert await pool.run(hold, database_url) == 1
        end = asyncio.get_running_loop().time() + 30
        while await held(engine):
            assert asyncio.get_running_loop().time() < end
            await asyncio.sleep(pools._IDLE_SECONDS / 5)
    finally:
        await pool.close()


async def hold(url: str) -> int:
    databases = Databases(url, url)
    await recent(databases)
    return len(database._moments)


def test_libpqs_variable_says_how_long_a_connection_may_take() -> None:
    program = """if True:
        import asyncio, sys, time
        import psycopg
        from macmeter.platform.database import connect
        begun = time.monotonic()
        try:
            asyncio.run(connect(sys.argv[1]))
        except psycopg.errors.ConnectionTimeout:
            print(time.monotonic() - begun)
    """
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://nobody@127.0.0.1:{silent.getsockname()[1]}/none"
        ended = subprocess.run(
            [sys.executable, "-c", program, url],
            env=os.environ | {"PGCONNECT_TIMEOUT": "2"},
            capture_output=True,
            text=True,
        )
    # Without the variable it takes 5 seconds.
    assert 2 <= float(ended.stdout) < 4.5, ended.stderr
