"""Fleets in the API: created, changed, shown to others, and deleted.

Longer than our other files: all of it happens to one cast of people, machines and runs.
"""

from __future__ import annotations

import asyncio
import csv
import io
import uuid
from collections import Counter
from typing import Any, NamedTuple

import httpx
import orjson
import pytest
from macmeter.models import Act, Clone, Fleet, Machine, Membership, Run
from sqlalchemy import func, insert, select
from support import people
from support.documents import disk_run
from support.server import Server, serving

FLEETS = "/api/v1/fleets"


class Cast(NamedTuple):
    server: Server
    fleet_id: uuid.UUID
    admin: dict[str, str]
    other_admin: dict[str, str]
    viewer: dict[str, str]
    stranger: dict[str, str]
    ids: dict[str, uuid.UUID]

    async def ask(
        self, method: str, path: str, headers_given: dict[str, str] | None = None, **more: Any
    ) -> httpx.Response:
        headers = self.admin if headers_given is None else headers_given
        return await self.server.client.request(method, path, headers=headers, **more)

    async def enrolled(self, machine_id: str | None = None) -> tuple[str, str]:
        """Enrol a machine in the fleet; return its id and token."""
        machine_id = machine_id or str(uuid.uuid4())
        secret = people.make_secret(self.server.database_url, self.fleet_id)
        body = {"secret": secret, "machine_id": machine_id}
        response = await self.server.client.post("/api/v1/enroll", json=body)
        return machine_id, response.json()["token"]

    def rows(self, *columns: Any, **where: Any) -> list[Any]:
        with people.writing(self.server.database_url) as connection:
            return list(connection.execute(select(*columns).filter_by(**where)))


@pytest.fixture
async def cast(server: Server) -> Cast:
    url = server.database_url
    fleet_id, elsewhere = people.make_fleet(url, "acme"), people.make_fleet(url, "elsewhere")
    ids = {
        "admin": people.make_person(url, "Ada", roles={fleet_id: "admin"}),
        "other_admin": people.make_person(url, "Bob", roles={fleet_id: "admin"}),
        "viewer": people.make_person(url, "Vera", roles={fleet_id: "viewer"}),
        "stranger": people.make_person(url, "Sam", roles={elsewhere: "admin"}),
    }
    signed_in = {name: await people.sign_in(url, person) for name, person in ids.items()}
    return Cast(server, fleet_id, ids=ids, **signed_in)


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def test_a_server_admin_makes_a_fleet_and_others_only_where_they_may(
    database_url: str,
) -> None:
    root = people.make_person(database_url, "Root", server_admin=True)
    ada = people.make_person(database_url, "Ada")
    body = {"name": "acme"}
    async with serving(database_url) as server:
        headers = await people.sign_in(database_url, root)
        response = await server.client.post(FLEETS, json=body, headers=headers)
        assert response.status_code == 201
        assert response.json().items() >= {"name": "acme", "role": "admin", "people": 1}.items()
        for name in ("acme", "ACME"):
            again = await server.client.post(FLEETS, json={"name": name}, headers=headers)
            assert code(again) == (409, "name_taken")
        headers = await people.sign_in(database_url, ada)
        refused = await server.client.post(FLEETS, json={"name": "mine"}, headers=headers)
        assert code(refused) == (403, "not_server_admin")
    async with serving(database_url, fleets_by_anybody=True) as server:
        response = await server.client.post(FLEETS, json={"name": "mine"}, headers=headers)
        assert response.status_code == 201
        listed = (await server.client.get(FLEETS, headers=headers)).json()
        assert [fleet["name"] for fleet in listed["items"]] == ["mine"]
        assert listed["may_create"]


@pytest.mark.parametrize(
    "name", ["", "a/b", "new", "\u200b", "x" * 61, str(uuid.UUID(int=1)), "a\u202eb", "a?b", "a\nb"]
)
async def test_a_name_that_no_address_can_carry_is_refused(cast: Cast, name: str) -> None:
    refused = await cast.ask("PATCH", f"{FLEETS}/acme", json={"name": name})
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/name")
    # The message is shown in a form.
    assert "pattern" not in refused.json()["detail"]


