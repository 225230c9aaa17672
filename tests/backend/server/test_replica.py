"""Reading from a real streaming replica: its lag, its loss, and its promotion."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import tempfile
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
import pytest
from macmeter.embedded import EmbeddedPostgres, tuning
from macmeter.platform import changelog, database
from macmeter.platform.database import connection_options, migrate
from macmeter.server import jobs
from macmeter.server.prepare import check_replica
from sqlalchemy import create_engine, text
from sqlalchemy.ext.asyncio import AsyncConnection
from support.databases import fresh_database, make_template, token
from support.documents import disk_run
from support.live_server import ForkedServer, LiveServer
from support.replica import Replica, either, replica_of
from support.server import Server, serving
from support.server_kills import Client, wait_for_uploads

NEW_FLEET = (
    "INSERT INTO fleets (fleet_id, name, visibility) VALUES (gen_random_uuid(), 'x', 'public')"
)
QUESTION = "metric=disk.write_average&by=chip"


@pytest.fixture(scope="module")
def primary() -> Iterator[EmbeddedPostgres]:
    """A primary like a server's, but without syncing: processes crash here, but no machine."""
    with (
        tempfile.TemporaryDirectory(prefix="primary-") as directory,
        pytest.MonkeyPatch.context() as patch,
    ):
        Path(directory).chmod(0o755)
        patch.setitem(tuning.DURABLE, "fsync", "off")
        with EmbeddedPostgres(Path(directory) / "data") as postgres:
            make_template(postgres)
            yield postgres


@pytest.fixture
def name(primary: EmbeddedPostgres) -> Iterator[str]:
    """A fresh database for each test."""
    with fresh_database(primary) as name:
        yield name


@pytest.fixture
def replica(primary: EmbeddedPostgres, name: str) -> Iterator[Replica]:
    """A replica created after the database."""
    with replica_of(primary) as replica:
        yield replica


async def counted(server: Server) -> tuple[int, datetime]:
    """Runs behind the answer, and its `as_of`."""
    answer = await server.answer(QUESTION)
    groups = answer["results"][0]["groups"]
    as_of = datetime.fromisoformat(answer["as_of"])
    return sum(group["runs"] for group in groups), as_of


@pytest.mark.thorough
async def test_answers_of_a_replica_that_is_behind_say_so(
    primary: EmbeddedPostgres, replica: Replica, name: str, tmp_path: Path
) -> None:
    async with serving(
        primary.url(name), database_read_url=replica.url(name), dataset_dir=tmp_path
    ) as server:
        await server.stored(disk_run())
        replica.catch_up(primary)
        (runs, current) = await counted(server)
        assert runs == 1
        replica.ask("SELECT pg_wal_replay_pause()")
        replica.until("SELECT pg_get_wal_replay_pause_state() = 'paused'")
        replayed = replica.ask("SELECT pg_last_xact_replay_timestamp()")
        later = disk_run()
        await server.stored(later)
        # Asked twice: the primary doesn't affect what is known about the replica.
        for _ in range(2):
            runs, as_of = await counted(server)
            # A cached answer is as of a time when nothing else had been replayed either.
            assert (runs, current <= as_of <= replayed) == (1, True)
        # Uploads are checked on the primary: the same run again is not stored twice.
        assert (await server.client.get(f"/api/v1/runs/{later['id']}")).status_code == 404
        assert (await server.client.get("/readyz")).json() == {"status": "ready"}
        assert (await lag(server, "bytes") or 0) > 0
        assert (await lag(server, "seconds") or 0) > 0
        replica.ask("SELECT pg_wal_replay_resume()")
        replica.catch_up(primary)
        runs, as_of = await counted(server)
        assert runs == 2
        assert as_of >= current
        assert (await server.client.get(f"/api/v1/runs/{later['id']}")).status_code == 200
        await is_level(server)


async def is_level(server: Server) -> None:
    """Wait until there is no lag: PostgreSQL writes WAL by itself, too."""
    async with asyncio.timeout(60):
        while await lag(server, "bytes") != 0:
            await asyncio.sleep(0.05)


async def lag(server: Server, unit: str) -> float | None:
    """Lag of the replica in /metrics; None if no replica is read."""
    metrics = (await server.client.get("/metrics")).text
    match = re.search(rf"^macmeter_replica_lag_{unit} (.+)$", metrics, re.MULTILINE)
    return float(match[1]) if match else None


async def test_a_transaction_that_a_replica_does_not_name_is_not_missed(
    primary: EmbeddedPostgres, replica: Replica, name: str
) -> None:
    """A replica's snapshot doesn't list transactions in progress between its xmin and xmax."""
    async with serving(primary.url(name), database_read_url=replica.url(name)) as server:
        first, second = disk_run(), disk_run()
        await server.stored(first, second)
        replica.catch_up(primary)
        assert (await counted(server))[0] == 2
        with psycopg.connect(**connection_options(primary.url(name))) as slow:
            slow.execute("DELETE FROM runs WHERE run_id = %s", [first["id"]])
            for number in range(3):
                # Each answer's snapshot ends after the transaction that is still open.
                await server.stored(disk_run())
                replica.catch_up(primary)
                assert (await counted(server))[0] == 3 + number
            slow.commit()
        replica.catch_up(primary)
        assert (await counted(server))[0] == 4


