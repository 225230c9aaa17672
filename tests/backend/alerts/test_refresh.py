"""Fleets' pages and alerts are independent: a problem in one Mac or fleet stops no other."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from macmeter.alerts import refresh, state
from macmeter.models import Alert, Failure, FleetMachine, FleetState
from macmeter.platform.processes import process
from sqlalchemy import insert, select
from support.databases import transaction
from support.documents import disk_run
from support.fleet_runs import Kept, upload
from support.people import make_fleet, make_person, sign_in, uploader_of
from support.poison import DOCUMENTS, poison
from support.server import Server

NOW = datetime.now(UTC)


@pytest.fixture
async def kept(database_url: str) -> AsyncIterator[Kept]:
    async with Kept(database_url) as refreshed:
        yield refreshed


async def make_fleet_with_runs(server: Server, name: str, runs: int = 1) -> tuple[uuid.UUID, Any]:
    fleet_id = make_fleet(server.database_url, name)
    secret = uploader_of(server.database_url, fleet_id)
    documents = [disk_run(agent={"version": "0.1.0"}) for _ in range(runs)]
    await upload(server.client, secret, documents)
    return fleet_id, documents


def failures(server: Server) -> dict[tuple[str, str], Failure]:
    with transaction(server.database_url) as connection:
        rows = connection.execute(select(Failure)).all()
        return {(row.work, row.item): row for row in rows}  # type: ignore[misc]


def shown(server: Server, fleet_id: uuid.UUID) -> tuple[bool, list[str | None]]:
    """Return whether a fleet's page exists, and the agents of its machines."""
    with transaction(server.database_url) as connection:
        state = connection.scalar(select(FleetState.as_of).where(FleetState.fleet_id == fleet_id))
        agents = select(FleetMachine.agent_version).where(FleetMachine.fleet_id == fleet_id)
        return state is not None, list(connection.scalars(agents))


def spoil(server: Server, fleet_id: uuid.UUID) -> None:
    """Add an alert that this version can't read."""
    values = {"kind": "regression", "cause": "update 26.4", "detail": {}}
    times = {"opened_at": NOW, "seen_at": NOW}
    with transaction(server.database_url) as connection:
        new = insert(Alert).values(alert_id=uuid.uuid4(), fleet_id=fleet_id, **values, **times)
        connection.execute(new)


async def test_documents_of_any_kind_stop_neither_their_fleet_nor_another(
    server: Server, kept: Kept
) -> None:
    bad, documents = await make_fleet_with_runs(server, "bad", len(DOCUMENTS) + 1)
    good, _ = await make_fleet_with_runs(server, "good")
    for kind, document in zip(DOCUMENTS, documents, strict=False):
        poison(server.database_url, document["id"], kind)
    await kept.up_to(NOW)
    assert shown(server, good) == (True, ["0.1.0"])
    is_shown, agents = shown(server, bad)
    assert (is_shown, len(agents)) == (True, len(DOCUMENTS) + 1)
    assert agents.count("0.1.0") > 1, "those that say it"
    items = {item for work, item in failures(server) if work == "documents"}
    assert documents[DOCUMENTS.index("not JSON")]["id"] in items
    assert documents[-1]["id"] not in items


async def test_a_fleet_that_can_not_be_worked_out_stops_no_other(
    server: Server, kept: Kept
) -> None:
    first, _ = await make_fleet_with_runs(server, "a first")
    bad, _ = await make_fleet_with_runs(server, "bad")
    last, _ = await make_fleet_with_runs(server, "z last")
    spoil(server, bad)
    await kept.up_to(NOW)
    assert shown(server, first)[0]
    assert shown(server, last)[0]
    assert failures(server).keys() == {("alerts", str(bad))}


async def test_it_is_tried_again_later_and_later_until_it_goes_well(
    server: Server, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, _ = await make_fleet_with_runs(server, "bad")
    good, _ = await make_fleet_with_runs(server, "good")
    fleet_ids: list[uuid.UUID] = []

    async def breaking(reading: Any, fleet_id: uuid.UUID, *arguments: Any) -> Any:
        fleet_ids.append(fleet_id)
        if fleet_id == bad:
            raise ZeroDivisionError("anything at all")
        return await state.state_of(reading, fleet_id, *arguments)

    monkeypatch.setattr(refresh, "state_of", breaking)
    for seconds in (0, 30, 59):
        await kept.up_to(NOW + timedelta(seconds=seconds))
    assert (fleet_ids.count(bad), shown(server, good)[0]) == (1, True)
    assert shown(server, bad) == (False, []), "nothing of it is half done"
    await kept.up_to(NOW + timedelta(seconds=61))
    failed = failures(server)["alerts", str(bad)]
    assert (failed.attempts, failed.reason) == (2, "ZeroDivisionError: anything at all")
    assert failed.retry_at == failed.last_at + timedelta(minutes=2)
    monkeypatch.undo()
    await kept.up_to(NOW + timedelta(minutes=5))
    assert shown(server, bad)[0]
    assert not failures(server)


async def test_a_fleet_that_ends_the_process_stops_no_other(
    server: Server, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Simulates a fleet whose data takes all memory, so that the kernel kills its reader."""
    bad, _ = await make_fleet_with_runs(server, "bad")
    good, _ = await make_fleet_with_runs(server, "good")

    async def killed(name: str, function: Any, url: str, columns: Any, due: Any, now: Any) -> Any:
        if bad in due:
            raise ConnectionResetError(os.strerror(104))
        return await process.run_in_subprocess_async(name, function, url, columns, due, now)

    monkeypatch.setattr(refresh, "run_in_subprocess_async", killed)
    await kept.up_to(NOW)
    assert shown(server, good)[0]
    assert ("alerts", str(bad)) in failures(server)


async def test_admins_change_macs_while_their_fleet_is_refreshed(
    server: Server, kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither waits for the other, as both would until a deadlock ends one."""
    fleet_id, (document,) = await make_fleet_with_runs(server, "large")
    url, loop = server.database_url, asyncio.get_running_loop()
    admin = await sign_in(url, make_person(url, "Ada", roles={fleet_id: "admin"}))
    statuses = []

    async def change(*arguments: Any) -> state.State:
        body = {"machines": [{"id": document["machine"]["id"], "name": "Kiosk 7"}]}
        patch = server.client.patch("/api/v1/fleets/large/machines", json=body, headers=admin)
        async with asyncio.timeout(20):
            future = asyncio.run_coroutine_threadsafe(patch, loop)
            statuses.append((await asyncio.wrap_future(future)).status_code)
        return await state.state_of(*arguments)

    async def in_a_thread(_: str, function: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.to_thread(function, *arguments)

    monkeypatch.setattr(refresh, "state_of", change)
    monkeypatch.setattr(refresh, "run_in_subprocess_async", in_a_thread)
    await kept.up_to(NOW)
    assert statuses == [200]
    assert failures(server) == {}