async def test_a_fleet_is_renamed_and_found_by_either(cast: Cast) -> None:
    assert (await cast.ask("PATCH", f"{FLEETS}/acme", json={"name": "Büro 2"})).status_code == 204
    for path in (f"{FLEETS}/Büro 2", f"{FLEETS}/{cast.fleet_id}"):
        assert (await cast.ask("GET", path)).json()["name"] == "Büro 2"
    assert (await cast.ask("GET", f"{FLEETS}/acme")).status_code == 404
    response = await cast.ask("PATCH", f"{FLEETS}/{cast.fleet_id}", json={"name": "Elsewhere"})
    assert code(response) == (409, "name_taken")
    # Its own name in another case is not taken.
    renamed = await cast.ask("PATCH", f"{FLEETS}/{cast.fleet_id}", json={"name": "BÜRO 2"})
    assert renamed.status_code == 204


async def test_going_public_asks_consent_and_names_the_licence(cast: Cast) -> None:
    machine, token = await cast.enrolled()
    run = disk_run(machine=machine)
    assert (await cast.server.put(run, token)).status_code == 201
    response = await cast.ask("PATCH", f"{FLEETS}/acme", json={"visibility": "public"})
    assert code(response) == (422, "consent_needed")
    assert response.json()["licence"]["name"] == "CC0-1.0"
    path = f"/api/v1/runs/{run['id']}"
    assert (await cast.ask("GET", path, {})).status_code == 404
    body = {"visibility": "public", "consent": True}
    assert (await cast.ask("PATCH", f"{FLEETS}/acme", json=body)).status_code == 204
    assert (await cast.ask("GET", path, {})).status_code == 200
    (act,) = cast.rows(Act, action="fleet.visibility")
    assert act.details == {"before": "private", "after": "public", "licence": "CC0-1.0"}


async def test_a_fleet_for_members_is_read_by_whoever_has_an_account(cast: Cast) -> None:
    machine, token = await cast.enrolled()
    run = disk_run(machine=machine)
    await cast.server.put(run, token)
    path, query = f"/api/v1/runs/{run['id']}", "metric=disk.write_average&where=fleet:acme"
    for visibility, status in (("private", 404), ("members", 200), ("private", 404)):
        body = {"visibility": visibility}
        assert (await cast.ask("PATCH", f"{FLEETS}/acme", json=body)).status_code == 204
        assert (await cast.ask("GET", path, cast.stranger)).status_code == status
        assert (await cast.ask("GET", f"{FLEETS}/acme", cast.stranger)).status_code == status
        assert (await cast.ask("GET", path, {})).status_code == 404
        groups = (await cast.server.answer(query, **cast.stranger))["results"][0]["groups"]
        assert bool(groups) is (status == 200)
        change = await cast.ask("PATCH", f"{FLEETS}/acme", cast.stranger, json={"name": "x"})
        assert change.status_code == (403 if status == 200 else 404)


@pytest.mark.parametrize("name", ["%00", "acme%00", "%1F", "%EF%BF%BF"])
async def test_a_name_that_no_fleet_can_have_is_not_found(cast: Cast, name: str) -> None:
    for path in (f"{FLEETS}/{name}", f"{FLEETS}/{name}/dashboard", f"{FLEETS}/{name}/webhooks"):
        assert (await cast.ask("GET", path)).status_code == 404, path
    for feed in ("alerts", "alerts.atom", "invitations", "audit"):
        address = f"/api/v1/{feed}?fleet={name}"
        assert (await cast.ask("GET", address)).status_code == 404, address


async def test_a_fleet_does_not_exist_for_strangers(cast: Cast) -> None:
    for method, path, more in (
        ("GET", "", {}),
        ("PATCH", "", {"json": {"name": "x"}}),
        ("GET", "/members", {}),
        ("GET", "/secrets", {}),
        ("GET", "/devices", {}),
        ("GET", "/clones", {}),
    ):
        existing = await cast.ask(method, f"{FLEETS}/acme{path}", cast.stranger, **more)
        nowhere = await cast.ask(method, f"{FLEETS}/nowhere{path}", cast.stranger, **more)
        assert existing.status_code == nowhere.status_code == 404
        words = [{**response.json(), "request_id": None} for response in (existing, nowhere)]
        assert words[0] == words[1]


