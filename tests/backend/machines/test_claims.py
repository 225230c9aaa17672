"""Claiming a Mac by the link that its agent requested, and owning it."""

from __future__ import annotations

import asyncio
import logging
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter.machines.router import MOST_LINKS
from macmeter.models import Machine, OneTimeLink, Person
from sqlalchemy import select, update
from support import people
from support.documents import disk_run
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

Json = dict[str, Any]
VERA = {"name": "Vera", "email": "vera@example.org", "password": "correct horse battery"}


class Mac(NamedTuple):
    """A Mac that enrolled without a fleet."""

    server: Server
    id: str
    token: str

    async def asks(self) -> httpx.Response:
        return await self.server.client.post(
            f"/api/v1/machines/{self.id}/claim", headers={"Authorization": f"Bearer {self.token}"}
        )

    async def link(self) -> str:
        """Secret of a link to claim it."""
        response = await self.asks()
        assert response.status_code == 201, response.text
        address, secret = response.json()["link"].split("#")
        assert address == "http://test/claim"
        return str(secret)

    def column(self, column: Any) -> Any:
        with people.writing(self.server.database_url) as connection:
            return connection.scalar(select(column).filter_by(machine_id=uuid.UUID(self.id)))


async def enrol(server: Server, machine: str | None = None, token: str | None = None) -> Mac:
    machine = machine or str(uuid.uuid4())
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    made = await server.client.post("/api/v1/enroll", json={"machine_id": machine}, headers=headers)
    assert made.status_code == 201, made.text
    assert (made.json()["fleet"], made.json()["visibility"]) == (None, "public")
    return Mac(server, machine, made.json()["token"])


@pytest.fixture
async def mac(server: Server) -> Mac:
    return await enrol(server)


async def sent(server: Server, path: str, body: Json, **headers: str) -> httpx.Response:
    response = await server.client.post(
        f"/api/v1/invitations/{path}", json=body, headers={**people.OWN_PAGE, **headers}
    )
    server.client.cookies.clear()
    return response


async def ada_of(server: Server) -> tuple[uuid.UUID, dict[str, str]]:
    """A person with an account, signed in."""
    ada = people.make_person(server.database_url)
    return ada, await people.sign_in(server.database_url, ada)


async def accepted(server: Server, secret: str, person: uuid.UUID) -> httpx.Response:
    """Accept the link in a separate browser, because accepting signs in again."""
    browser = await people.sign_in(server.database_url, person)
    return await sent(server, "accept", {"secret": secret}, **browser)


async def own(server: Server, headers: dict[str, str]) -> list[Json]:
    listed = await server.client.get("/api/v1/account/machines", headers=headers)
    items: list[Json] = listed.json()["items"]
    return items


