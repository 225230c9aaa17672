"""Macs of a fleet with names, and changed together: who sees it, what ends, and what undoes it."""

from __future__ import annotations

import json
import time
import uuid
from datetime import UTC, datetime
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.models import Act, Fleet, FleetMachine, Machine, Membership, Person, Run, Token
from sqlalchemy import insert, select, update
from support import people
from support.documents import disk_run
from support.server import Server

# Responses are checked against the contract.
pytestmark = pytest.mark.usefixtures("held")

MACHINES = "/api/v1/fleets/acme/machines"
NAME = "Kiosk 7"
METRIC = "disk.write_average"


class Acme(NamedTuple):
    server: Server
    fleet_id: uuid.UUID
    secret: str
    admin: dict[str, str]
    viewer: dict[str, str]

    async def enrolled(self, machine: str | None = None, **more: Any) -> httpx.Response:
        body = {"secret": self.secret, "machine_id": machine or str(uuid.uuid4()), **more}
        return await self.server.client.post("/api/v1/enroll", json=body)

    async def mac(self, **more: Any) -> tuple[str, str]:
        """Enrol a Mac and upload a run of it; return its id and token."""
        mac = (await self.enrolled(**more)).json()
        run = disk_run(machine=mac["machine_id"])
        assert (await self.server.put(run, mac["token"])).status_code == 201
        return mac["machine_id"], mac["token"]

    async def get(self, path: str, headers: dict[str, str] | None = None) -> Any:
        response = await self.server.client.get(path, headers=headers or self.viewer)
        assert response.status_code == 200, response.text
        return response.json() if "json" in response.headers["content-type"] else response.text

    async def change(self, **body: Any) -> httpx.Response:
        return await self.server.client.patch(MACHINES, json=body, headers=self.admin)

    def rows(self, *columns: Any) -> list[Any]:
        with people.writing(self.server.database_url) as connection:
            return list(connection.execute(select(*columns)))


@pytest.fixture
async def acme(server: Server) -> Acme:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    ada = people.make_person(url, "Ada", roles={fleet_id: "admin"})
    vera = people.make_person(url, "Vera", roles={fleet_id: "viewer"})
    secret = people.make_secret(url, fleet_id)
    signed_in = [await people.sign_in(url, person) for person in (ada, vera)]
    return Acme(server, fleet_id, secret, *signed_in)


async def test_a_name_is_wherever_its_fleet_sees_the_mac(acme: Acme) -> None:
    machine, _ = await acme.mac(name=NAME)
    where = "where=fleet:acme"
    page = await acme.get(f"/api/v1/machines/{machine}")
    assert (page["name"], page["words"]["title"]) == (NAME, NAME)
    for q, total in (("kiosk", 1), ("kiosk+apple", 1), ("desk", 0)):
        listed = await acme.get(f"/api/v1/machines?{where}&q={q}")
        assert listed["total"] == total
    by_machine = f"metric={METRIC}&by=machine&{where}"
    assert NAME in str((await acme.get(f"/api/v1/answer?{by_machine}"))["figure"])
    header, line, *_ = (await acme.get(f"/api/v1/answer.csv?{by_machine}")).splitlines()
    assert dict(zip(header.split(","), line.split(","), strict=True))["machine_name"] == NAME
    (facet,) = [
        dimension
        for dimension in (await acme.get(f"/api/v1/facets?{where}"))["dimensions"]
        if dimension["name"] == "machine"
    ]
    assert [value["text"] for value in facet["values"]] == [NAME]
    # Another name is another answer, although no run has changed.
    await acme.change(machines=[{"id": machine, "name": "Kiosk 8"}])
    assert "Kiosk 8" in str((await acme.get(f"/api/v1/answer?{by_machine}"))["figure"])
    await acme.change(machines=[{"id": machine, "name": ""}])
    assert "Kiosk" not in str(await acme.get(f"/api/v1/answer?{by_machine}"))


async def test_nobody_else_sees_a_name(acme: Acme) -> None:
    machine, _ = await acme.mac(name=NAME)
    url = acme.server.database_url
    # What everybody reads says the same to the fleet's own people.
    with people.writing(url) as connection:
        connection.execute(update(Fleet).values(visibility="public"))
    for headers in ({"Accept": "*/*"}, acme.viewer):
        page = await acme.get(f"/api/v1/machines/{machine}", headers)
        assert (page["name"], NAME in str(page)) == (None, False)
    assert (await acme.get(f"{MACHINES}?machine={machine}"))["items"][0]["name"] == NAME