async def test_the_last_admin_stays(cast: Cast) -> None:
    bob = f"{FLEETS}/acme/members/{cast.ids['other_admin']}"
    ada = f"{FLEETS}/acme/members/{cast.ids['admin']}"
    assert (await cast.ask("DELETE", bob)).status_code == 204
    assert code(await cast.ask("DELETE", ada)) == (409, "last_admin")
    assert code(await cast.ask("PUT", ada, json={"role": "viewer"})) == (409, "last_admin")
    listed = (await cast.ask("GET", f"{FLEETS}/acme/members")).json()["items"]
    assert {(m["name"], m["role"]) for m in listed} == {("Ada", "admin"), ("Vera", "viewer")}
    # A viewer may leave, and then the fleet is hidden from them.
    vera = f"{FLEETS}/acme/members/{cast.ids['viewer']}"
    assert (await cast.ask("DELETE", ada, cast.viewer)).status_code == 403
    assert (await cast.ask("DELETE", vera, cast.viewer)).status_code == 204
    assert (await cast.ask("GET", f"{FLEETS}/acme", cast.viewer)).status_code == 404


async def test_a_secret_is_shown_once_and_revoked(cast: Cast) -> None:
    path = f"{FLEETS}/acme/secrets"
    response = await cast.ask("POST", path, json={"name": "Office", "quota": 2})
    assert response.status_code == 201
    secret = response.json()["secret"]
    assert response.json()["command"] == f"macmeter enroll --server http://test --secret {secret}"
    body = {"secret": secret, "machine_id": str(uuid.uuid4())}
    assert (await cast.server.client.post("/api/v1/enroll", json=body)).status_code == 201
    listed = await cast.ask("GET", path)
    assert secret not in listed.text
    (item,) = listed.json()["items"]
    assert (item["name"], item["quota"], item["used"], item["revoked_at"]) == ("Office", 2, 1, None)
    for _ in range(2):
        assert (await cast.ask("DELETE", f"{path}/{item['id']}")).status_code == 204
    body["machine_id"] = str(uuid.uuid4())
    refused = await cast.server.client.post("/api/v1/enroll", json=body)
    assert code(refused) == (403, "secret_revoked")
    assert secret not in str(cast.rows(Act))
    late = {"name": "Late", "expires_at": "2020-01-01T00:00:00Z"}
    refused = await cast.ask("POST", path, json=late)
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/expires_at")


async def test_a_device_is_rotated_and_revoked(cast: Cast) -> None:
    machine, token = await cast.enrolled()
    path = f"{FLEETS}/acme/devices"
    await cast.server.put(disk_run(machine=machine), token)
    (device,) = (await cast.ask("GET", path)).json()["items"]
    assert (device["machine_id"], device["scope"], device["revoked"]) == (machine, "device", False)
    assert device["last_used_at"] > device["created_at"]
    assert device["chip"] == disk_run()["machine"]["chip"]
    assert (await cast.ask("POST", f"{path}/{device['id']}/rotation")).status_code == 204
    refused = await cast.server.put(disk_run(machine=machine), token)
    assert code(refused) == (401, "token_revoked")
    _, token = await cast.enrolled(machine)  # as it is allowed to
    assert (await cast.server.put(disk_run(machine=machine), token)).status_code == 201
    (device,) = (await cast.ask("GET", path)).json()["items"]
    assert (await cast.ask("DELETE", f"{path}/{device['id']}")).status_code == 204
    secret = people.make_secret(cast.server.database_url, cast.fleet_id)
    body = {"secret": secret, "machine_id": machine}
    refused = await cast.server.client.post("/api/v1/enroll", json=body)
    assert code(refused) == (403, "machine_barred")
    (device,) = (await cast.ask("GET", path)).json()["items"]
    assert device["revoked"]
    # And unbar it.
    changed = await cast.ask("PATCH", f"/api/v1/machines/{machine}", json={"barred": False})
    assert changed.status_code == 204
    assert (await cast.server.client.post("/api/v1/enroll", json=body)).status_code == 201


async def test_a_shared_id_is_one_line_to_resolve(cast: Cast) -> None:
    machine, _ = await cast.enrolled()
    await cast.enrolled(machine)
    (clone,) = (await cast.ask("GET", f"{FLEETS}/acme/clones")).json()["items"]
    assert (clone["machine_id"], clone["enrolments"], clone["new_ids"]) == (machine, 1, False)
    path = f"{FLEETS}/acme/clones/{machine}"
    assert (await cast.ask("PUT", path, json={"are": "several"})).status_code == 204
    secret = people.make_secret(cast.server.database_url, cast.fleet_id)
    body = {"secret": secret, "machine_id": machine}
    refused = await cast.server.client.post("/api/v1/enroll", json=body)
    assert code(refused) == (409, "new_id_needed")
    assert (await cast.ask("PUT", path, json={"are": "one"})).status_code == 204
    assert cast.rows(Clone) == []
    assert (await cast.ask("PUT", path, json={"are": "one"})).status_code == 404