def told(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


async def test_whoever_opens_the_link_has_the_mac(mac: Mac) -> None:
    server = mac.server
    run = disk_run(machine=mac.id)
    assert (await server.put(run, mac.token)).status_code == 201
    ada, headers = await ada_of(server)
    secret = await mac.link()
    opened = (await sent(server, "open", {"secret": secret}, **headers)).json()
    assert (opened["purpose"], opened["machine_id"]) == ("claim", mac.id)
    assert (opened["role"], opened["accounts"]) == (None, True)
    claimed = await accepted(server, secret, ada)
    assert claimed.status_code == 201, claimed.text
    assert not claimed.json()["person"]["server_admin"]
    assert [mac_owned["id"] for mac_owned in await own(server, headers)] == [mac.id]
    assert mac.column(Machine.claimed_by) == ada
    assert people.acts(server.database_url)[-3:] == ["claim.ask", "machine.claim", "session.begin"]
    # Its owner may name it, and delete it with its runs.
    renamed = await server.client.patch(
        f"/api/v1/machines/{mac.id}", json={"name": "Desk"}, headers=headers
    )
    assert renamed.status_code == 204
    assert [mac_owned["name"] for mac_owned in await own(server, headers)] == ["Desk"]
    assert told(await accepted(server, secret, ada)) == (410, "link_used")
    response = await server.client.delete(f"/api/v1/machines/{mac.id}", headers=headers)
    assert response.json() == {"outcome": "deleted", "runs": 1}
    assert await own(server, headers) == []
    assert told(await server.put(disk_run(machine=mac.id), mac.token)) == (401, "token_revoked")


async def test_somebody_without_an_account_makes_one(mac: Mac) -> None:
    """They don't see what a fleet shows to invited people."""
    server, url = mac.server, mac.server.database_url
    fleet_id = people.make_fleet(url, "everybody", "members")
    body = {"secret": await mac.link(), "account": VERA}
    response = await sent(server, "accept", body)
    assert response.status_code == 201, response.text
    assert response.json()["fleets"] == []
    vera = response.json()["person"]["id"]
    headers = await people.sign_in(url, uuid.UUID(vera))
    assert [mac_owned["id"] for mac_owned in await own(server, headers)] == [mac.id]
    # After any invitation they have normal rights.
    admin = await people.sign_in(url, people.make_person(url, roles={fleet_id: "admin"}))
    people.make_fleet(url, "for all", "members")
    invited = await server.client.post(
        "/api/v1/invitations", json={"role": "viewer", "fleet": "everybody"}, headers=admin
    )
    secret = invited.json()["link"].split("#")[1]
    joined = await sent(server, "accept", {"secret": secret}, **headers)
    assert [fleet["name"] for fleet in joined.json()["fleets"]] == ["everybody", "for all"]


@pytest.mark.parametrize("off", [{"accounts_by_claim": False}, {"public_uploads": False}], ids=str)
async def test_an_operator_keeps_accounts_by_invitation(database_url: str, off: Json) -> None:
    async with serving(database_url) as server:
        mac = await enrol(server)
    async with serving(database_url, **off) as server:
        mac = mac._replace(server=server)
        secret = await mac.link()
        opened = await sent(server, "open", {"secret": secret})
        assert opened.json()["accounts"] is False
        refused = await sent(server, "accept", {"secret": secret, "account": VERA})
        assert told(refused) == (403, "accounts_by_invitation")
        _, headers = await ada_of(server)
        assert (await sent(server, "accept", {"secret": secret}, **headers)).status_code == 201


ENDS = [
    ({"expires_at": datetime.now(UTC) - timedelta(seconds=1)}, 410, "link_expired"),
    ({"used_at": datetime.now(UTC)}, 410, "link_used"),
    ({"secret_sha256": b"another"}, 404, "link_unknown"),
]


@pytest.mark.parametrize(("change", "status", "code"), ENDS, ids=lambda value: str(value)[:30])
async def test_a_link_that_is_not_good_claims_nothing(
    mac: Mac, change: Json, status: int, code: str
) -> None:
    secret = await mac.link()
    with people.writing(mac.server.database_url) as connection:
        connection.execute(update(OneTimeLink).values(change))
    for path, body in (("open", {}), ("accept", {"account": VERA})):
        refused = await sent(mac.server, path, {"secret": secret, **body})
        assert told(refused) == (status, code)
    assert mac.column(Machine.claimed_by) is None
    with people.writing(mac.server.database_url) as connection:
        assert connection.scalar(select(Person).where(Person.name == "Vera")) is None


async def test_a_newer_link_ends_the_one_before(mac: Mac) -> None:
    first, second = await mac.link(), await mac.link()
    assert told(await sent(mac.server, "open", {"secret": first})) == (404, "link_unknown")
    assert (await sent(mac.server, "open", {"secret": second})).status_code == 200


async def test_of_two_at_once_one_has_it(mac: Mac) -> None:
    secret = await mac.link()
    both = [await ada_of(mac.server) for _ in range(2)]
    responses = await asyncio.gather(
        *(sent(mac.server, "accept", {"secret": secret}, **headers) for _, headers in both)
    )
    assert sorted(response.status_code for response in responses) == [201, 410]


async def test_a_mac_that_somebody_has_is_nobody_elses(mac: Mac) -> None:
    server = mac.server
    (ada, first), (bob, other) = await ada_of(server), await ada_of(server)
    secret = await mac.link()
    assert (await accepted(server, secret, ada)).status_code == 201
    assert told(await mac.asks()) == (409, "machine_claimed")
    with people.writing(server.database_url) as connection:
        # As if the link had been opened a moment before.
        connection.execute(update(OneTimeLink).values(used_at=None))
    opened = await sent(server, "open", {"secret": secret}, **other)
    assert told(opened) == (409, "machine_claimed")
    assert told(await accepted(server, secret, bob)) == (409, "machine_claimed")
    path = f"/api/v1/machines/{mac.id}/claim"
    assert (await server.client.delete(path, headers=other)).status_code == 404
    assert (await server.client.delete(path, headers=first)).status_code == 204
    assert await own(server, first) == []
    assert (await accepted(server, secret, bob)).status_code == 201


async def test_a_mac_of_a_fleet_is_its_fleets(mac: Mac) -> None:
    """A claim ends if its Mac joins a fleet with its own token."""
    server, url = mac.server, mac.server.database_url
    ada, headers = await ada_of(server)
    assert (await accepted(server, await mac.link(), ada)).status_code == 201
    secret = people.make_secret(url, people.make_fleet(url, "acme"))
    joined = await server.client.post(
        "/api/v1/enroll",
        json={"secret": secret, "machine_id": mac.id},
        headers={"Authorization": f"Bearer {mac.token}"},
    )
    fleet_mac = mac._replace(token=joined.json()["token"])
    assert told(await fleet_mac.asks()) == (409, "machine_of_fleet")
    assert await own(server, headers) == []
    # Nor can it leave by itself.
    alone = await server.client.post(
        "/api/v1/enroll",
        json={"machine_id": mac.id},
        headers={"Authorization": f"Bearer {fleet_mac.token}"},
    )
    assert told(alone) == (403, "machine_bound")


async def test_only_the_macs_own_token_asks(mac: Mac) -> None:
    other = await enrol(mac.server)
    refused = await mac._replace(token=other.token).asks()
    assert told(refused) == (403, "machine_bound")
    uploader = await mac._replace(id=str(uuid.uuid4()), token=mac.server.token("fleet")).asks()
    assert told(uploader) == (403, "not_a_device")


async def test_a_mac_enrols_again_by_itself_with_its_token_alone(mac: Mac) -> None:
    server = mac.server
    assert (await server.put(disk_run(machine=mac.id), mac.token)).status_code == 201
    stolen = await server.client.post("/api/v1/enroll", json={"machine_id": mac.id})
    assert told(stolen) == (403, "machine_bound")
    again = await enrol(server, mac.id, mac.token)
    assert told(await server.put(disk_run(machine=mac.id), mac.token)) == (401, "token_revoked")
    assert (await server.put(disk_run(machine=mac.id), again.token)).status_code == 201


async def test_links_and_enrolments_are_limited(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(database_url, quota_enrolments=1, quota_sign_ins=3) as server:
        mac = await enrol(server)
        another = {"machine_id": str(uuid.uuid4())}
        assert told(await server.client.post("/api/v1/enroll", json=another)) == (429, "quota")
        for _ in range(MOST_LINKS):
            secret = await mac.link()
        with caplog.at_level(logging.WARNING, "macmeter"):
            refused = await mac.asks()
            assert told(refused) == (429, "quota")
            assert int(refused.headers["Retry-After"]) > 0
            for guess in ("a", "b", "c"):
                assert (await sent(server, "open", {"secret": f"mml_{guess}"})).status_code == 404
            # After so many failures a valid link is refused, too.
            assert told(await sent(server, "open", {"secret": secret})) == (429, "quota")
        messages = [record.message for record in caplog.records]
        assert "claim links refused" in messages
        assert messages.count("sign-in refused") == 4
        assert secret not in caplog.text


async def test_nobody_enrols_alone_where_public_uploads_are_off(database_url: str) -> None:
    async with serving(database_url, public_uploads=False) as server:
        refused = await server.client.post("/api/v1/enroll", json={"machine_id": str(uuid.uuid4())})
        assert told(refused) == (403, "public_uploads_off")
        assert refused.json()["pointer"] == "/secret"


async def test_inviting_oneself_into_ones_own_fleet_is_no_invitation(database_url: str) -> None:
    """An invitation by somebody invited counts, but not by one whose account came from a claim."""
    async with serving(database_url, fleets_by_anybody=True) as server:
        fleet_id = people.make_fleet(database_url, "everybody", "members")

        async def account(name: str) -> uuid.UUID:
            new = VERA | {"name": name, "email": f"{name}@example.org"}
            link = await (await enrol(server)).link()
            response = await sent(server, "accept", {"secret": link, "account": new})
            assert response.status_code == 201, response.text
            return uuid.UUID(response.json()["person"]["id"])

        async def fleets(person: uuid.UUID) -> list[str]:
            headers = await people.sign_in(database_url, person)
            listed = await server.client.get("/api/v1/fleets", headers=headers)
            return [fleet["name"] for fleet in listed.json()["items"]]

        async def invitation(by: uuid.UUID, fleet: str) -> str:
            invited = await server.client.post(
                "/api/v1/invitations",
                json={"role": "admin", "fleet": fleet},
                headers=await people.sign_in(database_url, by),
            )
            assert invited.status_code == 201, invited.text
            return str(invited.json()["link"].split("#")[1])

        async def found(by: uuid.UUID, name: str) -> None:
            headers = await people.sign_in(database_url, by)
            made = await server.client.post("/api/v1/fleets", json={"name": name}, headers=headers)
            assert made.status_code == 201, made.text

        async def joins(guest: uuid.UUID, by: uuid.UUID, fleet: str) -> None:
            joined = await accepted(server, await invitation(by, fleet), guest)
            assert joined.status_code == 201, joined.text

        vera, finn = await account("vera"), await account("finn")
        await found(vera, "veras")
        await found(finn, "finns")
        await joins(vera, vera, "veras")
        await joins(finn, vera, "veras")
        assert await fleets(vera) == ["veras"]
        assert await fleets(finn) == ["finns", "veras"]
        # A new account through such an invitation has no more rights, and can't pass any on.
        new = VERA | {"name": "Gus", "email": "gus@example.org"}
        joined = await sent(
            server, "accept", {"secret": await invitation(finn, "finns"), "account": new}
        )
        assert [fleet["name"] for fleet in joined.json()["fleets"]] == ["finns"]
        await joins(vera, uuid.UUID(joined.json()["person"]["id"]), "finns")
        assert await fleets(vera) == ["finns", "veras"]
        # Somebody who was invited vouches for her.
        ada = people.make_person(database_url, roles={fleet_id: "admin"})
        await found(ada, "adas")
        await joins(vera, ada, "adas")
        assert await fleets(vera) == ["adas", "everybody", "finns", "veras"]
