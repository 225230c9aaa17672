"""Macs with two ids, as an admin finds them: likely pairs, and merged ones."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from macmeter.models import FleetMachine, Machine
from sqlalchemy import insert, update
from support import people
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

NOW = datetime.now(UTC)
DAYS = {days: NOW - timedelta(days=days) for days in range(120)}


class Macs(NamedTuple):
    """A fleet whose machines are stored like the background process does it."""

    server: Server
    fleet_id: uuid.UUID
    admin: dict[str, str]

    def add(self, came: int, last: int, *, model: str = "Mac16,11", **facts: Any) -> str:
        """Add a machine that enrolled `came` days ago and last uploaded `last` days ago."""
        machine_id = uuid.uuid4()
        columns = {"chip": "Apple M4", "virtual": False, "runs": 3, "storages": []} | facts
        retired = columns.pop("retired_at", None)
        with people.writing(self.server.database_url) as connection:
            connection.execute(
                insert(Machine).values(
                    machine_id=machine_id,
                    fleet_id=self.fleet_id,
                    first_seen_at=DAYS[came],
                    retired_at=retired,
                )
            )
            connection.execute(
                insert(FleetMachine).values(
                    fleet_id=self.fleet_id,
                    machine_id=machine_id,
                    run_id=uuid.uuid4(),
                    received_at=DAYS[last],
                    measured_at=DAYS[last],
                    model=model,
                    **columns,
                )
            )
        return str(machine_id)

    async def told(self) -> Any:
        path = "/api/v1/fleets/acme/merges"
        response = await self.server.client.get(path, headers=self.admin)
        assert response.status_code == 200, response.text
        return response.json()

    async def pairs(self) -> list[tuple[str, str]]:
        likely = (await self.told())["likely"]
        return [(pair["former"]["id"], pair["present"]["id"]) for pair in likely]


@pytest.fixture
async def macs(server: Server) -> Macs:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    person = people.make_person(url, roles={fleet_id: "admin"})
    return Macs(server, fleet_id, await people.sign_in(url, person))


async def test_a_mac_that_fell_silent_when_one_of_its_model_came_is_likely(macs: Macs) -> None:
    macs.add(100, 0)
    former, present = macs.add(100, 20), macs.add(12, 0)
    (pair,) = (await macs.told())["likely"]
    assert (pair["former"]["id"], pair["present"]["id"]) == (former, present)
    assert pair["former"]["title"] == "Mac16,11"
    assert pair["former"]["last_at"] == DAYS[20].isoformat()
    assert pair["present"]["first_at"] == DAYS[12].isoformat()


@pytest.mark.parametrize(
    "facts",
    [
        {"model": "Mac14,2"},
        {"chip": "Apple M4 Pro"},
        {"virtual": True},
        {"retired_at": NOW},
        {"came": 55, "last": 51},
        {"came": 100, "last": 70},
        {"last": 3},
    ],
    # Without the time: every test process has to generate the same names.
    ids=lambda facts: " ".join(f"{name} {value}"[:20] for name, value in facts.items()),
)
async def test_others_are_not(macs: Macs, facts: dict[str, Any]) -> None:
    macs.add(**({"came": 100, "last": 20} | facts))
    macs.add(12, 0)
    assert await macs.pairs() == []


async def test_nobody_guesses_which_of_several_it_was(macs: Macs) -> None:
    macs.add(100, 20)
    present = macs.add(12, 0)
    other = macs.add(100, 25)
    assert await macs.pairs() == []
    with people.writing(macs.server.database_url) as connection:
        this = update(Machine).where(Machine.machine_id == uuid.UUID(other))
        connection.execute(this.values(retired_at=NOW))
    ((_, match),) = await macs.pairs()
    assert match == present
    macs.add(11, 0)
    assert await macs.pairs() == []


async def test_what_was_merged_is_listed_until_it_is_taken_back(macs: Macs) -> None:
    uploader = people.uploader_of(macs.server.database_url, macs.fleet_id)
    former, present = disk_run(), disk_run()
    for run in (former, present):
        assert (await macs.server.put(run, uploader)).status_code == 201
    old, new = (run["machine"]["id"] for run in (former, present))
    path, body = f"/api/v1/machines/{old}/merge", {"into": new}
    merged = await macs.server.client.put(path, headers=macs.admin, json=body)
    assert merged.json() == {"runs": 1}
    (merge,) = (await macs.told())["merged"]
    assert (merge["machine_id"], merge["into"], merge["runs"]) == (old, new, 1)
    assert merge["at"] is not None
    await macs.server.client.delete(path, headers=macs.admin)
    assert (await macs.told())["merged"] == []