async def test_a_machine_is_named_retired_moved_and_deleted(cast: Cast) -> None:
    url, path = cast.server.database_url, "/api/v1/machines"
    other = people.make_fleet(url, "other")
    with people.writing(url) as connection:
        connection.execute(
            insert(Membership).values(fleet_id=other, person_id=cast.ids["admin"], role="admin")
        )
    machine, token = await cast.enrolled()
    run = disk_run(machine=machine)
    await cast.server.put(run, token)
    body = {"name": "Front desk"}
    assert (await cast.ask("PATCH", f"{path}/{machine}", cast.viewer, json=body)).status_code == 403
    stranger = await cast.ask("PATCH", f"{path}/{machine}", cast.stranger, json=body)
    assert stranger.status_code == 404
    assert (await cast.ask("PATCH", f"{path}/{machine}", json=body)).status_code == 204
    (row,) = cast.rows(Machine, machine_id=uuid.UUID(machine))
    assert row.name == "Front desk"
    # For people without rights, there is no such fleet to move to.
    nowhere = await cast.ask("PATCH", f"{path}/{machine}", json={"fleet": "elsewhere"})
    assert nowhere.status_code == 404
    moved = await cast.ask("PATCH", f"{path}/{machine}", json={"fleet": "other"})
    assert moved.status_code == 204
    run_path = f"/api/v1/runs/{run['id']}"
    assert (await cast.ask("GET", run_path, cast.viewer)).status_code == 404
    assert (await cast.ask("GET", run_path)).status_code == 200
    assert (await cast.server.put(disk_run(machine=machine), token)).status_code == 201
    assert {fleet for (fleet,) in cast.rows(Run.fleet_id)} == {other}
    response = await cast.ask("DELETE", f"{path}/{machine}")
    assert response.json() == {"outcome": "deleted", "runs": 2}
    assert cast.rows(Run) == []
    assert (await cast.server.put(disk_run(machine=machine), token)).status_code == 401


async def test_a_device_deletes_itself_and_in_a_fleet_it_retires(cast: Cast) -> None:
    device, machine = cast.server.token(), str(uuid.uuid4())
    await cast.server.put(disk_run(machine=machine), device)
    path = f"/api/v1/machines/{machine}"
    other = {"Authorization": f"Bearer {cast.server.token()}"}
    assert (await cast.ask("DELETE", path, other)).status_code == 403
    response = await cast.ask("DELETE", path, {"Authorization": f"Bearer {device}"})
    assert response.json() == {"outcome": "deleted", "runs": 1}
    machine, token = await cast.enrolled()
    await cast.server.put(disk_run(machine=machine), token)
    path = f"/api/v1/machines/{machine}"
    response = await cast.ask("DELETE", path, {"Authorization": f"Bearer {token}"})
    assert response.json() == {"outcome": "retired", "runs": 0}
    assert len(cast.rows(Run)) == 1
    assert (await cast.server.put(disk_run(machine=machine), token)).status_code == 401


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"runs": "delete", "name": "Acme"}, "not_confirmed"),
        ({"runs": "delete", "name": "acme", "to": "elsewhere"}, "invalid_value"),
        ({"runs": "move", "name": "acme"}, "invalid_value"),
        ({"runs": "move", "name": "acme", "to": "acme"}, "invalid_value"),
        ({"runs": "publish", "name": "acme"}, "consent_needed"),
        ({"runs": "keep", "name": "acme"}, "invalid_request"),
        ({"name": "acme"}, "invalid_request"),
    ],
)
async def test_a_deletion_is_confirmed(cast: Cast, asked: dict[str, str], refusal: str) -> None:
    refused = await cast.ask("DELETE", f"{FLEETS}/acme", params=asked)
    assert code(refused) == (422, refusal)
    assert (await cast.ask("GET", f"{FLEETS}/acme")).status_code == 200


@pytest.mark.parametrize("runs", ["delete", "publish"])
async def test_a_deleted_fleets_runs_go_or_are_everybodys(cast: Cast, runs: str) -> None:
    machine, token = await cast.enrolled()
    run = disk_run(machine=machine)
    await cast.server.put(run, token)
    parameters = {"runs": runs, "name": "acme", "consent": runs == "publish"}
    response = await cast.ask("DELETE", f"{FLEETS}/acme", params=parameters)
    assert response.json() == {"runs": 1}
    assert (await cast.ask("GET", f"{FLEETS}/acme")).status_code == 404
    status = (await cast.ask("GET", f"/api/v1/runs/{run['id']}", {})).status_code
    assert status == (200 if runs == "publish" else 404)
    refused = await cast.server.put(disk_run(machine=machine), token)
    assert code(refused) == (401, "token_revoked")
    (act,) = cast.rows(Act, action="fleet.delete")
    assert act.details == {"name": "acme", "runs": runs, "counted": 1}


