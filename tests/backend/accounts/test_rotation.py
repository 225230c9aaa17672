"""A Mac changes its token: whatever fails between two steps, the token that it kept is valid."""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.accounts.rotation import OLD
from macmeter.models import Machine, Token
from sqlalchemy import select, update
from support import people
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")


class Mac(NamedTuple):
    """A Mac enrolled with a fleet's secret."""

    server: Server
    fleet_id: uuid.UUID
    id: str
    token: str
    admin: dict[str, str]

    async def ask(
        self, method: str, path: str, token: str | None = None, **more: Any
    ) -> httpx.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else self.admin
        return await self.server.client.request(method, f"/api/v1{path}", headers=headers, **more)

    async def rotate(self, token: str) -> str:
        response = await self.ask("POST", "/tokens/self/rotation", token)
        assert response.status_code == 201, response.text
        fresh: str = response.json()["token"]
        return fresh

    async def put(self, token: str) -> httpx.Response:
        return await self.server.put(disk_run(machine=self.id), token)

    async def works(self, token: str) -> int:
        return (await self.put(token)).status_code

    async def devices(self) -> list[dict[str, Any]]:
        listed = await self.ask("GET", "/fleets/acme/devices")
        return list(listed.json()["items"])


@pytest.fixture
async def mac(server: Server) -> Mac:
    url, machine_id = server.database_url, str(uuid.uuid4())
    fleet_id = people.make_fleet(url, "acme")
    admin = people.token_of(url, people.make_person(url, roles={fleet_id: "admin"}), "manage")
    enrolled = await server.client.post(
        "/api/v1/enroll",
        json={"secret": people.make_secret(url, fleet_id), "machine_id": machine_id},
    )
    return Mac(server, fleet_id, machine_id, enrolled.json()["token"], admin)


def refusal(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def test_the_old_token_ends_at_the_first_use_of_the_fresh_one(mac: Mac) -> None:
    fresh = await mac.rotate(mac.token)
    assert await mac.works(mac.token) == 201
    assert (await mac.devices())[0]["renewed"] is False
    assert await mac.works(fresh) == 201
    assert refusal(await mac.put(mac.token)) == (401, "token_revoked")
    assert refusal(await mac.ask("POST", "/tokens/self/rotation", mac.token))[0] == 401
    assert await mac.works(fresh) == 201
    (device,) = await mac.devices()
    assert (device["machine_id"], device["renewed"]) == (mac.id, True)
    assert people.acts(mac.server.database_url)[-1] == "token.renew"


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/tokens/self"), ("POST", "/tokens/self/rotation")]
)
async def test_asking_with_the_fresh_token_is_a_use(mac: Mac, method: str, path: str) -> None:
    fresh = await mac.rotate(mac.token)
    assert (await mac.ask(method, path, fresh)).is_success
    assert await mac.works(mac.token) == 401
    assert await mac.works(fresh) == 201


async def test_an_answer_that_is_lost_costs_nothing(mac: Mac) -> None:
    unused = await mac.rotate(mac.token)
    fresh = await mac.rotate(mac.token)
    assert refusal(await mac.put(unused)) == (401, "token_unknown")
    assert await mac.works(fresh) == 201
    assert await mac.works(mac.token) == 401
    with people.writing(mac.server.database_url) as connection:
        tokens = select(Token.token_id).where(Token.machine_id == uuid.UUID(mac.id))
        assert len(connection.execute(tokens).all()) == 2


async def test_of_several_that_ask_at_once_one_gets_the_token(mac: Mac) -> None:
    fresh = await asyncio.gather(*(mac.rotate(mac.token) for _ in range(5)))
    assert await mac.works(mac.token) == 201
    statuses = [await mac.works(token) for token in fresh]
    assert sorted(statuses) == [201, 401, 401, 401, 401]


async def test_a_fresh_token_that_is_first_used_at_once_by_many_takes_its_place_once(
    mac: Mac,
) -> None:
    fresh = await mac.rotate(mac.token)
    assert await asyncio.gather(*(mac.works(fresh) for _ in range(5))) == [201] * 5
    assert people.acts(mac.server.database_url).count("token.renew") == 1


@pytest.mark.parametrize("way", ["rotation", "revocation"])
async def test_whoever_ends_a_token_ends_those_that_took_its_place(mac: Mac, way: str) -> None:
    (device,) = await mac.devices()
    second = await mac.rotate(mac.token)
    assert await mac.works(second) == 201
    waiting = await mac.rotate(second)
    path = f"/fleets/acme/devices/{device['id']}"
    if way == "rotation":
        response = await mac.ask("POST", f"{path}/rotation")
    else:
        response = await mac.ask("DELETE", path)
    assert response.status_code == 204
    assert refusal(await mac.put(mac.token)) == (401, "token_revoked")
    code = "token_revoked" if way == "rotation" else "machine_barred"
    for token in (second, waiting):
        assert refusal(await mac.put(token)) == (401, code)
    with people.writing(mac.server.database_url) as connection:
        barred = connection.scalar(select(Machine.barred_at))
    assert (barred is not None) == (way == "revocation")


