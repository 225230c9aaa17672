"""Public runs that are far outside similar machines' results are reviewed."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from macmeter.models import Failure, Run
from macmeter.moderation import outliers
from macmeter.statistics.outliers import FEWEST_MACHINES
from sqlalchemy import select, update
from support import documents, people
from support.databases import transaction
from support.documents import Document
from support.server import Server

REASON = (
    "Write speed: 20 times the median of 30 similar Macs. "
    "Nine in ten of them measured 0.99 to 1.01 times that median."
)
# A chip without published limits: results far outside aren't also impossible.
disk_run = partial(documents.disk_run, chip="Apple M9 Pro")
Compare = Callable[[], Awaitable[None]]


@pytest.fixture
async def compare(server: Server) -> Compare:
    """Function that runs the background comparison when a test says so."""

    async def once() -> None:
        await asyncio.to_thread(outliers.compare, server.database_url, None)

    await once()
    return once


def similar(count: int, **changes: Any) -> list[Document]:
    """That many Macs of one kind with nearly the same results."""
    return [disk_run(write=4e9 * (1 + 0.001 * number), **changes) for number in range(count)]


async def withdrawal(server: Server, run: Document, **headers: str) -> Any:
    response = await server.client.get(f"/api/v1/runs/{run['id']}", headers=headers)
    return response.json()["withdrawn"]


async def test_what_is_far_outside_waits_for_a_judgement_and_is_judged_once(
    server: Server, compare: Compare
) -> None:
    await server.stored(*similar(FEWEST_MACHINES))
    await compare()
    middle = 4e9 * 1.0145
    cautious = {"os_version": "26.4", "power_source": "battery"}
    fast, slow = disk_run(write=20 * middle), disk_run(write=middle / 20)
    explained = disk_run(write=middle / 20, environment=cautious)
    unexplained = disk_run(write=20 * middle, environment=cautious)
    honest = disk_run(write=1.9 * middle)
    alone = disk_run(write=20 * middle, chip="Apple M9")
    await server.stored(fast, slow, explained, unexplained, honest, alone)
    token, fleet_run = server.token("fleet"), disk_run(write=20 * middle)
    assert (await server.put(fleet_run, token)).status_code == 201
    await compare()
    judgement = await withdrawal(server, fast)
    assert (judgement["by"], judgement["reason"]) == ("quarantine", REASON)
    assert "0.05 times the median" in (await withdrawal(server, slow))["reason"]
    assert await withdrawal(server, unexplained) is not None
    for run in (explained, honest, alone):
        assert await withdrawal(server, run) is None
    # A fleet's runs are not affected.
    assert await withdrawal(server, fleet_run, Authorization=f"Bearer {token}") is None

    url = server.database_url
    admin = await people.sign_in(url, people.make_person(url, "Root", server_admin=True))
    waiting = (await server.client.get("/api/v1/review", headers=admin)).json()["items"]
    assert {item["run"]["id"] for item in waiting} == {fast["id"], slow["id"], unexplained["id"]}
    stands = {"decision": "stands", "answer": "The owner has shown how it was measured."}
    path = f"/api/v1/review/{fast['id']}"
    assert (await server.client.put(path, json=stands, headers=admin)).status_code == 204
    await compare()
    assert await withdrawal(server, fast) is None


async def test_what_an_import_brings_is_taken_as_it_is(
    server: Server, compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outliers, "_MAX_CHANGES", FEWEST_MACHINES)
    far = disk_run(write=80e9)
    await server.stored(*similar(FEWEST_MACHINES), far)
    await compare()
    assert await withdrawal(server, far) is None
    later = disk_run(write=80e9)
    await server.stored(later)
    await compare()
    assert await withdrawal(server, later) is not None


async def test_what_is_stored_anew_is_not_judged_again(server: Server, compare: Compare) -> None:
    """A merge of two machines stores old runs again."""
    await server.stored(*similar(FEWEST_MACHINES))
    await compare()
    older = disk_run(write=80e9)
    await server.stored(older)
    with people.writing(server.database_url) as connection:
        statement = update(Run).where(Run.run_id == uuid.UUID(older["id"]))
        connection.execute(statement.values(received_at=datetime.now(UTC) - timedelta(days=2)))
    await compare()
    assert await withdrawal(server, older) is None


async def test_machines_are_counted_not_runs(server: Server, compare: Compare) -> None:
    busy = disk_run()["machine"]["id"]
    await server.stored(*similar(FEWEST_MACHINES - 2), *similar(10, machine=busy))
    far = disk_run(write=80e9)
    await server.stored(far)
    await compare()
    assert await withdrawal(server, far) is None  # among 29, however many runs they have
    # A Mac's own repeated claims don't count: it is compared with the others.
    again = disk_run(write=80e9)
    more = [disk_run(write=80e9, machine=again["machine"]["id"]) for _ in range(4)]
    await server.stored(*similar(1), again, *more)
    await compare()
    assert [await withdrawal(server, run) is None for run in (again, *more)] == [False] * 5


async def test_a_run_that_can_not_be_compared_keeps_no_other_from_being(
    server: Server, compare: Compare, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(*similar(FEWEST_MACHINES))
    await compare()
    bad, far = disk_run(write=2e12), disk_run(write=1e12)
    await server.stored(bad, far)
    reason_before = outliers.reason_of

    def breaking(result: Any, usual: Any) -> str:
        if str(result.run_id) == bad["id"]:
            raise OverflowError("anything at all")
        return reason_before(result, usual)

    monkeypatch.setattr(outliers, "reason_of", breaking)
    await compare()
    assert await withdrawal(server, far) is not None
    assert await withdrawal(server, bad) is None
    with transaction(server.database_url) as connection:
        (failed,) = connection.execute(select(Failure)).all()
        assert failed.item.endswith(bad["id"])
        connection.execute(update(Failure).values(retry_at=failed.first_at))
    monkeypatch.undo()
    await compare()
    assert await withdrawal(server, bad) is not None, "it was tried again"
    with transaction(server.database_url) as connection:
        assert connection.execute(select(Failure)).all() == []
