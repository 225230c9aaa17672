"""All data about one person, and about one machine: exported, and erased."""

from __future__ import annotations

import json
import uuid
from typing import Any, NamedTuple

import pytest
from macmeter.models import Act, Comparison, Person, Session, Token
from sqlalchemy import func, insert, select
from support import people
from support.documents import disk_run
from support.server import Server

pytestmark = pytest.mark.usefixtures("held")

ACCOUNT = "/api/v1/account"
QUESTION = {"question": "metric=disk.write_average"}


class World(NamedTuple):
    server: Server
    fleet_id: uuid.UUID
    ada: dict[str, str]
    uploader: str

    async def ask(self, method: str, path: str) -> Any:
        return await self.server.client.request(method, path, headers=self.ada)

    def counted(self, *of: Any) -> list[int]:
        with people.writing(self.server.database_url) as connection:
            return [connection.scalar(select(func.count()).select_from(model)) or 0 for model in of]


@pytest.fixture
async def world(server: Server) -> World:
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    person = people.make_person(url, "Ada Unmistakable", roles={fleet_id: "admin"})
    people.token_of(url, person, "read")
    ada = await people.sign_in(url, person)
    await server.stored(disk_run())
    saved = await server.client.post("/api/v1/comparisons", json=QUESTION, headers=ada)
    assert saved.status_code == 201
    named = await server.client.patch(ACCOUNT, json={"email": "ada@example.org"}, headers=ada)
    assert named.status_code == 200
    return World(server, fleet_id, ada, people.uploader_of(url, fleet_id))


async def test_a_person_takes_along_all_that_is_theirs_and_no_secret(world: World) -> None:
    response = await world.ask("GET", f"{ACCOUNT}/export")
    assert "attachment" in response.headers["content-disposition"]
    found = response.json()
    assert found["account"]["name"] == "Ada Unmistakable"
    assert found["account"]["email"] == "ada@example.org"
    assert [one["role"] for one in found["fleets"]] == ["admin"]
    assert [len(found[part]) for part in ("sessions", "tokens", "comparisons")] == [1, 1, 1]
    assert found["acts"][0]["action"] == "account.change"
    assert "sha256" not in response.text
    assert "hash" not in response.text


async def test_the_last_admin_is_not_erased_and_nothing_is_half_done(world: World) -> None:
    refused = await world.ask("DELETE", f"{ACCOUNT}?erase=true")
    assert (refused.status_code, refused.json()["code"]) == (409, "last_admin")
    found = (await world.ask("GET", f"{ACCOUNT}/export")).json()
    assert [len(found[part]) for part in ("sessions", "tokens", "comparisons")] == [1, 1, 1]
    assert found["acts"][0]["by"] == "Ada Unmistakable"


async def test_erased_nothing_names_them(world: World) -> None:
    url = world.server.database_url
    bob = people.make_person(url, "Bob", roles={world.fleet_id: "admin"})
    # Others' actions name her as well: by the email address of her invitation, and by her name.
    invited = await world.server.client.post(
        "/api/v1/invitations",
        json={"fleet": "acme", "role": "viewer", "email": "Ada@example.org"},
        headers=await people.sign_in(url, bob),
    )
    assert invited.status_code == 201, invited.text
    with people.writing(url) as connection:
        ada = connection.scalar(select(Person.person_id).where(Person.name != "Bob"))
        details = {"person": str(ada), "name": "Ada Unmistakable", "after": False}
        act = insert(Act).values(action="person.server_admin", by="Bob", details=details)
        connection.execute(act)
    assert (await world.ask("DELETE", f"{ACCOUNT}?erase=true")).status_code == 204
    assert world.counted(Session, Comparison, Person) == [1, 0, 1]
    with people.writing(world.server.database_url) as connection:
        assert connection.scalar(select(func.count()).where(Token.scope == "person")) == 0
        said = list(connection.execute(select(Act.by, Act.details)))
    assert said
    assert not any("Ada" in str(row) or "example.org" in str(row) for row in said)


async def test_a_machine_is_taken_along_run_by_run_and_erased(world: World) -> None:
    machine = str(uuid.uuid4())
    runs = [disk_run(machine=machine) for _ in range(3)]
    for run in runs:
        assert (await world.server.put(run, world.uploader)).status_code == 201
    path = f"/api/v1/machines/{machine}"
    response = await world.ask("GET", f"{path}/export.ndjson")
    lines = [json.loads(line) for line in response.text.splitlines()]
    documents = {line["run_id"]: line["document"] for line in lines}
    assert documents == {run["id"]: run for run in runs}
    assert (await world.ask("DELETE", path)).json() == {"outcome": "deleted", "runs": 3}
    assert (await world.ask("GET", f"{path}/export.ndjson")).status_code == 404
