"""Enrolment with a fleet's secret, and copies of one Mac."""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.fleets.enrolment import MOST_LOST
from macmeter.models import Act, Clone, EnrolmentSecret, Machine, Token
from sqlalchemy import func, select, update
from support import people
from support.documents import disk_run
from support.live_server import ForkedServer
from support.server import Server
from support.thorough import some

pytestmark = pytest.mark.usefixtures("held")


class Fleet(NamedTuple):
    server: Server
    fleet_id: uuid.UUID
    secret: str

    async def enrol(
        self, machine_id: str | uuid.UUID, secret: str | None = None, present: str | None = None
    ) -> httpx.Response:
        return await self.server.client.post(
            "/api/v1/enroll",
            json={"secret": secret or self.secret, "machine_id": str(machine_id)},
            headers={"Authorization": f"Bearer {present}"} if present else {},
        )

    async def token(self, machine_id: str, present: str | None = None) -> str:
        response = await self.enrol(machine_id, present=present)
        assert response.status_code == 201, response.text
        token: str = response.json()["token"]
        return token

    async def put(self, machine_id: str, token: str) -> int:
        run = disk_run(machine=machine_id)
        return (await self.server.put(run, token)).status_code

    def first(self, column: Any, **where: Any) -> Any:
        with people.writing(self.server.database_url) as connection:
            return connection.scalar(select(column).filter_by(**where))


@pytest.fixture
async def fleet(server: Server) -> Fleet:
    fleet_id = people.make_fleet(server.database_url, "acme")
    return Fleet(server, fleet_id, people.make_secret(server.database_url, fleet_id))


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def test_a_secret_buys_a_token_of_this_machine_and_no_other(fleet: Fleet) -> None:
    mac, other = str(uuid.uuid4()), str(uuid.uuid4())
    response = await fleet.enrol(mac)
    assert response.status_code == 201
    assert response.headers["cache-control"] == "no-store"
    answer = response.json()
    assert (answer["fleet"], answer["visibility"], answer["machine_id"]) == ("acme", "private", mac)
    assert await fleet.put(mac, answer["token"]) == 201
    assert await fleet.put(other, answer["token"]) == 403
    facts = await fleet.server.client.get(
        "/api/v1/tokens/self", headers={"Authorization": f"Bearer {answer['token']}"}
    )
    assert (facts.json()["fleet"], facts.json()["machine_id"]) == ("acme", mac)
    with people.writing(fleet.server.database_url) as connection:
        act = connection.execute(select(Act)).one()
    assert (act.action, act.by) == ("machine.enrol", "secret a secret")
    assert answer["token"] not in str(act.details)
    assert fleet.secret not in str(act.details)


@pytest.mark.parametrize(
    ("limits", "refusal"),
    [
        ({"quota": 0}, "secret_used_up"),
        ({"expires_at": datetime.now(UTC) - timedelta(seconds=1)}, "secret_expired"),
        ({"revoked_at": datetime.now(UTC)}, "secret_revoked"),
    ],
)
async def test_a_secret_that_is_over_opens_nothing(
    fleet: Fleet, limits: dict[str, Any], refusal: str
) -> None:
    over = people.make_secret(fleet.server.database_url, fleet.fleet_id, **limits)
    mac = uuid.uuid4()
    assert code(await fleet.enrol(mac, over)) == (403, refusal)
    assert fleet.first(Machine.fleet_id, machine_id=mac) is None
    assert (await fleet.enrol(mac)).status_code == 201


async def test_a_quota_counts_machines_and_not_how_often_they_enrol(fleet: Fleet) -> None:
    two = people.make_secret(fleet.server.database_url, fleet.fleet_id, quota=2, name="two")
    first, second, third = (str(uuid.uuid4()) for _ in range(3))
    token = (await fleet.enrol(first, two)).json()["token"]
    token = (await fleet.enrol(first, two, token)).json()["token"]
    # With another secret, and back.
    token = (await fleet.enrol(first, present=token)).json()["token"]
    assert (await fleet.enrol(first, two, token)).status_code == 201
    assert fleet.first(EnrolmentSecret.used, name="two") == 1
    answers = await asyncio.gather(*(fleet.enrol(mac, two) for mac in (second, third)))
    assert sorted(response.status_code for response in answers) == [201, 403]
    assert fleet.first(EnrolmentSecret.used, name="two") == 2


async def test_enrolling_again_revokes_what_the_machine_had(fleet: Fleet) -> None:
    mac = str(uuid.uuid4())
    before = await fleet.token(mac)
    assert await fleet.put(mac, before) == 201
    after = await fleet.token(mac)
    refused = await fleet.server.put(disk_run(machine=mac), before)
    assert code(refused) == (401, "token_revoked")
    assert await fleet.put(mac, after) == 201


async def test_a_machine_outside_the_fleet_joins_by_its_own_token_alone(fleet: Fleet) -> None:
    mac, own_token = str(uuid.uuid4()), fleet.server.token()
    assert await fleet.put(mac, own_token) == 201
    assert code(await fleet.enrol(mac)) == (403, "machine_bound")
    assert code(await fleet.enrol(mac, present="mmd_guessed")) == (403, "machine_bound")
    assert await fleet.put(mac, own_token) == 201
    joined = await fleet.token(mac, present=own_token)
    assert await fleet.put(mac, joined) == 201
    assert await fleet.put(mac, own_token) == 401