async def test_an_admins_name_stays_when_a_mac_enrols_again(acme: Acme) -> None:
    machine, token = await acme.mac(name="from the profile")
    await acme.change(machines=[{"id": machine, "name": NAME}])
    bearer = {"Authorization": f"Bearer {token}"}
    body = {"secret": acme.secret, "machine_id": machine, "name": "from the profile"}
    again = await acme.server.client.post("/api/v1/enroll", json=body, headers=bearer)
    assert again.status_code == 201
    assert acme.rows(Machine.name) == [(NAME,)]


@pytest.mark.parametrize(
    "name", ["$COMPUTERNAME", "{{name}}", "${name}", "%ComputerName%", "US$ 5"]
)
async def test_a_variable_that_an_mdm_left_is_no_name(acme: Acme, name: str) -> None:
    await acme.mac(name=name)
    assert acme.rows(Machine.name) == [(name if name == "US$ 5" else None,)]


async def test_many_are_changed_as_one_and_undone_as_one(acme: Acme) -> None:
    first, other = (await acme.mac(name=NAME))[0], (await acme.mac())[0]

    def state() -> list[str]:
        machines = acme.rows(Machine.machine_id, Machine.name, Machine.retired_at)
        return sorted(map(str, [*machines, *acme.rows(Token.token_id, Token.revoked_at)]))

    before = state()
    changed = await acme.change(
        machines=[{"id": first, "name": "", "retired": True}, {"id": other, "retired": True}]
    )
    assert (changed.status_code, changed.json()["changed"]) == (200, 2)
    page = await acme.get("/api/v1/fleets/acme/dashboard")
    assert (page["machines"], page["retired"]) == (0, 2)
    assert (await acme.get("/api/v1/fleets/acme"))["machines"] == 0
    listed = await acme.get(f"{MACHINES}?only=retired")
    assert [mac["retired_by"] for mac in listed["items"]] == ["Ada", "Ada"]
    acts = [row.action for row in acme.rows(Act.action)]
    assert acts.count("machine.change") == 1
    assert (await acme.change(**changed.json()["undo"])).json()["changed"] == 2
    assert state() == before


async def test_many_move_with_their_runs_and_come_back(acme: Acme) -> None:
    url, macs = acme.server.database_url, [await acme.mac(), await acme.mac()]
    other = people.make_fleet(url, "branch")
    with people.writing(url) as connection:
        person = select(Membership.person_id).where(Membership.role == "admin")
        values = {"fleet_id": other, "person_id": connection.scalar(person), "role": "admin"}
        connection.execute(insert(Membership).values(values))
    moved = await acme.change(machines=[{"id": mac} for mac, _ in macs], fleet="branch")
    assert (moved.json()["changed"], moved.json()["fleet"]) == (2, "branch")
    assert (await acme.get("/api/v1/fleets/acme/dashboard"))["machines"] == 0
    undone = await acme.server.client.patch(
        "/api/v1/fleets/branch/machines", json=moved.json()["undo"], headers=acme.admin
    )
    assert undone.status_code == 200, undone.text
    assert (await acme.get("/api/v1/runs?where=fleet:acme"))["total"] == 2
    assert (await acme.server.put(disk_run(machine=macs[0][0]), macs[0][1])).status_code == 201


async def test_a_thousand_fit_whatever_their_names(acme: Acme) -> None:
    """As clients may send them: those of few bytes, and emoji escaped as six."""
    ids = [uuid.uuid4() for _ in range(1000)]
    with people.writing(acme.server.database_url) as connection:
        rows = [
            {"machine_id": mac, "fleet_id": acme.fleet_id, "name": "\U0001f5a5" * 60} for mac in ids
        ]
        connection.execute(insert(Machine), rows)
    body_changes = {"machines": [{"id": str(mac), "name": "\U0001f4bb" * 60} for mac in ids]}
    for _ in range(2):
        body = json.dumps(body_changes)
        headers = acme.admin | {"Content-Type": "application/json"}
        changed = await acme.server.client.patch(MACHINES, content=body, headers=headers)
        assert (changed.status_code, changed.json()["changed"]) == (200, 1000), changed.text
        body_changes = changed.json()["undo"]
    assert set(acme.rows(Machine.name)) == {("\U0001f5a5" * 60,)}


