"""Uploads that share a commit: like separate ones, whatever happens to one of them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from macmeter.accounts import binding, tokens
from macmeter.accounts.tokens import DEVICE, FLEET, TokenPrincipal
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.platform import database
from macmeter.platform.errors import Problem
from macmeter.platform.settings import CHECKOUT
from macmeter.runs import group_commit
from macmeter.runs.store import Upload, document_row, store
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from support.documents import disk_run, encoded
from support.server import Server


@pytest.fixture
async def engine(server: Server) -> AsyncIterator[AsyncEngine]:
    engine = database.engine(server.database_url)
    yield engine
    await engine.dispose()


async def execute(engine: AsyncEngine, statement: str, **values: Any) -> list[Any]:
    async with engine.begin() as connection:
        found = await connection.execute(text(statement), values)
        return list(found) if found.returns_rows else []


async def fleet_with_a_machine(server: Server) -> tuple[str, str]:
    """A fleet's token, and a machine already bound to it."""
    token, machine = server.token("fleet"), str(uuid.uuid4())
    assert (await server.put(disk_run(machine=machine), token)).status_code == 201
    return token, machine


@contextlib.asynccontextmanager
async def held_up(server: Server, engine: AsyncEngine) -> AsyncIterator[None]:
    """Block all writes of runs in the database."""
    async with engine.connect() as connection:
        await connection.execute(text("LOCK TABLE run_ids IN SHARE ROW EXCLUSIVE MODE"))
        yield


def upload(server: Server, token: str, **changes: Any) -> asyncio.Task[httpx.Response]:
    return asyncio.create_task(server.put(disk_run(**changes), token))


async def until_under_way(server: Server) -> None:
    """Wait until all uploads so far have reached the database."""
    shared = server.app.state.server.ingest._groups
    async with asyncio.timeout(300):
        while shared._task is None or shared._task.done() or shared._waiting:
            await asyncio.sleep(0.01)


async def until_waiting(server: Server, count: int) -> None:
    """Wait until that many uploads are queued behind the current ones."""
    queue = server.app.state.server.ingest._groups._waiting
    async with asyncio.timeout(300):
        while len(queue) < count:
            await asyncio.sleep(0.01)


async def test_uploads_that_wait_together_share_a_commit(
    server: Server, engine: AsyncEngine
) -> None:
    token, machine = await fleet_with_a_machine(server)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        tasks = [upload(server, token, machine=machine) for _ in range(9)]
        await until_waiting(server, 9)
    assert {(await task).status_code for task in (first, *tasks)} == {201}
    counts = "SELECT count(*) FROM changes GROUP BY xact ORDER BY xact DESC LIMIT 1"
    assert [tuple(row) for row in await execute(engine, counts)] == [(9,)]


