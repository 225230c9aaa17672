"""A viewer whose role is limited to one rack sees its Macs only, as if the fleet had no others."""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from macmeter.accounts.people import member_of, of_people
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Alert, AlertComment, Base, Machine, Person
from sqlalchemy import insert, select, update
from support import people
from support.contract import openapi
from support.data_set import one_duckdb
from support.documents import Document, by_file_size, disk_run
from support.leaks import addresses, all_told, both_told, observed
from support.server import Server

FLEET, RACK = "quokka", "label:rack:B"
METRIC = "disk.write_average"
# Whatever the other Macs have, and nothing else.
SECRET = ("Bilby Portable X9", "Numbat9,9", "Apple M4 Potoroo", "4321987654", "Bettong")
INSIDE, OUTSIDE = (str(uuid.UUID(int=n, version=4)) for n in (11, 12))


@dataclass
class World:
    server: Server
    runs: dict[str, Document]
    """By machine."""
    alert_id: str
    admin: dict[str, str]
    limited: dict[str, dict[str, str]]
    """Headers of the viewer, and of their token."""
    viewer_id: uuid.UUID

    async def get(self, path: str, session: str = "session") -> Any:
        return await self.server.client.get(f"/api/v1/{path}", headers=self.limited[session])

    async def label(self, machine: str, rack: str | None) -> None:
        body = {"machines": [{"id": machine, "labels": {"rack": rack}}]}
        await self.done("PATCH", f"/api/v1/fleets/{FLEET}/machines", body)

    async def limit(self, where: str) -> None:
        path = f"/api/v1/fleets/{FLEET}/members/{self.viewer_id}"
        await self.done("PUT", path, {"role": "viewer", "where": where})

    async def done(self, method: str, path: str, body: Any) -> None:
        response = await self.server.client.request(method, path, json=body, headers=self.admin)
        assert response.status_code < 300, response.text


def secret_run() -> Document:
    """A run of a Mac that says itself that it is in the rack, which no admin said."""
    run = disk_run(write=4_321_987_654.125, chip=SECRET[2], machine=OUTSIDE, labels={"rack": "B"})
    run["machine"] |= {"model": SECRET[1], "model_name": SECRET[1]}
    run["target"] |= {"device": SECRET[0]}
    run["series"] += by_file_size({2_000_000: [4_321_987_654.125]}, "disk.write_speed")
    return run