async def test_all_or_none_change(acme: Acme) -> None:
    machine, _ = await acme.mac()
    changes = [{"id": machine, "name": NAME}, {"id": str(uuid.uuid4()), "name": NAME}]
    refused = await acme.change(machines=changes)
    assert (refused.status_code, refused.json()["code"]) == (422, "not_in_fleet")
    twice = await acme.change(machines=[changes[0], changes[0]])
    assert twice.json()["code"] == "named_twice"
    assert acme.rows(Machine.name) == [(None,)]


async def test_a_retired_mac_is_told_whom_to_ask(acme: Acme) -> None:
    machine, token = await acme.mac()
    await acme.change(machines=[{"id": machine, "retired": True}])
    refused = await acme.server.put(disk_run(machine=machine), token)
    again = await acme.enrolled(machine)
    for response, status in ((refused, 401), (again, 403)):
        problem = response.json()
        assert (response.status_code, problem["code"]) == (status, "machine_retired")
        assert "Ada retired this Mac" in problem["detail"]
    # An admin wanted that: the fleet has no problem.
    health = (await acme.get("/api/v1/fleets/acme/dashboard", acme.admin))["health"]
    assert health["refusals"] == []
    await acme.change(machines=[{"id": machine, "retired": False}])
    assert (await acme.server.put(disk_run(machine=machine), token)).status_code == 201


async def test_a_revoked_mac_stays_so_when_it_may_enrol_again(acme: Acme) -> None:
    machine, token = await acme.mac()
    changed = await acme.change(machines=[{"id": machine, "barred": True}])
    assert (await acme.server.put(disk_run(machine=machine), token)).status_code == 401
    assert (await acme.enrolled(machine)).json()["code"] == "machine_barred"
    await acme.change(**changed.json()["undo"])
    # Whoever has the token may have stolen it.
    assert (await acme.server.put(disk_run(machine=machine), token)).status_code == 401
    assert (await acme.enrolled(machine)).status_code == 201


async def test_a_mac_that_never_uploaded_is_listed_since_it_enrolled(acme: Acme) -> None:
    await acme.mac()
    waiting = (await acme.enrolled(name=NAME)).json()["machine_id"]
    page = await acme.get("/api/v1/fleets/acme/dashboard")
    assert page["machines"] == 2
    listed = await acme.get(f"{MACHINES}?only=never_uploaded&q=kiosk")
    (mac,) = listed["items"]
    assert (mac["id"], mac["runs"], mac["last_received_at"]) == (waiting, 0, None)
    assert mac["enrolled_at"]


async def test_a_mac_is_found_by_a_label_of_its_newest_run(acme: Acme) -> None:
    mac = (await acme.enrolled()).json()
    run = disk_run(machine=mac["machine_id"], labels={"serial": "C02XL0GTJGH5"})
    await acme.server.put(run, mac["token"])
    with people.writing(acme.server.database_url) as connection:
        values = {"fleet_id": acme.fleet_id, "machine_id": mac["machine_id"], "run_id": run["id"]}
        times = dict.fromkeys(("received_at", "measured_at"), datetime.now(UTC))
        newest = insert(FleetMachine).values(runs=1, virtual=False, storages=[], **values, **times)
        connection.execute(newest)
    (found,) = (await acme.get(f"{MACHINES}?q=c02xl0"))["items"]
    assert (found["id"], found["labels"]) == (mac["machine_id"], {"serial": "C02XL0GTJGH5"})


async def test_the_log_names_macs_now_and_as_they_left(acme: Acme) -> None:
    macs = [(await acme.mac(name=name))[0] for name in (NAME, "Kiosk 8")]
    await acme.change(machines=[{"id": macs[0], "name": "Desk 1"}])
    body = {"machines": [macs[1]], "runs": 1}
    response = await acme.server.client.post(f"{MACHINES}/deletion", json=body, headers=acme.admin)
    assert response.status_code == 200, response.text
    log = await acme.get("/api/v1/audit?fleet=acme", acme.admin)
    names = {act["action"]: act["names"] for act in log["items"] if act["names"]}
    assert names["machine.change"] == {macs[0]: "Desk 1"}
    assert names["machine.delete"] == {macs[1]: "Kiosk 8"}
    assert "Kiosk" not in str([act["details"] for act in log["items"]])
    # Of the whole server's log readers need not be the fleet's.
    with people.writing(acme.server.database_url) as connection:
        connection.execute(update(Person).values(server_admin=True))
    log_text = str(await acme.get("/api/v1/audit", acme.admin))
    assert macs[1] in log_text
    assert "Desk" not in log_text
    assert "Kiosk" not in log_text