async def upload(cast: Cast, machine: str, token: str, until: asyncio.Event) -> Counter[str]:
    """Upload run after run, like an agent, until one is refused; no other failure may occur."""
    answers: Counter[str] = Counter()
    while True:
        response = await cast.server.put(disk_run(machine=machine), token)
        if response.status_code == 201:
            answers["stored"] += 1
            if until.is_set():
                return answers
        else:
            answers["/".join(map(str, code(response)))] += 1
            return answers
        await asyncio.sleep(0)


async def test_a_fleet_moves_into_another_while_eight_agents_upload(cast: Cast) -> None:
    root = people.make_person(cast.server.database_url, "Root", server_admin=True)
    headers = await people.sign_in(cast.server.database_url, root)
    agents = [await cast.enrolled() for _ in range(8)]
    moved = asyncio.Event()
    uploads = [asyncio.create_task(upload(cast, *agent, moved)) for agent in agents]
    while len(cast.rows(Run.run_id)) < 16:
        await asyncio.sleep(0.05)
    parameters = {"runs": "move", "name": "acme", "to": "elsewhere"}
    response = await cast.ask("DELETE", f"{FLEETS}/acme", headers, params=parameters)
    assert response.status_code == 200
    moved.set()
    counts = sum(await asyncio.gather(*uploads), Counter())
    assert set(counts) == {"stored"}
    (elsewhere,) = cast.rows(Fleet.fleet_id, name="elsewhere")
    runs = cast.rows(Run.fleet_id, func.count(Run.run_id).over())
    assert {tuple(row) for row in runs} == {(elsewhere.fleet_id, counts["stored"])}


async def test_acts_are_read_page_by_page_and_exported(cast: Cast) -> None:
    for number in range(5):
        body = {"name": f"=Office {number}"}
        await cast.ask("POST", f"{FLEETS}/acme/secrets", json=body)
    first = (await cast.ask("GET", "/api/v1/audit?fleet=acme&limit=3")).json()
    second = (await cast.ask("GET", f"/api/v1/audit?fleet=acme&before={first['next']}")).json()
    names = [act["details"]["name"] for act in (*first["items"], *second["items"])]
    assert names == [f"=Office {number}" for number in (4, 3, 2, 1, 0)]
    assert second["next"] is None
    assert {(act["action"], act["by"], act["fleet"]) for act in first["items"]} == {
        ("secret.create", "Ada", "acme")
    }
    lines = (await cast.ask("GET", "/api/v1/audit.ndjson?fleet=acme")).content.splitlines()
    assert [orjson.loads(line)["details"]["name"] for line in lines] == names
    text = (await cast.ask("GET", "/api/v1/audit.csv?fleet=acme")).text
    assert len(list(csv.DictReader(io.StringIO(text)))) == 5
    for path in ("", ".csv", ".ndjson"):
        response = await cast.ask("GET", f"/api/v1/audit{path}")
        assert code(response) == (403, "not_server_admin")
        viewer = await cast.ask("GET", f"/api/v1/audit{path}?fleet=acme", cast.viewer)
        assert code(viewer) == (403, "not_admin")


async def test_an_uploader_is_made_used_and_revoked(cast: Cast) -> None:
    response = await cast.ask("POST", f"{FLEETS}/acme/uploaders", json={"name": "Importer"})
    assert response.status_code == 201
    secret = response.json()["secret"]
    listed = f"{FLEETS}/acme/devices"
    (uploader,) = (await cast.ask("GET", listed)).json()["items"]
    assert uploader.items() >= {"scope": "fleet", "name": "Importer", "last_used_at": None}.items()
    assert (await cast.server.put(disk_run(), secret)).status_code == 201
    (uploader,) = (await cast.ask("GET", listed)).json()["items"]
    assert uploader["last_used_at"] is not None
    assert (await cast.ask("DELETE", f"{listed}/{uploader['id']}")).status_code == 204
    assert (await cast.server.put(disk_run(), secret)).status_code == 401
