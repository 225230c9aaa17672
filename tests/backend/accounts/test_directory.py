"""All accounts, as the server's administrators see and change them."""

from __future__ import annotations

import asyncio
import uuid
from typing import NamedTuple

import httpx
import pytest
from support import people
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

PEOPLE = "/api/v1/people"


class Cast(NamedTuple):
    server: Server
    ids: dict[str, uuid.UUID]
    root: dict[str, str]
    eve: dict[str, str]

    async def ask(
        self, method: str, name: str, headers: dict[str, str], **more: object
    ) -> httpx.Response:
        path = f"{PEOPLE}/{self.ids[name]}"
        return await self.server.client.request(method, path, headers=headers, json=more or None)


@pytest.fixture
async def cast(server: Server) -> Cast:
    url = server.database_url
    fleet = people.make_fleet(url, "acme")
    ids = {
        "Root": people.make_person(url, "Root", server_admin=True),
        "Eve": people.make_person(url, "Eve", server_admin=True),
        "Ada": people.make_person(url, "Ada", roles={fleet: "admin"}),
        "Vera": people.make_person(url, "Vera", roles={fleet: "viewer"}),
    }
    root, eve = [await people.sign_in(url, ids[name]) for name in ("Root", "Eve")]
    return Cast(server, ids, root, eve)


async def test_an_admin_sees_who_is_what_and_was_here_when(cast: Cast) -> None:
    people_listed = (await cast.server.client.get(PEOPLE, headers=cast.root)).json()
    by_name = {person["name"]: person for person in people_listed["items"]}
    assert list(by_name) == ["Ada", "Eve", "Root", "Vera"]
    assert by_name["Ada"]["fleets"] == [{"name": "acme", "role": "admin"}]
    assert [person["server_admin"] for person in by_name.values()] == [False, True, True, False]
    assert by_name["Root"]["last_seen_at"] is not None
    assert by_name["Vera"]["last_seen_at"] is None
    page = await cast.server.client.get(f"{PEOPLE}?limit=1&offset=3", headers=cast.root)
    assert ([p["name"] for p in page.json()["items"]], page.json()["total"]) == (["Vera"], 4)


async def test_an_account_is_removed_and_a_fleets_last_admin_is_not(cast: Cast) -> None:
    assert (await cast.ask("DELETE", "Vera", cast.root)).status_code == 204
    assert (await cast.ask("DELETE", "Vera", cast.root)).status_code == 404
    refused = await cast.ask("DELETE", "Ada", cast.root)
    assert (refused.status_code, refused.json()["code"]) == (409, "last_admin")
    assert people.acts(cast.server.database_url)[-1] == "person.remove"


async def test_somebody_is_made_admin_and_the_last_one_stays(cast: Cast) -> None:
    assert (await cast.ask("PATCH", "Ada", cast.root, server_admin=True)).status_code == 204
    for name in ("Ada", "Eve"):
        response = await cast.ask("PATCH", name, cast.root, server_admin=False)
        assert response.status_code == 204
    refused = await cast.ask("PATCH", "Root", cast.root, server_admin=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "last_server_admin")


async def test_of_two_admins_who_remove_each_other_at_once_one_remains(cast: Cast) -> None:
    answers = await asyncio.gather(
        cast.ask("PATCH", "Eve", cast.root, server_admin=False),
        cast.ask("PATCH", "Root", cast.eve, server_admin=False),
    )
    assert sorted(answer.status_code for answer in answers) == [204, 403]
