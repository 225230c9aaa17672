"""All data about one person, and about one machine: exported, and erased."""

from __future__ import annotations

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from macmeter.accounts.one_time_links import forget_addresses
from macmeter.models import Act, Alert, AlertAddress, Base, Comparison, Person, Session, Token
from macmeter.platform.database import engine
from sqlalchemy import func, insert, select, text
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
    response = await server.client.patch(ACCOUNT, json={"email": "ada@example.org"}, headers=ada)
    assert response.status_code == 200
    return World(server, fleet_id, ada, people.uploader_of(url, fleet_id))


async def test_a_person_takes_along_all_that_is_theirs_and_no_secret(world: World) -> None:
    response = await world.ask("GET", f"{ACCOUNT}/export")
    assert "attachment" in response.headers["content-disposition"]
    export = response.json()
    assert export["account"]["name"] == "Ada Unmistakable"
    assert export["account"]["email"] == "ada@example.org"
    assert [fleet["role"] for fleet in export["fleets"]] == ["admin"]
    assert [len(export[part]) for part in ("sessions", "tokens", "comparisons")] == [1, 1, 1]
    assert export["acts"][0]["action"] == "account.change"
    assert "sha256" not in response.text
    assert "hash" not in response.text


async def test_the_last_admin_is_not_erased_and_nothing_is_half_done(world: World) -> None:
    refused = await world.ask("DELETE", f"{ACCOUNT}?erase=true")
    assert (refused.status_code, refused.json()["code"]) == (409, "last_admin")
    export = (await world.ask("GET", f"{ACCOUNT}/export")).json()
    assert [len(export[part]) for part in ("sessions", "tokens", "comparisons")] == [1, 1, 1]
    assert export["acts"][0]["by"] == "Ada Unmistakable"


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
        rows = list(connection.execute(select(Act.by, Act.details)))
    assert rows
    assert not any("Ada" in str(row) or "example.org" in str(row) for row in rows)


def mentioning(url: str, *words: str) -> list[str]:
    """Rows of any table with one of these words."""
    with people.writing(url) as connection:
        return [
            f"{table.name}: {row}"
            for table in Base.metadata.sorted_tables
            for row in connection.scalars(select(text("t::text")).select_from(table.alias("t")))
            if any(word.lower() in row.lower() for word in words)
        ]


async def test_erased_they_are_nowhere_whatever_they_were_called(world: World) -> None:
    """By another address and name, in a fleet left since, in what they typed themselves."""
    url, client = world.server.database_url, world.server.client
    with people.writing(url) as connection:
        ada = connection.execute(select(Person.person_id)).scalar_one()
    bob = await people.sign_in(url, people.make_person(url, "Bob", roles={world.fleet_id: "admin"}))
    other = people.make_fleet(url, "other")
    cy = await people.sign_in(url, people.make_person(url, "Cy", roles={other: "admin"}))

    async def ask(method: str, path: str, by: dict[str, str], body: Any = None) -> Any:
        client.cookies.clear()
        response = await client.request(method, f"/api/v1{path}", json=body, headers=by)
        assert response.is_success, response.text
        return response.json() if response.content else None

    invitation = {"fleet": "other", "role": "admin", "email": "ada.work@example.com"}
    link = (await ask("POST", "/invitations", cy, invitation))["link"].split("#")[1]
    await ask("POST", "/invitations/accept", world.ada, {"secret": link})
    headers = await people.sign_in(url, ada)  # accepting ends the session before
    await ask("POST", "/tokens", headers, {"name": "Ada's laptop", "permission": "read"})
    alert = people.make_alert(url, other)
    await ask("PUT", f"/alerts/{alert}/acknowledgement", headers)
    await ask("POST", f"/alerts/{alert}/comments", headers, {"text": "It was moved."})
    await ask("PUT", f"/alerts/{alert}/mute", headers, {"days": 3, "why": "Known."})
    macs = [disk_run() for _ in range(3)]
    for run in macs:
        assert (await world.server.put(run, people.uploader_of(url, other))).status_code == 201
    ids = [run["machine"]["id"] for run in macs]
    for chunk in (ids[:1], ids[1:]):
        retired = {"machines": [{"id": machine_id, "retired": True} for machine_id in chunk]}
        await ask("PATCH", "/fleets/other/machines", headers, retired)
    with people.writing(url) as connection:
        connection.execute(
            insert(AlertAddress).values(
                address_id=uuid.uuid4(),
                fleet_id=other,
                email="lovelace@example.net",
                secret_sha256=b"",
            )
        )
    await ask("DELETE", f"/fleets/other/members/{ada}", cy)
    invitation |= {"fleet": "acme", "email": "ADA@example.org"}
    await ask("POST", "/invitations", bob, invitation)
    await ask("PATCH", "/account", headers, {"email": "lovelace@example.net", "name": "Lovelace"})
    words = ("ada's", "unmistakable", "ada@", "ada.work@", "lovelace")
    # Among them the muted alert and three retired Macs.
    assert len(mentioning(url, *words)) > 10
    await ask("DELETE", "/account?erase=true", headers)
    writing, later = engine(url), datetime.now(UTC) + timedelta(days=8)
    async with writing.begin() as expiring:
        await forget_addresses(expiring, later)
    await writing.dispose()
    assert mentioning(url, *words) == []


async def test_somebody_of_the_same_name_keeps_theirs(world: World) -> None:
    url, client = world.server.database_url, world.server.client
    namesake = people.make_person(url, "Ada Unmistakable", roles={world.fleet_id: "admin"})
    alert = people.make_alert(url, world.fleet_id)
    path = f"/api/v1/alerts/{alert}/acknowledgement"
    assert (await client.put(path, headers=await people.sign_in(url, namesake))).status_code == 204
    assert (await world.ask("DELETE", f"{ACCOUNT}?erase=true")).status_code == 204
    with people.writing(url) as connection:
        assert connection.scalar(select(Alert.acknowledged_by)) == "Ada Unmistakable"


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