async def test_a_deleted_fleet_leaves_no_names_and_no_retired_macs(acme: Acme) -> None:
    machine, _ = await acme.mac(name=NAME)
    await acme.change(machines=[{"id": machine, "retired": True, "labels": {"room": "vault"}}])
    response = await acme.server.client.delete(
        "/api/v1/fleets/acme?name=acme&runs=publish&consent=true", headers=acme.admin
    )
    assert response.status_code == 200, response.text
    assert acme.rows(Machine.name, Machine.retired_by, Machine.labels) == [(None, None, None)]
    assert acme.rows(Run.labels) == [({},)]


async def test_five_hundred_are_changed_within_seconds(acme: Acme) -> None:
    ids = [uuid.uuid4() for _ in range(500)]
    with people.writing(acme.server.database_url) as connection:
        rows = [{"machine_id": mac, "fleet_id": acme.fleet_id} for mac in ids]
        connection.execute(insert(Machine), rows)
    changes = [{"id": str(mac), "name": f"Mac {n}", "retired": True} for n, mac in enumerate(ids)]
    start = time.monotonic()
    assert (await acme.change(machines=changes)).json()["changed"] == 500
    assert time.monotonic() - start < 5


async def test_refused_enrolments_are_listed_until_the_mac_enrols(acme: Acme) -> None:
    url, machine = acme.server.database_url, str(uuid.uuid4())
    used_up = acme._replace(secret=people.make_secret(url, acme.fleet_id, name="old", quota=0))
    for _ in range(2):
        assert (await used_up.enrolled(machine)).json()["code"] == "secret_used_up"
    unknown = acme._replace(secret="mms_unknown")
    assert (await unknown.enrolled()).status_code == 403
    path = "/api/v1/fleets/acme/devices"
    (entry,) = (await acme.get(path, acme.admin))["refused"]
    assert (entry["machine_id"], entry["code"], entry["times"]) == (machine, "secret_used_up", 2)
    assert entry["secret"] == "old"
    await acme.enrolled(machine)
    assert (await acme.get(path, acme.admin))["refused"] == []


async def test_many_macs_are_deleted_after_their_runs_were_counted(acme: Acme) -> None:
    macs = [await acme.mac(name=f"Kiosk {number}") for number in range(3)]
    ids, path = [machine for machine, _ in macs], f"{MACHINES}/deletion"

    async def asks(machines: list[str], **more: int) -> httpx.Response:
        body = {"machines": machines, **more}
        return await acme.server.client.post(path, json=body, headers=acme.admin)

    result = (await asks(ids[:2])).json()
    assert result == {"machines": 2, "runs": 2, "deleted": False}
    assert (await acme.get("/api/v1/fleets/acme"))["machines"] == 3
    changed = await asks(ids[:2], runs=1)
    assert (changed.status_code, changed.json()["runs"]) == (409, 2)
    missing = await asks([*ids[:2], str(uuid.uuid4())], runs=2)
    assert missing.status_code == 422
    assert (await acme.get(MACHINES))["total"] == 3, "all or none"
    assert (await asks(ids[:2], runs=2)).json() == {"machines": 2, "runs": 2, "deleted": True}
    assert [mac["id"] for mac in (await acme.get(MACHINES))["items"]] == ids[2:]
    assert (await acme.get("/api/v1/runs?where=fleet:acme"))["total"] == 1
    again = await acme.server.put(disk_run(machine=ids[0]), macs[0][1])
    assert again.status_code == 401, "its token ended"
    (act,) = [row for row in acme.rows(Act.action, Act.details) if row.action == "machine.delete"]
    assert (act.details["machine_ids"], act.details["runs"]) == (sorted(ids[:2]), 2)