async def test_who_came_together_waits_for_the_others_once_more_and_nobody_waits_alone(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, machine = await fleet_with_a_machine(server)
    monkeypatch.setattr(group_commit, "_MOMENT_SECONDS", 600)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        second = upload(server, token, machine=machine)
        await until_waiting(server, 1)
    # They came one after the other; the second waits for another from the first one's client.
    assert (await first).status_code == 201
    third = upload(server, token, machine=machine)
    assert {(await task).status_code for task in (second, third)} == {201}
    fourth = upload(server, token, machine=machine)
    await until_waiting(server, 1)
    monkeypatch.setattr(group_commit, "_MOMENT_SECONDS", 0.001)
    fifth = upload(server, token, machine=machine)
    assert {(await task).status_code for task in (fourth, fifth)} == {201}
    counts = "SELECT count(*) FROM changes GROUP BY xact ORDER BY xact"
    assert [*await execute(engine, counts)] == [(1,), (1,), (2,), (2,)]
    # No others come: one upload waits for a moment, and the next doesn't wait at all.
    assert (await upload(server, token, machine=machine)).status_code == 201
    monkeypatch.setattr(group_commit, "_MOMENT_SECONDS", 600)
    assert (await upload(server, token, machine=machine)).status_code == 201


async def test_one_bad_run_harms_none_that_wait_with_it(
    server: Server, engine: AsyncEngine
) -> None:
    token, machine = await fleet_with_a_machine(server)
    refuse = "ALTER TABLE runs ADD CHECK (chip IS DISTINCT FROM 'Apple M0')"
    await execute(engine, refuse)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        chips = ["Apple M1", "Apple M0", "Apple M2", "Apple M3"]
        tasks = [upload(server, token, machine=machine, chip=chip) for chip in chips]
        await until_waiting(server, 4)
    assert (await first).status_code == 201
    assert [(await task).status_code for task in tasks] == [201, 500, 201, 201]
    assert await execute(engine, "SELECT count(*) FROM runs") == [(5,)]


async def test_what_the_driver_can_not_send_harms_none_that_wait_with_it(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, machine = await fleet_with_a_machine(server)

    async def breaking(connection: Any, group: list[Upload]) -> set[uuid.UUID]:
        if any(upload_waiting.run.columns["chip"] == "Apple M0" for upload_waiting in group):
            raise OverflowError("Python int too large to convert")
        return await store(connection, group)

    monkeypatch.setattr(group_commit, "store", breaking)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        chips = ["Apple M1", "Apple M0", "Apple M2"]
        tasks = [upload(server, token, machine=machine, chip=chip) for chip in chips]
        await until_waiting(server, 3)
    assert (await first).status_code == 201
    assert [(await task).status_code for task in tasks] == [201, 500, 201]


async def test_one_bad_line_harms_no_other_of_its_batch(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    token, machine = await fleet_with_a_machine(server)
    ingest = server.app.state.server.ingest
    accept = ingest.accept
    bad = disk_run(machine=machine)

    async def breaking(content: bytes, *arguments: Any) -> Any:
        if bad["id"].encode() in content:
            raise RecursionError("anything at all")
        return await accept(content, *arguments)

    monkeypatch.setattr(ingest, "accept", breaking)
    lines = [disk_run(machine=machine), bad, *(disk_run(machine=machine) for _ in range(40))]
    response = await server.client.post(
        "/api/v1/runs/batch",
        content=b"\n".join(map(encoded, lines)),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
    )
    statuses = [json.loads(line)["status"] for line in response.content.splitlines()]
    assert (response.status_code, statuses) == (200, [201, 500, *[201] * 40])


async def test_the_same_run_twice_in_a_moment_is_stored_once(
    server: Server, engine: AsyncEngine
) -> None:
    token, machine = await fleet_with_a_machine(server)
    document = disk_run(machine=machine)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        same = [asyncio.create_task(server.put(document, token)) for _ in range(4)]
        await until_waiting(server, 4)
    assert (await first).status_code == 201
    assert sorted([(await task).status_code for task in same]) == [200, 200, 200, 201]


REVOKED = [
    ("UPDATE tokens SET revoked_at = now()", 401, "token_revoked"),
    ("UPDATE tokens SET expires_at = now()", 401, "token_expired"),
    ("UPDATE machines SET fleet_id = NULL, reserved = true", 403, "machine_bound"),
]


@pytest.mark.parametrize(("statement", "status", "code"), REVOKED)
async def test_what_was_taken_from_a_token_is_gone_at_once(
    server: Server, engine: AsyncEngine, statement: str, status: int, code: str
) -> None:
    token, machine = await fleet_with_a_machine(server)
    assert (await server.put(disk_run(machine=machine), token)).status_code == 201
    await execute(engine, statement)
    for _ in range(2):
        refused = await server.put(disk_run(machine=machine), token)
        assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert await execute(engine, "SELECT count(*) FROM runs") == [(2,)]


async def test_a_run_is_as_visible_as_its_fleet_is_now(server: Server, engine: AsyncEngine) -> None:
    token, machine = await fleet_with_a_machine(server)
    assert (await server.put(disk_run(machine=machine), token)).status_code == 201

    async def told() -> tuple[int, int, int]:
        listed = (await server.client.get("/api/v1/runs")).json()["total"]
        machines = (await server.client.get(f"/api/v1/machines/{machine}")).status_code
        groups = await server.groups("metric=disk.write_average")
        return listed, machines, sum(group["runs"] for group in groups)

    for visibility, count in (
        ("private", (0, 404, 0)),
        ("public", (2, 200, 2)),
        ("private", (0, 404, 0)),
    ):
        await execute(engine, f"UPDATE fleets SET visibility = '{visibility}'")  # noqa: S608
        assert await told() == count


async def test_a_full_queue_asks_to_come_again(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "MOST_WAITING", 2)
    token, machine = await fleet_with_a_machine(server)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        waiting = [upload(server, token, machine=machine) for _ in range(2)]
        await until_waiting(server, 2)
        refused = await server.put(disk_run(machine=machine), token)
    assert (refused.status_code, refused.json()["code"]) == (503, "server_full")
    assert int(refused.headers["Retry-After"]) > 0
    assert {(await task).status_code for task in (first, *waiting)} == {201}


async def test_who_is_told_to_come_again_is_not_stored_afterwards(
    server: Server, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "TURN_SECONDS", 0.1)  # and this server has patience
    token, machine = await fleet_with_a_machine(server)
    async with held_up(server, engine):
        first = upload(server, token, machine=machine)
        await until_under_way(server)
        refused = await server.put(disk_run(machine=machine), token)
        assert refused.status_code == 503
        assert not first.done()
    assert (await first).status_code == 201
    assert await execute(engine, "SELECT count(*) FROM runs") == [(2,)]


async def test_a_connection_that_broke_is_made_anew(server: Server, engine: AsyncEngine) -> None:
    token, machine = await fleet_with_a_machine(server)
    assert (await server.put(disk_run(machine=machine), token)).status_code == 201
    await execute(
        engine,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND datname = current_database()",
    )
    statuses = [(await server.put(disk_run(machine=machine), token)).status_code for _ in range(3)]
    assert statuses[-1] == 201
    assert set(statuses) <= {201, 503}


ODD: list[dict[str, Any]] = [
    {},
    {
        "state": "incomplete",
        "labels": {"bay": "1", "ü": "ß"},
        "finished_at": "2026-11-20T11:00:00Z",
    },
    {"environment": {"virtual_machine": {"vcpus": 4}, "os_version": "15.2 beta"}},
    {"source": "imported", "tool": {"name": "fio"}, "started_at": None},
    {"series": []},
    {
        "target": {"storage": "usb3", "link_speed": 5e9, "image": {"host": {"storage": "usb4"}}},
        "series": [
            {
                "metric": "disk.read_average",
                "values": [6.1e9],
                "printed": ["6.1 GB/s"],
                "qualifier": "about",
            }
        ],
    },
    json.loads((CHECKOUT / "tests" / "documents" / "full.json").read_bytes()),
]
ROWS = """
    SELECT to_jsonb(runs) - 'run_id' - 'received_at',
        (SELECT jsonb_agg(to_jsonb(results) - 'run_id' ORDER BY series_id) FROM results
         WHERE results.run_id = runs.run_id),
        (SELECT jsonb_agg(d.size) FROM documents d WHERE d.run_id = runs.run_id)
    FROM runs ORDER BY received_at
"""


@pytest.mark.parametrize("number", range(len(ODD)))
async def test_a_first_run_and_a_later_one_write_the_same_rows(
    server: Server, engine: AsyncEngine, number: int
) -> None:
    document = {**disk_run(), **ODD[number]}
    document = {name: value for name, value in document.items() if value is not None}
    token = server.token()
    for _ in range(2):  # the first binds the machine, in the same transaction
        document["id"] = str(uuid.uuid4())
        response = await server.put(document, token)
        assert response.status_code == 201, response.text
        raw = await server.client.get(f"/api/v1/runs/{document['id']}/document")
        assert raw.content == encoded(document)
    first, later = await execute(engine, ROWS)
    assert first == later


async def test_the_statement_takes_what_binding_takes_and_nothing_else(
    server: Server, engine: AsyncEngine
) -> None:
    own, other = uuid.uuid4(), uuid.uuid4()
    for fleet in (own, other):
        await execute(
            engine, "INSERT INTO fleets VALUES (:id, :name, 'private')", id=fleet, name=str(fleet)
        )
    cases = itertools.product((DEVICE, FLEET), (None, own), (None, own, other), range(3), (0, 1))
    count = 0
    for scope, token_fleet, machine_fleet, bound, reserved in cases:
        if scope == FLEET and token_fleet is None:
            continue
        token, stranger, machine = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
        for token_id in (token, stranger):
            await execute(
                engine,
                "INSERT INTO tokens (token_id, secret_sha256, scope, fleet_id)"
                " VALUES (:token, :secret, :scope, :fleet)",
                token=token_id,
                secret=token_id.bytes,
                scope=scope,
                fleet=token_fleet,
            )
        await execute(
            engine,
            "INSERT INTO machines (machine_id, bound_token_id, fleet_id, reserved)"
            " VALUES (:machine, :bound, :fleet, :reserved)",
            machine=machine,
            bound=(None, token, stranger)[bound],
            fleet=machine_fleet,
            reserved=bool(reserved),
        )
        bearer = TokenPrincipal(token, scope, token_fleet, None, None)
        async with engine.connect() as connection:
            try:
                may = await binding._is_bound_to(connection, machine, bearer, lock=False)
            except Problem:
                may = False
        content = encoded(disk_run(machine=str(machine), series=[]))
        run = derive(*parse(content, now=datetime.now(UTC)))
        upload = Upload(run, [], await document_row(content), {"token_id": token})
        async with engine.begin() as connection:
            stored = bool(await store(connection, [upload]))
        assert stored is may, (scope, token_fleet, machine_fleet, bound, reserved)
        count += stored
    assert count > 3


async def test_eight_clients_with_one_token_meet_no_limit_and_read_what_they_sent(
    server: Server, engine: AsyncEngine
) -> None:
    token, machine = await fleet_with_a_machine(server)

    async def client() -> list[int]:
        return [(await server.put(disk_run(machine=machine), token)).status_code for _ in range(20)]

    statuses = list(itertools.chain(*await asyncio.gather(*(client() for _ in range(8)))))
    assert statuses == [201] * 160
    bearer = {"Authorization": f"Bearer {token}"}
    response = await server.client.get("/api/v1/runs", headers=bearer)
    assert response.json()["total"] == 161
    assert (await server.client.get("/api/v1/runs")).json()["total"] == 0


def test_a_token_is_known_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    known_tokens = tokens.KnownTokens(most=2, seconds=60)
    bearer = TokenPrincipal(uuid.uuid4(), "device", None, None, None)
    known_tokens.keep("a", bearer)
    assert known_tokens.get("a") == bearer
    assert known_tokens.get("b") is None
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61)
    assert known_tokens.get("a") is None
    for secret in "bcde":
        known_tokens.keep(secret, bearer)
    assert len(known_tokens._tokens) <= 2
    known_tokens.forget(bearer.token_id)
    assert known_tokens._tokens == {}


async def batch(server: Server, token: str, lines: list[bytes]) -> list[int]:
    """Statuses of the lines, which are answered in order."""
    response = await server.client.post(
        "/api/v1/runs/batch",
        content=b"\n".join(lines),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
    )
    results = [json.loads(line) for line in response.text.splitlines()]
    assert [result["line"] for result in results] == list(range(1, len(lines) + 1))
    return [result["status"] for result in results]


async def test_the_lines_of_a_batch_share_commits(server: Server, engine: AsyncEngine) -> None:
    token, machine = await fleet_with_a_machine(server)
    lines = [encoded(disk_run(machine=machine)) for _ in range(33)]
    lines[20] = b"{}"
    assert await batch(server, token, lines) == [201] * 20 + [422] + [201] * 12
    xacts = "SELECT count(DISTINCT xact), count(*) FROM changes"
    ((shared, runs),) = await execute(engine, xacts)
    assert runs == 33
    assert shared <= 8


async def test_the_first_good_line_of_a_batch_binds_a_fresh_token(server: Server) -> None:
    lines = [b"{}", *(encoded(disk_run()) for _ in range(6))]
    assert await batch(server, server.token(), lines) == [422, 201] + [403] * 5
