"""Trust in a run is a dimension, and follows the owner of its Mac and its fleet."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator
from typing import Any

import pytest
from macmeter.platform.database import engine
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from support import people
from support.documents import disk_run
from support.server import Server

WRITE = "metric=disk.write_average"
CLAIM = text("UPDATE machines SET claimed_by = :person WHERE machine_id = :machine")
VERIFY = text("UPDATE fleets SET verified_at = now()")
STORE = text("""
    INSERT INTO runs (machine_id, run_id, visibility, fleet_id, derivation_version, suite, source,
        method, method_version, unspecified, flags, virtual, labels)
    VALUES (:machine, :run, 'public', :fleet, 1, 'disk', :source, 'graded-files', 1, false, '{}',
        false, '{}')
""")


@pytest.fixture
async def writing(server: Server) -> AsyncIterator[AsyncEngine]:
    writing = engine(server.database_url)
    yield writing
    await writing.dispose()


async def trusts(server: Server, **headers: str) -> dict[Any, int]:
    groups = (await server.answer(f"{WRITE}&by=trust", **headers))["results"][0]["groups"]
    return {group["key"]["trust"]: group["runs"] for group in groups}


async def execute(writing: AsyncEngine, statement: Any, **values: Any) -> None:
    async with writing.begin() as connection:
        await connection.execute(statement, values)


async def test_it_follows_whoever_has_the_mac(server: Server, writing: AsyncEngine) -> None:
    first, other = disk_run(), disk_run()
    await server.stored(first, other)
    assert await trusts(server) == {"anonymous": 2}
    ada = people.make_person(server.database_url)
    machine = uuid.UUID(first["machine"]["id"])
    await execute(writing, CLAIM, machine=machine, person=ada)
    assert await trusts(server) == {"claimed": 1, "anonymous": 1}
    # Filters, lists and facets are read in different ways.
    claimed = await server.groups(f"{WRITE}&where=trust:claimed")
    assert [group["runs"] for group in claimed] == [1]
    listed = await server.client.get("/api/v1/runs?where=trust:anonymous")
    assert [run["id"] for run in listed.json()["items"]] == [other["id"]]
    facets = await server.client.get(f"/api/v1/facets?{WRITE}")
    (trust,) = [d for d in facets.json()["dimensions"] if d["name"] == "trust"]
    assert {value["value"] for value in trust["values"]} == {"claimed", "anonymous"}
    # Deleting the account removes its trust as well.
    await execute(writing, text("DELETE FROM people"))
    assert await trusts(server) == {"anonymous": 2}


async def test_it_follows_the_fleet(server: Server, writing: AsyncEngine) -> None:
    url = server.database_url
    await server.stored_by_fleet(disk_run(), disk_run())
    assert await trusts(server) == {"claimed": 2}
    root = await people.sign_in(url, people.make_person(url, "Root", server_admin=True))
    fleets = (await server.client.get("/api/v1/fleets", headers=root)).json()["items"]
    (fleet,) = [item for item in fleets if item["machines"]]
    assert fleet["verified"] is False
    path = f"/api/v1/fleets/{fleet['id']}"
    for verified, trust in ((True, "verified_fleet"), (False, "claimed"), (True, "verified_fleet")):
        changed = await server.client.patch(path, json={"verified": verified}, headers=root)
        assert changed.status_code == 204, changed.text
        assert (await server.client.get(path, headers=root)).json()["verified"] is verified
        assert await trusts(server) == {trust: 2}
    assert people.acts(url).count("fleet.verify") == 3
    # It is no longer the fleet's, but the publisher's.
    parameters = {"name": fleet["name"], "runs": "publish", "consent": "true"}
    deleted = await server.client.delete(path, params=parameters, headers=root)
    assert deleted.status_code == 200, deleted.text
    assert await trusts(server) == {"claimed": 2}


async def test_only_an_admin_of_the_server_verifies_a_fleet(server: Server) -> None:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    path = f"/api/v1/fleets/{fleet_id}"
    admin = await people.sign_in(url, people.make_person(url, "Ada", roles={fleet_id: "admin"}))
    for verified in (True, False):
        refused = await server.client.patch(path, json={"verified": verified}, headers=admin)
        assert (refused.status_code, refused.json()["code"]) == (403, "not_server_admin")
        assert refused.json()["pointer"] == "/verified"
    assert (await server.client.get(path, headers=admin)).json()["verified"] is False


async def test_published_figures_have_none(server: Server, writing: AsyncEngine) -> None:
    machine = uuid.uuid4()
    await execute(writing, text("INSERT INTO machines (machine_id) VALUES (:m)"), m=machine)
    values = {"machine": machine, "fleet": None, "source": "published", "run": uuid.uuid4()}
    await execute(writing, STORE, **values)
    ada = people.make_person(server.database_url)
    await execute(writing, CLAIM, machine=machine, person=ada)
    async with writing.connect() as connection:
        assert (await connection.execute(text("SELECT trust FROM runs"))).scalars().all() == [None]


@pytest.mark.parametrize("change", [CLAIM, VERIFY])
async def test_a_run_that_is_being_stored_meanwhile_follows_too(
    server: Server, writing: AsyncEngine, change: Any
) -> None:
    """The first of the two does not wait, and the later one sees its effect."""
    ada = people.make_person(server.database_url)
    fleet = people.make_fleet(server.database_url, "acme") if change is VERIFY else None
    expected = "verified_fleet" if fleet else "claimed"
    for stores_first in (True, False):
        machine = uuid.uuid4()
        new = {"machine": machine, "fleet": fleet, "source": "measured"}
        is_new = text("INSERT INTO machines (machine_id) VALUES (:machine)")
        await execute(writing, is_new, machine=machine)
        await execute(writing, text("UPDATE fleets SET verified_at = NULL"))
        how = {"person": ada, "machine": machine} if change is CLAIM else {}
        pair: list[tuple[Any, dict[str, Any]]] = [
            (STORE, {**new, "run": uuid.uuid4()}),
            (change, how),
        ]
        async with writing.connect() as first_connection, writing.connect() as second_connection:
            (first, values), (second, after) = pair if stores_first else reversed(pair)
            await first_connection.execute(first, values)
            later = asyncio.create_task(_committed(second_connection, second, after))
            await _waits(writing, later)
            await first_connection.commit()
            await later
        async with writing.connect() as connection:
            query = text("SELECT trust FROM runs WHERE machine_id = :machine")
            assert await connection.scalar(query, {"machine": machine}) == expected, stores_first


async def _committed(connection: AsyncConnection, statement: Any, values: dict[str, Any]) -> None:
    await connection.execute(statement, values)
    await connection.commit()


async def _waits(writing: AsyncEngine, task: asyncio.Task[None]) -> None:
    """Wait until it is blocked by a lock, or done."""
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    while not task.done():
        async with writing.connect() as connection:
            if await connection.scalar(waiting):
                return
        await asyncio.sleep(0.01)