@pytest.fixture(scope="module")
async def world(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    async with observed(cluster, tmp_path_factory.mktemp("dataset")) as server:
        yield await made(server)


async def made(server: Server) -> World:
    url = server.database_url
    fleet_id = people.make_fleet(url, FLEET)
    uploader = people.uploader_of(url, fleet_id)
    runs = {INSIDE: disk_run(write=3e9, chip="Apple M4", machine=INSIDE), OUTSIDE: secret_run()}
    for run in runs.values():
        assert (await server.put(run, uploader)).status_code == 201
    alert_id = people.make_alert(url, fleet_id)
    with people.writing(url) as connection:
        detail = {"machine_ids": [OUTSIDE], "machines": 1}
        connection.execute(update(Alert).values(detail=detail))
        shown = {"machine_ids": [INSIDE, OUTSIDE], "machines": 2, "names": {OUTSIDE: SECRET[4]}}
        shared = connection.execute(select(Alert)).one()._asdict()
        shared |= {"alert_id": uuid.uuid4(), "cause": "another", "detail": shown}
        connection.execute(insert(Alert).values(**shared))
        comment = {"alert_id": shared["alert_id"], "by": "Ada", "text": f"It is {SECRET[4]}."}
        connection.execute(insert(AlertComment).values(**comment))
        called = update(Machine).where(Machine.machine_id == uuid.UUID(OUTSIDE))
        connection.execute(called.values(name=SECRET[4]))
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    vic = people.make_person(url, "Vic", roles={fleet_id: "viewer"})
    limited = {
        "session": await people.sign_in(url, vic),
        "token": people.token_of(url, vic, "read", fleet_id),
    }
    admin = await people.sign_in(url, ada)
    world = World(server, runs, str(alert_id), admin, limited, vic)
    await world.label(INSIDE, "B")
    await world.limit(RACK)
    return world


def about_the_fleet() -> list[str]:
    terms = f"where=fleet:{FLEET}"
    query = f"metric={METRIC}&{terms}"
    sides = f"metric={METRIC}&side=1:fleet:{FLEET}&side=2:"
    return [
        *(f"answer?{query}&by={by}" for by in ("chip", "machine", "device", "label:rack")),
        *(f"{path}?{query}&by=chip" for path in ("answer.csv", "answer.sql", "answer.atom")),
        *(f"{path}?{query}&by=chip" for path in ("chart.svg", "starting-point")),
        *(f"{path}?{query}" for path in ("doubted", "facets")),
        *(f"{path}?{sides}" for path in ("compare", "compare.csv", "compare.atom", "chart.svg")),
        f"answer?metric=disk.write_speed&by=file_size&{terms}",
        *(f"{path}?{terms}" for path in ("runs", "machines", "facets", "residency", "filters")),
        *(f"machines?{terms}&q={word}" for word in ("Bettong", "Numbat")),
        *(f"fleets/{FLEET}/{path}" for path in ("dashboard", "machines", "machines?only=retired")),
        *(f"fleets/{FLEET}/{path}?where={RACK}" for path in ("dashboard", "machines")),
        *("alerts", "alerts.atom", f"alerts?fleet={FLEET}&where={RACK}", "fleets", "session"),
        *(f"machines/{INSIDE}{path}" for path in ("", "/timeline", f"/percentile?{query}")),
    ]


@pytest.mark.parametrize("who", ["session", "token"])
async def test_no_read_tells_of_another_mac(world: World, who: str) -> None:
    run_id = str(world.runs[INSIDE]["id"])
    ids = {"fleet": FLEET, "machine_id": INSIDE, "run_id": run_id}
    templates = {path for method, path in addresses() if method == "GET"}
    fitting = [path for path in templates if {*re.findall(r"{(\w+)}", path)} <= ids.keys()]
    paths = [*about_the_fleet(), *(path.format(**ids)[len("/api/v1/") :] for path in fitting)]
    secret = [*SECRET, OUTSIDE, str(world.runs[OUTSIDE]["id"]), world.alert_id]
    statuses = {}
    for path in paths:
        response = await world.get(path, who)
        text = response.text + str(response.headers)
        assert not [word for word in secret if word.lower() in text.lower()], (path, text)
        assert response.status_code < 500, (path, text)
        statuses[path] = response.status_code
    assert len([status for status in statuses.values() if status == 200]) > 30, statuses
    assert statuses[f"fleets/{FLEET}/members"] == statuses[f"fleets/{FLEET}/sent"] == 403


# Bodies of operations that need one, by the end of their path.
BODIES: dict[str, Any] = {
    "doubts": {"reason": "Something else ran."},
    "withdrawal": {"reason": "Something else ran."},
    "review/{run_id}": {"decision": "stands", "answer": "It is what it is."},
    "machines/{machine_id}": {"name": "Mine"},
    "merge": {"into": INSIDE},
    "mute": {"days": 3, "why": "known"},
    "owner": {"person_id": str(uuid.UUID(int=7))},
    "comments": {"text": "Hello"},
    "clones/{machine_id}": {"are": "one"},
}
ASKED_ABOUT = (
    *(
        f"/api/v1/percentile?metric={METRIC}&{of}"
        for of in ("machine={machine_id}", "run={run_id}")
    ),
    f"/api/v1/machines/{{machine_id}}/timeline?metric={METRIC}",
    *("/api/v1/rank?run={run_id}", "/api/v1/fleets/{fleet}/machines?machine={machine_id}"),
    *("/api/v1/things/machines/{machine_id}", "/api/v1/residency?where=machine:{machine_id}"),
    *(f"/api/v1/{path}?where=machine:{{machine_id}}" for path in ("runs", "machines", "facets")),
    f"/api/v1/answer?metric={METRIC}&where=fleet:{FLEET}&where=machine:{{machine_id}}",
    *("/runs/{run_id}", "/machines/{machine_id}"),
)


async def test_another_mac_is_as_none(world: World) -> None:
    """Same status, words, headers and queries for its ids as for made-up ones."""
    run_id = str(world.runs[OUTSIDE]["id"])
    real = {"machine_id": OUTSIDE, "run_id": run_id, "alert_id": world.alert_id, "fleet": FLEET}
    made_up = {name: str(uuid.uuid4()) for name in real} | {"fleet": FLEET}
    before = everything(world.server.database_url)
    operations = [
        (method.upper(), path) for path, methods in openapi()["paths"].items() for method in methods
    ]
    statuses = Counter[int]()
    for method, path in [*operations, *(("GET", path) for path in ASKED_ABOUT)]:
        names = {*re.findall(r"{(\w+)}", path)}
        if not names <= real.keys() or names <= {"fleet"}:
            continue
        body = next((b for end, b in BODIES.items() if path.endswith(end)), None) or {}
        client = world.server.client
        # Ids make a packed text longer or shorter.
        headers = world.limited["session"] | {"Accept-Encoding": "identity"}
        asking = [
            partial(all_told, client, method, path.format(**ids), headers, body)
            for ids in (real, made_up)
        ]
        outside, nowhere = await both_told(*asking)
        assert outside[:4] == nowhere[:4], (method, path)
        statuses[outside[0]] += 1
    # Few are refused before anybody looks for the id.
    assert statuses[404] > 20, statuses
    assert statuses[422] < 3, statuses
    assert everything(world.server.database_url) == before


def everything(url: str) -> dict[str, int]:
    """Number of rows of what people and Macs change, and the Macs and runs themselves."""
    with people.writing(url) as connection:
        return {
            name: hash(str(sorted(map(str, connection.execute(select(table))))))
            for name, table in Base.metadata.tables.items()
            if name in ("machines", "runs", "alerts", "alert_comments", "documents", "memberships")
        }


async def test_counts_and_files_are_of_the_group(world: World, tmp_path: Path) -> None:
    assert (await world.get(f"runs?where=fleet:{FLEET}")).json()["total"] == 1
    assert (await world.get(f"machines?where=fleet:{FLEET}")).json()["total"] == 1
    page = (await world.get(f"fleets/{FLEET}/dashboard")).json()
    assert (page["machines"], page["alerts"]["open"]) == (1, 1)
    assert page["group"] == "rack: B"
    assert page["fleet"]["limited"]
    (alert,) = (await world.get("alerts")).json()["items"]
    assert alert["detail"] == {"machine_ids": [INSIDE], "machines": 1}
    assert alert["title"] == "1 Mac silent"
    assert alert["comments"] == []
    content = (await world.get(f"fleets/{FLEET}/results.parquet")).content
    (tmp_path / "found.parquet").write_bytes(content)
    query = "SELECT DISTINCT columns(*)::VARCHAR FROM read_parquet(?)"
    rows = str(one_duckdb().execute(query, [str(tmp_path / "found.parquet")]).fetchall())
    assert INSIDE in rows
    assert OUTSIDE not in rows
    assert SECRET[2] not in rows


async def test_changes_count_at_the_next_request(world: World) -> None:
    """Of labels by admins, and of the role; also where no run's label changes."""
    question = f"answer?metric={METRIC}&where=fleet:{FLEET}"

    async def seen() -> tuple[int, int, int]:
        groups = (await world.get(question)).json()["results"][0]["groups"]
        listed = (await world.get(f"fleets/{FLEET}/machines")).json()["total"]
        run = await world.get(f"runs/{world.runs[OUTSIDE]['id']}")
        return sum(group["runs"] for group in groups), listed, run.status_code

    assert await seen() == (1, 1, 404)
    # Its own run has said so all the time.
    await world.label(OUTSIDE, "B")
    assert await seen() == (2, 2, 200)
    await world.label(INSIDE, "C")
    assert await seen() == (1, 1, 200)
    await world.label(OUTSIDE, None)
    assert await seen() == (0, 0, 404)
    await world.label(INSIDE, "B")
    await world.limit("")
    assert await seen() == (2, 2, 200)
    await world.limit(RACK)
    assert await seen() == (1, 1, 404)


async def test_each_mac_is_read_once_however_many_people_there_are(world: World) -> None:
    with people.writing(world.server.database_url) as connection:
        query = of_people().where(Person.person_id == world.viewer_id)
        (group_access,) = member_of(connection.execute(query).one()).fleet_access
    assert group_access.machines == uuid.UUID(INSIDE).bytes


async def test_only_an_admins_label_limits_a_viewer(world: World) -> None:
    client, path = world.server.client, f"/api/v1/fleets/{FLEET}/members/{world.viewer_id}"
    for body, code in (
        ({"role": "admin", "where": RACK}, "not_a_viewer"),
        ({"role": "viewer", "where": "label:rack:Z"}, "not_given"),
        ({"role": "viewer", "where": "chip:Apple M4"}, "not_a_group"),
    ):
        response = await client.put(path, json=body, headers=world.admin)
        assert (response.status_code, code in response.text) == (422, True), response.text
    members = await client.get(f"/api/v1/fleets/{FLEET}/members", headers=world.admin)
    assert members.json()["groups"] == [RACK]
    assert {member["name"]: member["where"] for member in members.json()["items"]} == {
        "Ada": "",
        "Vic": RACK,
    }


async def test_an_invitation_is_limited(world: World) -> None:
    client = world.server.client
    body = {"fleet": FLEET, "role": "viewer", "where": RACK}
    link = (await client.post("/api/v1/invitations", json=body, headers=world.admin)).json()
    assert link["where"] == RACK
    zoe = people.make_person(world.server.database_url, "Zoe")
    headers = await people.sign_in(world.server.database_url, zoe)
    secret = {"secret": link["link"].split("#")[1]}
    session = await client.post("/api/v1/invitations/accept", json=secret, headers=headers)
    assert json.loads(session.text)["fleets"][0]["where"] == RACK
    token = people.token_of(world.server.database_url, zoe, "read")
    runs = await client.get(f"/api/v1/runs?where=fleet:{FLEET}", headers=token)
    assert runs.json()["total"] == 1