async def test_an_answer_is_never_older_than_its_version(
    primary: EmbeddedPostgres,
    replica: Replica,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A version covers everything replayed before it was read, which a snapshot may not."""
    databases = database.Databases(primary.url(name), replica.url(name))

    async def replayed_meanwhile(connection: AsyncConnection) -> changelog.Log:
        log = await changelog.find_log(connection)
        engine = create_engine(primary.url(name))
        with engine.begin() as writing:
            writing.execute(text(NEW_FLEET))
        engine.dispose()
        replica.catch_up(primary)
        return log

    async def fleets(connection: AsyncConnection) -> int:
        return int(await connection.scalar(text("SELECT count(*) FROM fleets")) or 0)

    monkeypatch.setattr(jobs, "find_log", replayed_meanwhile)
    result, _ = await jobs.of_one_moment(databases, fleets)
    assert result == 1


@pytest.mark.thorough
async def test_a_lost_replica(primary: EmbeddedPostgres, replica: Replica, name: str) -> None:
    alone = replica.url(name)
    beside = either(replica.socket, primary.layout.socket, name, "prefer-standby")
    async with (
        serving(primary.url(name), database_read_url=alone) as strict,
        serving(primary.url(name), database_read_url=beside) as lenient,
    ):
        run = disk_run()
        await lenient.stored(run)
        replica.catch_up(primary)
        address = f"/api/v1/runs/{run['id']}"
        check_replica(primary.url(name), alone)
        for server in (strict, lenient):
            assert (await server.client.get(address)).status_code == 200
            assert (await counted(server))[0] == 1
        assert await lag(lenient, "bytes") is not None
        replica.kill()
        for path in (address, f"/api/v1/answer?{QUESTION}"):
            for _ in range(2):
                away = await strict.client.get(path)
                assert (away.status_code, away.json()["code"]) == (503, "database_unavailable")
                assert int(away.headers["Retry-After"]) > 0
        assert (await strict.client.get("/readyz")).status_code == 503
        # An upload needs no replica.
        assert (await strict.put(disk_run())).status_code == 201
        await answered(lenient, address)
        await answered(lenient, f"/api/v1/answer?{QUESTION}")
        assert (await counted(lenient))[0] == 2
        assert await lag(lenient, "bytes") is None


async def answered(server: Server, path: str) -> None:
    """Repeat until answered: each connection to the replica breaks once."""
    for _ in range(20):
        response = await server.client.get(path)
        if response.status_code == 200:
            return
        assert response.status_code == 503
    raise AssertionError(response.text)


@pytest.mark.thorough
def test_a_promoted_replica_has_every_acknowledged_run_once(
    tmp_path: Path, primary: EmbeddedPostgres
) -> None:
    """A commit is on a synchronous standby, too, before it is acknowledged."""
    migrate(primary.url())
    with replica_of(primary) as replica:
        with primary.running.connect() as admin:
            admin.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            admin.execute("SELECT pg_reload_conf()")
        fail_over(primary, replica, tmp_path)


def fail_over(primary: EmbeddedPostgres, replica: Replica, tmp_path: Path) -> None:
    """Fail over while three machines upload, retrying until each run is confirmed."""
    name = "macmeter"
    addresses = {
        "DATABASE_URL": either(primary.layout.socket, replica.socket, name, "read-write"),
        "DATABASE_READ_URL": either(replica.socket, primary.layout.socket, name, "prefer-standby"),
        "DATASET_DIR": str(tmp_path / "dataset"),
    }
    with ForkedServer(tmp_path, **addresses) as server:
        clients = [Client(server, token(primary.url()), seed) for seed in range(3)]
        for client in clients:
            client.start()
        wait_for_uploads(clients, server)
        pid_file = primary.layout.cluster / "postmaster.pid"
        os.kill(int(pid_file.read_text().split("\n")[0]), signal.SIGKILL)
        # It isn't restarted: the machine is gone.
        replica.promote()
        wait_for_uploads(clients, server)
        for client in clients:
            client.ending.set()
        for client in clients:
            client.join()
        acknowledged = {run_id for client in clients for run_id in client.acknowledged}
        stored = runs_of(replica.url(name))
        assert acknowledged <= set(stored)
        assert len(stored) == len(set(stored))
        assert behind_answer(server) == len(stored)


def runs_of(url: str) -> list[str]:
    with psycopg.connect(**connection_options(url)) as connection:
        rows = connection.execute(
            "SELECT run_id::text FROM runs JOIN documents USING (machine_id, run_id)"
            " WHERE source = 'measured'"
        )
        return [row[0] for row in rows]


def behind_answer(server: LiveServer) -> int:
    """Count the runs in the answer, once there is one."""
    for _ in range(600):
        response = server.ask(f"/api/v1/answer?{QUESTION}&where=source:measured")
        if response.status_code == 200:
            groups: list[dict[str, Any]] = response.json()["results"][0]["groups"]
            return sum(group["runs"] for group in groups)
        assert response.status_code == 503, response.text
        time.sleep(0.1)
    raise AssertionError(response.text)


async def test_several_hosts_are_one_address() -> None:
    url = "postgresql://u:p%40x@a:1,b:2/db?target_session_attrs=read-write"
    assert connection_options(url) == {
        "host": "a,b",
        "port": "1,2",
        "user": "u",
        "password": "p@x",
        "dbname": "db",
        "target_session_attrs": "read-write",
    }
    engine = database.engine("postgresql://127.0.0.1:1,127.0.0.1:2/db")
    with pytest.raises(Exception, match=r"port 2|:2"):
        async with engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