async def test_a_machine_of_another_fleet_stays_there(fleet: Fleet) -> None:
    url = fleet.server.database_url
    elsewhere = people.make_secret(url, people.make_fleet(url, "elsewhere"))
    mac = str(uuid.uuid4())
    token = (await fleet.enrol(mac, elsewhere)).json()["token"]
    assert code(await fleet.enrol(mac, present=token)) == (403, "machine_bound")
    assert await fleet.put(mac, token) == 201


async def test_a_barred_machine_does_not_enrol(fleet: Fleet) -> None:
    mac = str(uuid.uuid4())
    token = await fleet.token(mac)
    with people.writing(fleet.server.database_url) as connection:
        connection.execute(update(Machine).values(barred_at=func.now()))
    assert code(await fleet.enrol(mac, present=token)) == (403, "machine_barred")


async def test_a_mac_that_lost_its_token_a_few_times_is_no_clone(fleet: Fleet) -> None:
    mac = str(uuid.uuid4())
    for _ in range(1 + MOST_LOST):
        token = await fleet.token(mac)
    response = await fleet.enrol(mac)
    assert code(response) == (409, "machine_cloned")
    assert int(response.headers["retry-after"]) > 60
    # The Mac that has the token is not affected.
    assert await fleet.put(mac, token) == 201
    assert (await fleet.enrol(mac, present=token)).status_code == 201
    assert fleet.first(Clone.enrolments, machine_id=uuid.UUID(mac)) >= MOST_LOST + 1


async def test_an_hour_later_a_mac_may_have_lost_its_token_again(fleet: Fleet) -> None:
    mac = str(uuid.uuid4())
    for _ in range(1 + MOST_LOST):
        await fleet.token(mac)
    with people.writing(fleet.server.database_url) as connection:
        connection.execute(update(Clone).values(recent_since=func.now() - timedelta(minutes=61)))
    assert (await fleet.enrol(mac)).status_code == 201
    assert fleet.first(Clone.recent, machine_id=uuid.UUID(mac)) == 1


async def test_copies_are_told_to_get_ids_of_their_own_once_an_admin_says_so(
    fleet: Fleet,
) -> None:
    mac = str(uuid.uuid4())
    await fleet.token(mac)
    token = await fleet.token(mac)
    with people.writing(fleet.server.database_url) as connection:
        connection.execute(update(Clone).values(new_ids=True))
    assert code(await fleet.enrol(mac)) == (409, "new_id_needed")
    assert await fleet.put(mac, token) == 201


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"secret": "x"}, "/machine_id"),
        ({"secret": "x", "machine_id": "no uuid"}, "/machine_id"),
        ({"secret": "", "machine_id": str(uuid.uuid4())}, "/secret"),
        ({"secret": "x", "machine_id": str(uuid.uuid4()), "more": 1}, "/more"),
    ],
)
async def test_a_body_that_is_none_names_its_field(
    server: Server, body: dict[str, str], pointer: str
) -> None:
    refused = await server.client.post("/api/v1/enroll", json=body)
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer)


async def test_whoever_guesses_is_stopped_and_an_office_is_not(fleet: Fleet) -> None:
    limit = fleet.server.app.state.server.settings.quota_guesses
    answers = [await fleet.enrol(uuid.uuid4(), f"mms_{n}") for n in range(limit + 1)]
    assert Counter(map(code, answers)) == {(403, "secret_unknown"): limit, (429, "quota"): 1}
    # The same address, with a valid secret.
    assert (await fleet.enrol(uuid.uuid4())).status_code == 201


@pytest.mark.thorough
@pytest.mark.parametrize("times", some([100, 500]))
def test_a_cloned_image_enrols_many_times_at_once_and_slows_nobody(
    published_database_url: str, tmp_path: Path, times: int
) -> None:
    """One row counts them on the real server, few reach the database, others are served."""
    url, clone = published_database_url, str(uuid.uuid4())
    fleet_id = people.make_fleet(url, "herd")
    secret = people.make_secret(url, fleet_id)

    async def herd() -> tuple[Counter[int], list[int]]:
        limits = httpx.Limits(max_connections=100)
        address = live_server.url
        async with httpx.AsyncClient(base_url=address, timeout=300, limits=limits) as client:

            async def enrol(machine: str) -> int:
                body = {"secret": secret, "machine_id": machine}
                return (await client.post("/api/v1/enroll", json=body)).status_code

            copies = [asyncio.create_task(enrol(clone)) for _ in range(times)]
            statuses = [await enrol(str(uuid.uuid4())) for _ in range(5)]
            return Counter(await asyncio.gather(*copies)), statuses

    with ForkedServer(tmp_path, DATABASE_URL=url) as live_server:
        copies, statuses = asyncio.run(herd())
    assert statuses == [201] * 5
    assert copies == {201: 1 + MOST_LOST, 409: times - 1 - MOST_LOST}
    # Pending counts are written when the server stops.
    with people.writing(url) as connection:
        assert connection.scalar(select(Clone.enrolments)) == times - 1
        tokens = connection.scalar(
            select(func.count()).where(
                Token.machine_id == uuid.UUID(clone), Token.revoked_at.is_(None)
            )
        )
        acts = connection.scalar(select(func.count()).where(Act.fleet_id == fleet_id))
    assert tokens == 1
    assert acts == 1 + MOST_LOST + 5
