"""Labels that an admin gives Macs: for all their runs in the fleet, undone as one, nowhere else."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest
from macmeter.models import Act, Membership, Person, Run
from macmeter.platform import database
from macmeter.runs.rederive import rederive_runs
from sqlalchemy import insert, select
from support import people
from support.documents import disk_run
from support.server import Server

# Responses are checked against the contract.
pytestmark = pytest.mark.usefixtures("held")

MACHINES = "/api/v1/fleets/acme/machines"
METRIC = "disk.write_average"
OWN = {"rack": "A", "edr": "on"}


class Acme:
    """A private fleet with an admin and two Macs, which state their rack."""

    def __init__(self, server: Server) -> None:
        self.server, self.url = server, server.database_url
        self.macs: dict[str, str] = {}

    async def begin(self) -> None:
        fleet_id = people.make_fleet(self.url, "acme")
        person = people.make_person(self.url, "Ada", roles={fleet_id: "admin"})
        self.admin = await people.sign_in(self.url, person)
        self.secret = people.make_secret(self.url, fleet_id)
        for _ in range(2):
            await self.upload(await self.enrol())

    async def enrol(self, machine: str | None = None) -> str:
        machine = machine or str(uuid.uuid4())
        body = {"secret": self.secret, "machine_id": machine}
        enrolled = await self.server.client.post("/api/v1/enroll", json=body)
        self.macs[machine] = enrolled.json()["token"]
        return machine

    async def upload(self, machine: str) -> str:
        run = disk_run(machine=machine, labels=OWN)
        assert (await self.server.put(run, self.macs[machine])).status_code == 201
        return str(run["id"])

    async def label(self, **labels: str | None) -> httpx.Response:
        return await self.change(machines=[{"id": mac, "labels": labels} for mac in self.macs])

    async def change(self, **body: Any) -> httpx.Response:
        return await self.server.client.patch(MACHINES, json=body, headers=self.admin)

    async def get(self, path: str) -> Any:
        response = await self.server.client.get(path, headers=self.admin)
        assert response.status_code == 200, response.text
        return response.json()

    def of_runs(self) -> list[dict[str, str]]:
        with people.writing(self.url) as connection:
            return list(connection.scalars(select(Run.labels)))


@pytest.fixture
async def acme(server: Server) -> Acme:
    fleet = Acme(server)
    await fleet.begin()
    return fleet


async def test_labels_hold_for_runs_of_before_and_after_and_are_undone_as_one(acme: Acme) -> None:
    changed = (await acme.label(rack="B", floor="2")).json()
    assert changed["changed"] == 2
    run_id = await acme.upload(next(iter(acme.macs)))
    labelled = {"rack": "B", "edr": "on", "floor": "2"}
    assert acme.of_runs() == [labelled] * 3
    run = await acme.get(f"/api/v1/runs/{run_id}")
    assert run["labels"] == labelled
    # What the Mac sent stays as it was sent.
    assert (await acme.get(f"/api/v1/runs/{run_id}/document"))["labels"] == OWN
    page = await acme.get(f"{MACHINES}?q=floor")
    labels = [mac["given_labels"] for mac in page["items"]]
    assert labels == [{"rack": "B", "floor": "2"}] * 2
    filters = "where=fleet:acme&where=label:rack:B"
    assert (await acme.get(f"/api/v1/runs?{filters}"))["total"] == 3
    answer = await acme.get(f"/api/v1/answer?metric={METRIC}&{filters}&where=label:floor:2")
    assert answer["runs"] == 3
    undone = await acme.change(**changed["undo"])
    assert undone.json()["changed"] == 2
    assert acme.of_runs() == [OWN] * 3
    with people.writing(acme.url) as connection:
        acts = list(connection.scalars(select(Act.details).where(Act.action == "machine.change")))
    assert [act["labels"] for act in acts] == [
        {"floor": "2", "rack": "B"},
        {"floor": None, "rack": None},
    ]


async def test_rederiving_keeps_them(acme: Acme) -> None:
    await acme.label(rack="B")
    engine = database.engine(acme.url)
    assert (await rederive_runs(engine, all_runs=True)).rebuilt == 2
    await engine.dispose()
    assert acme.of_runs() == [OWN | {"rack": "B"}] * 2
    await acme.label(rack=None)
    assert acme.of_runs() == [OWN] * 2


async def test_public_runs_of_a_mac_dont_have_its_fleets_labels(acme: Acme) -> None:
    machine = str(uuid.uuid4())
    own = (await acme.server.client.post("/api/v1/enroll", json={"machine_id": machine})).json()
    public = disk_run(machine=machine, labels=OWN)
    assert (await acme.server.put(public, own["token"])).status_code == 201
    body = {"secret": acme.secret, "machine_id": machine}
    bearer = {"Authorization": f"Bearer {own['token']}"}
    enrolled = await acme.server.client.post("/api/v1/enroll", json=body, headers=bearer)
    assert enrolled.status_code == 201, enrolled.text
    acme.macs[machine] = enrolled.json()["token"]
    await acme.upload(machine)
    await acme.label(room="vault 7")
    with people.writing(acme.url) as connection:
        rows = connection.execute(select(Run.labels, Run.fleet_id.is_not(None)))
        assert all(("room" in labels) == is_of_fleet for labels, is_of_fleet in rows)
    assert "vault 7" not in (await acme.server.client.get(f"/api/v1/runs/{public['id']}")).text


async def test_a_mac_takes_them_to_another_fleet(acme: Acme) -> None:
    branch = people.make_fleet(acme.url, "branch")
    with people.writing(acme.url) as connection:
        ada = connection.scalar(select(Person.person_id))
        role = {"fleet_id": branch, "person_id": ada, "role": "admin"}
        connection.execute(insert(Membership).values(**role))
    await acme.label(rack="B")
    moved = await acme.change(machines=[{"id": mac} for mac in acme.macs], fleet="branch")
    assert moved.json()["changed"] == 2
    page = await acme.get("/api/v1/fleets/branch/machines")
    assert [mac["given_labels"] for mac in page["items"]] == [{"rack": "B"}] * 2
    assert acme.of_runs() == [OWN | {"rack": "B"}] * 2


async def test_an_id_that_is_merged_leaves_them_to_the_one_that_stays(acme: Acme) -> None:
    former, present = acme.macs
    await acme.change(machines=[{"id": former, "labels": {"rack": "B"}}])
    merged = await acme.server.client.put(
        f"/api/v1/machines/{former}/merge", json={"into": present}, headers=acme.admin
    )
    assert merged.json() == {"runs": 1}
    assert acme.of_runs() == [OWN | {"rack": "B"}] * 2


@pytest.mark.parametrize(
    "labels", [{"a:b": "c"}, {"a!": "c"}, {"*": "c"}, {"": "c"}, {"a": ""}, {"a": "x" * 61}]
)
async def test_what_a_filter_cant_name_is_refused(acme: Acme, labels: dict[str, str]) -> None:
    assert (await acme.label(**labels)).status_code == 422
    assert acme.of_runs() == [OWN] * 2


async def test_more_than_a_run_may_have_are_refused(acme: Acme) -> None:
    for half in "ab":
        labels = {f"{half}{number}": "x" for number in range(40)}
        answer = await acme.label(**labels)
    assert answer.status_code == 422
    assert len(acme.of_runs()[0]) == 42
