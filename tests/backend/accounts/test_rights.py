"""Rights to delete and withdraw: the table of SECURITY.md, by each role on each kind of run."""

from __future__ import annotations

import re
import uuid
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from macmeter.accounts.rights import RIGHTS
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Machine, Run
from sqlalchemy import select, update
from support import people
from support.contract import openapi
from support.databases import fresh_database
from support.documents import disk_run
from support.server import Server, serving

SECURITY = Path(__file__).parents[3] / "SECURITY.md"
Headers = dict[str, str]

KINDS = ("of a Mac alone", "claimed", "of acme's Mac", "of acme's uploader", "of other fleet")
ACME = {"of acme's Mac", "of acme's uploader"}
# What each may delete; `RIGHTS` has the reasons.
MAY: dict[str, set[str]] = {
    "nobody": set(),
    "the Mac alone": {"of a Mac alone"},
    "acme's Mac": set(),
    "acme's uploader": ACME,
    "other fleet's uploader": {"of other fleet"},
    "acme's viewer": set(),
    "acme's admin": ACME,
    "acme's admin, reading": set(),
    "other fleet's admin": {"of other fleet"},
    "owner": ACME | {"claimed"},
    "owner, managing": ACME | {"claimed"},
    "owner, managing acme": ACME,
    "owner, reading": set(),
    "server's admin": {*KINDS},
    "server's admin, managing": {*KINDS},
    "server's admin, managing acme": ACME,
}


@dataclass
class World:
    """A Mac without a fleet, a claimed one, and two fleets, each with their credentials."""

    server: Server
    roles: dict[str, Headers] = field(default_factory=dict)
    machines: dict[str, str] = field(default_factory=dict)
    """Machine ids by the kind of their runs."""
    tokens: dict[str, str] = field(default_factory=dict)

    async def run(self, kind: str) -> str:
        """Store a new run of this kind and return its id."""
        document = disk_run(machine=self.machines[kind])
        stored = await self.server.put(document, self.tokens[kind])
        assert stored.status_code == 201, stored.text
        return str(document["id"])

    async def ask(self, method: str, path: str, role: str, **more: Any) -> int:
        headers = self.roles[role]
        response = await self.server.client.request(
            method, f"/api/v1{path}", headers=headers, **more
        )
        self.server.client.cookies.clear()
        return response.status_code

    def runs(self) -> list[Any]:
        columns = (Run.run_id, Run.machine_id, Run.fleet_id, Run.visibility, Run.withdrawn_at)
        with people.writing(self.server.database_url) as connection:
            return list(connection.execute(select(*columns).order_by(Run.run_id)))


def bearer(secret: str) -> Headers:
    return {"Authorization": f"Bearer {secret}"}


@pytest.fixture(scope="module")
async def world(cluster: EmbeddedPostgres) -> AsyncIterator[World]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            yield await made(World(server))


async def made(world: World) -> World:
    server, url = world.server, world.server.database_url
    acme, other = people.make_fleet(url, "acme"), people.make_fleet(url, "other")

    async def enrolled(secret: str | None = None) -> tuple[str, str]:
        machine = str(uuid.uuid4())
        body = {"machine_id": machine, "secret": secret}
        response = await server.client.post("/api/v1/enroll", json=body)
        return machine, response.json()["token"]

    uploads = {
        "of a Mac alone": await enrolled(),
        "claimed": await enrolled(),
        "of acme's Mac": await enrolled(people.make_secret(url, acme)),
        "of acme's uploader": (str(uuid.uuid4()), people.uploader_of(url, acme)),
        "of other fleet": (str(uuid.uuid4()), people.uploader_of(url, other)),
    }
    for kind, (machine, token) in uploads.items():
        world.machines[kind], world.tokens[kind] = machine, token
    viewer = people.make_person(url, "Vic", roles={acme: "viewer"})
    admin = people.make_person(url, "Ada", roles={acme: "admin"})
    sam = people.make_person(url, "Sam", roles={other: "admin"})
    owner = people.make_person(url, "Olga", roles={acme: "admin"})
    root = people.make_person(url, "Root", server_admin=True)
    with people.writing(url) as connection:
        is_claimed = Machine.machine_id == uuid.UUID(world.machines["claimed"])
        connection.execute(update(Machine).where(is_claimed).values(claimed_by=owner))
    world.roles = {
        "nobody": {},
        "the Mac alone": bearer(world.tokens["of a Mac alone"]),
        "acme's Mac": bearer(world.tokens["of acme's Mac"]),
        "acme's uploader": bearer(world.tokens["of acme's uploader"]),
        "other fleet's uploader": bearer(world.tokens["of other fleet"]),
        "acme's viewer": await people.sign_in(url, viewer),
        "acme's admin": await people.sign_in(url, admin),
        "acme's admin, reading": people.token_of(url, admin, "read"),
        "other fleet's admin": await people.sign_in(url, sam),
        "owner": await people.sign_in(url, owner),
        "owner, managing": people.token_of(url, owner, "manage"),
        "owner, managing acme": people.token_of(url, owner, "manage", acme),
        "owner, reading": people.token_of(url, owner, "read"),
        "server's admin": await people.sign_in(url, root),
        "server's admin, managing": people.token_of(url, root, "manage"),
        "server's admin, managing acme": people.token_of(url, root, "manage", acme),
        "a stranger, managing": people.token_of(
            url, people.make_person(url, "Mo", roles={acme: "admin"}), "manage", acme
        ),
    }
    return world