async def test_a_mac_that_left_the_fleet_is_not_ended_by_its_former_admin(mac: Mac) -> None:
    (device,) = await mac.devices()
    elsewhere = people.make_fleet(mac.server.database_url, "elsewhere")
    root = people.make_person(mac.server.database_url, server_admin=True)
    moving = people.token_of(mac.server.database_url, root, "manage")
    moved = await mac.server.client.patch(
        f"/api/v1/machines/{mac.id}", json={"fleet": "elsewhere"}, headers=moving
    )
    assert moved.status_code == 204
    fresh = await mac.rotate(mac.token)
    assert await mac.works(fresh) == 201
    await mac.ask("DELETE", f"/fleets/acme/devices/{device['id']}")
    assert await mac.works(fresh) == 201
    with people.writing(mac.server.database_url) as connection:
        row = connection.execute(select(Machine.fleet_id, Machine.barred_at)).one()
    assert row == (elsewhere, None)


async def test_a_fresh_token_proves_whose_it_is_when_the_mac_enrols_again(mac: Mac) -> None:
    secret = people.make_secret(mac.server.database_url, mac.fleet_id, name="another")
    fresh = await mac.rotate(mac.token)
    body = {"secret": secret, "machine_id": mac.id}
    again = await mac.ask("POST", "/enroll", fresh, json=body)
    assert again.status_code == 201
    assert (await mac.ask("GET", "/fleets/acme/clones")).json()["items"] == []
    for token in (mac.token, fresh):
        assert refusal(await mac.put(token)) == (401, "token_revoked")


async def test_only_a_macs_own_token_is_changed(mac: Mac) -> None:
    uploader = people.uploader_of(mac.server.database_url, mac.fleet_id)
    for token in (uploader, mac.server.token()):
        refused = await mac.ask("POST", "/tokens/self/rotation", token)
        assert refusal(refused) == (403, "not_a_mac")
    alone, run = mac.server.token(), disk_run()
    assert (await mac.server.put(run, alone)).status_code == 201
    fresh = await mac.rotate(alone)
    run = disk_run(machine=run["machine"]["id"])
    assert (await mac.server.put(run, fresh)).status_code == 201


async def test_a_mac_is_told_when_its_token_is_old(mac: Mac) -> None:
    assert "renew_token" not in (await mac.put(mac.token)).json()
    fresh = await mac.rotate(mac.token)
    with people.writing(mac.server.database_url) as connection:
        old = datetime.now(UTC) - OLD - timedelta(minutes=1)
        connection.execute(update(Token).values(created_at=old))
    assert (await mac.put(fresh)).json()["renew_token"] is True
    uploader = people.uploader_of(mac.server.database_url, mac.fleet_id)
    assert "renew_token" not in (await mac.put(uploader)).json()


async def test_a_token_that_ends_some_day_ends_then_under_any_name(mac: Mac) -> None:
    end = datetime.now(UTC) + timedelta(days=1)
    with people.writing(mac.server.database_url) as connection:
        connection.execute(update(Token).values(expires_at=end))
    await mac.works(await mac.rotate(mac.token))
    with people.writing(mac.server.database_url) as connection:
        assert set(connection.scalars(select(Token.expires_at))) == {end}


@pytest.mark.parametrize("act", ["move", "delete"])
async def test_what_is_done_to_a_machine_without_a_token_leaves_all_tokens_alone(
    mac: Mac, act: str
) -> None:
    url = mac.server.database_url
    elsewhere = people.make_fleet(url, "elsewhere")
    uploader, run = people.uploader_of(url, mac.fleet_id), disk_run()
    assert (await mac.server.put(run, uploader)).status_code == 201
    root = people.make_person(url, server_admin=True)
    headers, path = people.token_of(url, root, "manage"), f"/api/v1/machines/{run['machine']['id']}"
    ask = mac.server.client.request
    if act == "move":
        response = await ask("PATCH", path, json={"fleet": "elsewhere"}, headers=headers)
    else:
        response = await ask("DELETE", path, headers=headers)
    assert response.is_success, response.text
    with people.writing(url) as connection:
        rows = connection.execute(select(Token.fleet_id, Token.revoked_at)).all()
    assert elsewhere not in {row.fleet_id for row in rows}
    assert {row.revoked_at for row in rows} == {None}
    assert await mac.works(mac.token) == 201
