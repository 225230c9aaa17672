"""Invitations: created, mailed, accepted once, revoked; and admins that stay."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from macmeter.models import Membership
from sqlalchemy import select
from support import people
from support.post_office import post_office
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

Json = dict[str, Any]
INVITATIONS = "/api/v1/invitations"
ACCOUNT = {"name": "Vera", "email": "vera@example.org", "password": "correct horse battery"}


async def invited(server: Server, by: dict[str, str], **body: Any) -> httpx.Response:
    return await server.client.post(INVITATIONS, json={"role": "viewer", **body}, headers=by)


async def accept(
    server: Server, secret: str, account: Json | None = None, **headers: str
) -> httpx.Response:
    body = {"secret": secret, "account": account}
    response = await server.client.post(
        f"{INVITATIONS}/accept", json=body, headers={**people.OWN_PAGE, **headers}
    )
    server.client.cookies.clear()
    return response


def secret_in(link: str) -> str:
    address, secret = link.split("#")
    assert address == "http://test/invitations"
    return secret


async def admin_of(server: Server, fleet: str = "acme") -> dict[str, str]:
    url = server.database_url
    fleet_id = people.make_fleet(url, fleet)
    return await people.sign_in(url, people.make_person(url, roles={fleet_id: "admin"}))


async def test_a_viewer_comes_by_a_link_that_works_once(server: Server) -> None:
    ada = await admin_of(server)
    invitation = await invited(server, ada, fleet="acme")
    assert invitation.status_code == 201, invitation.text
    secret = secret_in(invitation.json()["link"])
    listed = (await server.client.get(INVITATIONS, headers=ada)).json()["items"]
    assert [entry["fleet"] for entry in listed] == ["acme"]
    assert secret not in str(listed)
    opened = await server.client.post(
        f"{INVITATIONS}/open", json={"secret": secret}, headers=people.OWN_PAGE
    )
    assert (opened.json()["fleet"], opened.json()["role"]) == ("acme", "viewer")
    joined = await accept(server, secret, ACCOUNT)
    assert joined.status_code == 201, joined.text
    assert [(f["name"], f["role"]) for f in joined.json()["fleets"]] == [("acme", "viewer")]
    again = await accept(server, secret, {**ACCOUNT, "email": "eve@example.org"})
    assert (again.status_code, again.json()["code"]) == (410, "link_used")
    assert (await server.client.get(INVITATIONS, headers=ada)).json()["items"] == []


async def test_whoever_has_an_account_joins_with_it(server: Server) -> None:
    ada, url = await admin_of(server), server.database_url
    bob = people.make_person(url, roles={people.make_fleet(url, "elsewhere"): "admin"})
    for role in ("admin", "viewer"):
        invitation = await invited(server, ada, fleet="acme", role=role)
        headers = await people.sign_in(url, bob)
        joined = await accept(server, secret_in(invitation.json()["link"]), None, **headers)
        fleets = {fleet["name"]: fleet["role"] for fleet in joined.json()["fleets"]}
        assert fleets == {"acme": "admin", "elsewhere": "admin"}, "an admin stays one"


BAD: list[tuple[Json | None, str]] = [
    (None, "/account"),
    ({"name": "Vera"}, "/account"),
    ({"name": "Vera", "password": "correct horse battery"}, "/account/email"),
    ({**ACCOUNT, "password": "short"}, "/account/password"),
    ({**ACCOUNT, "name": "\u200b"}, "/account/name"),
    ({**ACCOUNT, "name": "a\nb"}, "/account/name"),
    ({**ACCOUNT, "email": "vera"}, "/account/email"),
    ({**ACCOUNT, "server_admin": True}, "/account/server_admin"),
]


@pytest.mark.parametrize(("account", "pointer"), BAD, ids=str)
async def test_an_account_that_is_not_in_order_leaves_the_link_good(
    server: Server, account: Json | None, pointer: str
) -> None:
    invitation = await invited(server, await admin_of(server), fleet="acme")
    secret = secret_in(invitation.json()["link"])
    refused = await accept(server, secret, account)
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer)
    assert (await accept(server, secret, ACCOUNT)).status_code == 201


async def test_an_address_in_use_is_told(server: Server) -> None:
    ada = await admin_of(server)
    for status in (201, 409):
        invitation = await invited(server, ada, fleet="acme")
        response = await accept(server, secret_in(invitation.json()["link"]), ACCOUNT)
        assert response.status_code == status
    assert response.json()["code"] == "email_taken"


async def test_an_invitation_is_mailed_where_the_server_can(database_url: str) -> None:
    with post_office() as office:
        async with serving(database_url, **office.settings) as server:
            ada = await admin_of(server)
            mailed = await invited(server, ada, fleet="acme", email="Vera@Example.org")
            assert mailed.json()["mailed"] is True
            (letter,) = office.letters
            assert letter["To"] == "vera@example.org"
            assert letter["Subject"] == "Ada invites you to the fleet acme"
            assert mailed.json()["link"] in str(letter.get_payload())
    # The mail server is down: the link is still created.
    async with serving(database_url, **office.settings) as server:
        again = await invited(server, ada, fleet="acme", email="vera@example.org")
        assert (again.status_code, again.json()["mailed"]) == (201, False)
        assert "127.0.0.1 did not take the mail" in again.json()["mail_problem"]
        assert (await accept(server, secret_in(again.json()["link"]), ACCOUNT)).status_code == 201


async def test_the_last_admin_stays(server: Server) -> None:
    url = server.database_url
    acme = people.make_fleet(url, "acme")
    ada, bob = (people.make_person(url, name, roles={acme: "admin"}) for name in ("Ada", "Bob"))
    root = people.make_person(url, "Root", server_admin=True)
    admins = [await people.sign_in(url, person) for person in (ada, bob)]
    responses = await asyncio.gather(
        *(server.client.delete("/api/v1/account", headers=headers) for headers in admins)
    )
    assert sorted(response.status_code for response in responses) == [204, 409]
    refused = next(response for response in responses if response.status_code == 409)
    assert refused.json()["code"] == "last_admin"
    assert "acme" in refused.json()["detail"]
    with people.writing(url) as connection:
        assert len(connection.scalars(select(Membership.person_id)).all()) == 1
    last = await server.client.delete("/api/v1/account", headers=await people.sign_in(url, root))
    assert (last.status_code, last.json()["code"]) == (409, "last_server_admin")


async def test_a_token_is_shown_once_and_revoked(server: Server) -> None:
    ada = await admin_of(server)
    body = {"name": "Report", "permission": "read", "fleet": "acme"}
    token = (await server.client.post("/api/v1/tokens", json=body, headers=ada)).json()
    bearer = {"Authorization": f"Bearer {token['secret']}"}
    assert (await server.client.get(INVITATIONS, headers=bearer)).status_code == 200
    (listed,) = (await server.client.get("/api/v1/tokens", headers=ada)).json()["items"]
    assert "secret" not in listed
    assert listed["last_used_at"] is not None
    path = f"/api/v1/tokens/{token['id']}"
    eve = await admin_of(server, "elsewhere")
    assert (await server.client.delete(path, headers=eve)).status_code == 404
    assert (await server.client.delete(path, headers=ada)).status_code == 204
    response = await server.client.get(INVITATIONS, headers=bearer)
    assert (response.status_code, response.json()["code"]) == (401, "token_revoked")
    past = {**body, "expires_at": "2020-01-01T00:00:00Z"}
    refused = await server.client.post("/api/v1/tokens", json=past, headers=ada)
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/expires_at")
    foreign = await server.client.post(
        "/api/v1/tokens", json={**body, "fleet": "acme"}, headers=eve
    )
    assert foreign.status_code == 404


@pytest.mark.parametrize(
    "address",
    ["=?utf-8?q?x=0ay?=@example.org", "=?utf-8?q??=@b", "x@a..b", "x@" + "l" * 64 + ".org"],
)
async def test_what_no_mail_can_be_sent_to_is_refused_wherever_it_is_stated(
    server: Server, address: str
) -> None:
    ada = await admin_of(server)
    client, account = server.client, "/api/v1/account"
    invitation = await invited(server, ada, fleet="acme")
    joining = {**ACCOUNT, "email": address}
    refused = {
        "/email": [
            await invited(server, ada, fleet="acme", email=address),
            await client.patch(account, json={"email": address}, headers=ada),
        ],
        "/account/email": [await accept(server, secret_in(invitation.json()["link"]), joining)],
    }
    for pointer, responses in refused.items():
        for response in responses:
            problem = response.json()
            assert (response.status_code, problem["pointer"]) == (422, pointer), problem
            assert "ada@example.org" in problem["errors"][0]["detail"], "it says what to write"


async def test_of_several_links_for_the_first_admin_the_first_used_ends_all(server: Server) -> None:
    links = [people.admin_link(server.database_url) for _ in range(3)]
    accounts = [{**ACCOUNT, "email": f"ada{number}@example.org"} for number in range(4)]
    pairs = [*zip(links, accounts, strict=False)]
    responses = await asyncio.gather(*(accept(server, *pair) for pair in pairs[:2]))
    assert sorted(response.status_code for response in responses) == [201, 410]
    late = await accept(server, *pairs[2])
    assert (late.status_code, late.json()["code"]) == (410, "link_used")
    # Whoever runs the server can always make another.
    another = await accept(server, people.admin_link(server.database_url), accounts[3])
    assert another.status_code == 201