async def deletes(world: World, role: str, run_id: str) -> int:
    return await world.ask("DELETE", f"/runs/{run_id}", role)


async def withdraws(world: World, role: str, run_id: str) -> int:
    reason = {"reason": "It was measured while indexing."}
    return await world.ask("PUT", f"/runs/{run_id}/withdrawal", role, json=reason)


async def reinstates(world: World, role: str, run_id: str) -> int:
    return await world.ask("DELETE", f"/runs/{run_id}/withdrawal", role)


@pytest.mark.every(5)
@pytest.mark.parametrize("change", [deletes, withdraws, reinstates], ids=lambda of: of.__name__)
@pytest.mark.parametrize("role", MAY)
async def test_each_role_changes_what_the_table_says(
    world: World, role: str, change: Callable[[World, str, str], Any]
) -> None:
    kinds = set()
    for kind in KINDS:
        run_id = await world.run(kind)
        before = world.runs()
        status = await change(world, role, run_id)
        if status == 204:
            kinds.add(kind)
        else:
            assert status in (401, 403, 404)
            assert world.runs() == before
    assert kinds == MAY[role]


def test_security_md_prints_the_table() -> None:
    rows = [f"| {right.who} | {right.deletes} | {right.why} |" for right in RIGHTS]
    text = SECURITY.read_text(encoding="utf-8")
    lines = text.split("| who | may delete | why |")[1].split("\n\n")[0].splitlines()[2:]
    assert lines == rows


async def test_a_token_for_one_fleet_finds_outside_of_it_what_a_stranger_finds(
    world: World,
) -> None:
    """Every operation that names a machine or a run, on its owner's own claimed Mac."""
    mac, stranger = "owner, managing acme", "a stranger, managing"
    run_id, machine = await world.run("claimed"), world.machines["claimed"]
    ids = {"run_id": run_id, "machine_id": machine, "fleet": "acme"}
    before, count = world.runs(), 0
    bodies: dict[str, Any] = {
        "secret": None,
        "merge": {"into": world.machines["of acme's Mac"]},
        "withdrawal": {"reason": "It was measured while indexing."},
        "{machine_id}": {"name": "Mine", "fleet": "acme"},
    }
    for path, methods in openapi()["paths"].items():
        parameters = set(re.findall(r"{(\w+)}", path))
        if not parameters & {"run_id", "machine_id"} or not parameters <= ids.keys():
            continue
        for method in methods:
            url = path.removeprefix("/api/v1").format(**ids)
            body = bodies.get(path.rsplit("/", 1)[1], {})
            statuses = [
                await world.ask(method.upper(), url, role, json=body) for role in (stranger, mac)
            ]
            assert statuses[0] == statuses[1], (method, path)
            assert method == "get" or path.endswith("/doubts") or statuses[1] >= 400, (method, path)
            count += 1
    assert count > 15
    assert world.runs() == before
    listed = await world.server.client.get("/api/v1/account/machines", headers=world.roles[mac])
    assert listed.json() == {"items": []}
    all_of_hers = await world.server.client.get(
        "/api/v1/account/machines", headers=world.roles["owner, managing"]
    )
    assert [item["id"] for item in all_of_hers.json()["items"]] == [machine]


async def test_a_token_for_one_fleet_makes_no_other(database_url: str) -> None:
    async with serving(database_url, fleets_by_anybody=True) as server:
        acme = people.make_fleet(database_url, "acme")
        ada = people.make_person(database_url, roles={acme: "admin"})
        for fleet_id, status in ((acme, 403), (None, 201)):
            headers = people.token_of(database_url, ada, "manage", fleet_id)
            listed = await server.client.get("/api/v1/fleets", headers=headers)
            assert listed.json()["may_create"] is (status == 201)
            response = await server.client.post(
                "/api/v1/fleets", json={"name": "another"}, headers=headers
            )
            assert response.status_code == status, response.text
