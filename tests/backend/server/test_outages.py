"""A database that is unavailable, full or busy: the right status, and one line in the log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import uuid
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest
from macmeter.platform import database
from psycopg import errors
from sqlalchemy import text
from support.documents import disk_run, encoded
from support.server import Server

ANSWER = "/api/v1/answer?metric=disk.write_average"
LOCK = "LOCK TABLE results IN ACCESS EXCLUSIVE MODE"


@contextlib.asynccontextmanager
async def locked(server: Server) -> AsyncIterator[None]:
    """Lock results against reads and writes."""
    engine = database.engine(server.database_url)
    async with engine.begin() as connection:
        await connection.execute(text(LOCK))
        yield
    await engine.dispose()


async def test_stuck_questions_stop_nobody_else(server: Server) -> None:
    await server.stored(disk_run())
    token = server.token()
    async with locked(server):
        stuck = [asyncio.create_task(server.client.get(ANSWER)) for _ in range(12)]
        await asyncio.sleep(0.2)
        bearer = {"Authorization": f"Bearer {token}"}
        assert (await server.client.get("/healthz")).status_code == 200
        assert (await server.client.get("/readyz")).status_code == 200
        response = await server.client.get("/api/v1/tokens/self", headers=bearer)
        assert response.status_code == 200
        # The upload waits for the table, not for a connection.
        upload = asyncio.create_task(server.put(disk_run(), token))
        await asyncio.sleep(0.2)
        assert not any(task.done() for task in (upload, *stuck))
    assert (await upload).status_code == 201
    for slow in await asyncio.gather(*stuck):
        assert slow.status_code == 200


async def test_questions_beyond_the_pool_are_refused_soon(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = server.app.state.server
    monkeypatch.setattr(part.reading.pool, "_timeout", 0.1)
    async with contextlib.AsyncExitStack() as stack:
        for _ in range(part.reading.pool.size()):
            await stack.enter_async_context(part.reading.connect())
        refused = await server.client.get(f"/api/v1/runs/{uuid.uuid4()}/document")
        assert (refused.status_code, refused.json()["code"]) == (503, "server_full")
        assert int(refused.headers["Retry-After"]) > 0
        assert (await server.put(disk_run())).status_code == 201


RAISED: dict[str, tuple[Exception, int, str]] = {
    "disk full": (errors.DiskFull("could not extend file"), 507, "disk_full"),
    "away": (psycopg.OperationalError("server closed the connection"), 503, "database_unavailable"),
    "starting": (errors.CannotConnectNow("starting up"), 503, "database_unavailable"),
    "slow": (errors.QueryCanceled("statement timeout"), 503, "database_unavailable"),
}


def fail_while_storing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    execute = psycopg.AsyncCursor.execute

    async def fail(cursor: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        if "INTO run_ids" in str(query):
            raise error
        return await execute(cursor, query, *arguments, **options)

    monkeypatch.setattr(psycopg.AsyncCursor, "execute", fail)


@pytest.mark.parametrize("name", RAISED)
async def test_what_the_driver_says_while_storing(
    server: Server, name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    error, status, code = RAISED[name]
    fail_while_storing(monkeypatch, error)
    with caplog.at_level(logging.WARNING):
        response = await server.put(disk_run())
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert int(response.headers["Retry-After"]) > 0
    (line,) = caplog.messages
    assert response.headers["X-Request-ID"] == response.json()["request_id"]
    assert response.json()["request_id"] in line
    assert "\n" not in caplog.text.strip()


async def test_a_full_disk_answers_every_line_of_a_batch(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fail_while_storing(monkeypatch, errors.DiskFull("could not extend file"))
    response = await server.client.post(
        "/api/v1/runs/batch",
        content=b"\n".join(encoded(disk_run()) for _ in range(3)),
        headers={
            "Authorization": f"Bearer {server.token('fleet')}",
            "Content-Type": "application/x-ndjson",
        },
    )
    assert [json.loads(line)["status"] for line in response.text.splitlines()] == [507] * 3
    assert len(caplog.messages) == 1
