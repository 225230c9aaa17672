"""Signing in with passwords, and protection against guessing."""

from __future__ import annotations

import logging
from typing import Literal

import pytest
from argon2 import PasswordHasher
from macmeter.accounts import passwords
from macmeter.models import Passkey, Person
from sqlalchemy import insert, select, update
from support import people
from support.server import Server, serving
from support.signing_in import PASSWORD, by_password, post, with_password

pytestmark = pytest.mark.usefixtures("held")


async def test_a_password_signs_in_where_passkeys_cannot(server: Server) -> None:
    await with_password(server)
    for wrong in ("correct horse batterie", " " + PASSWORD, "x"):
        refused = await by_password(server, wrong)
        assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_refused")
        assert "set-cookie" not in refused.headers
    unknown = {"email": "eve@example.org", "password": PASSWORD}
    other = await post(server, "/session/password", unknown)
    assert other.json()["detail"] == refused.json()["detail"], "an address tells nothing"
    signed = await by_password(server, PASSWORD)
    assert signed.status_code == 201, signed.text
    with people.writing(server.database_url) as connection:
        stored = connection.scalar(select(Person.password_hash))
    assert stored is not None
    assert stored.startswith("$argon2id$")


@pytest.mark.parametrize(
    ("method", "way"), [("PUT", "password"), ("DELETE", "password"), ("DELETE", "passkeys/AQID")]
)
async def test_a_way_in_that_ends_takes_what_it_began_along(
    server: Server, method: str, way: str
) -> None:
    """All other sessions and tokens of the account end, but not this browser's session."""
    await with_password(server)
    with people.writing(server.database_url) as connection:
        person = connection.execute(select(Person.person_id)).scalar_one()
        connection.execute(update(Person).values(oidc_issuer="i", oidc_subject="s"))
        key = {"public_key": b"", "sign_count": 0, "transports": [], "name": "Lost phone"}
        key |= {"credential_id": b"\1\2\3", "person_id": person}
        connection.execute(insert(Passkey).values(**key))
    first, second = [await people.sign_in(server.database_url, person) for _ in "ab"]
    token = people.token_of(server.database_url, person, "manage")
    body = {"current": PASSWORD, "password": "another good one, longer"}
    wrong = await server.client.put(
        "/api/v1/account/password", json=body | {"current": "x" * 12}, headers=first
    )
    assert wrong.status_code == 422
    assert (await server.client.get("/api/v1/fleets", headers=token)).status_code == 200
    changed = await server.client.request(
        method,
        f"/api/v1/account/{way}",
        json=body if method == "PUT" else None,
        headers=first,
    )
    assert changed.status_code == 204, changed.text
    statuses = [
        (await server.client.get("/api/v1/fleets", headers=headers)).status_code
        for headers in (first, second, token)
    ]
    assert statuses == [200, 401, 401]


async def test_an_unknown_address_costs_as_much_as_a_wrong_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    verified: list[str] = []

    class Counting(PasswordHasher):
        def verify(self, hash: str | bytes, password: str | bytes) -> Literal[True]:  # noqa: A002
            verified.append(str(hash))
            return super().verify(hash, password)

    # The server's real hasher: other tests have a cheaper one.
    monkeypatch.setattr(passwords, "hasher", Counting())
    assert not await passwords.matches("anything", None)
    (nobodys,) = verified
    stored = passwords.hasher.hash("anything")
    assert stored.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert not await passwords.matches("another", stored)
    assert await passwords.matches("anything", stored)
    assert nobodys.split("$")[1:4] == stored.split("$")[1:4], "the same parameters"
    assert [len(part) for part in nobodys.split("$")] == [len(part) for part in stored.split("$")]


async def test_guessing_is_stopped_and_logged(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with serving(database_url, quota_sign_ins=4, quota_passwords=100) as server:
        await with_password(server)
        logging.getLogger("macmeter").propagate = True
        # Successes don't count.
        for _ in range(6):
            assert (await by_password(server, PASSWORD)).status_code == 201
            server.client.cookies.clear()
        statuses = [(await by_password(server, f"guess {n}")).status_code for n in range(6)]
        assert statuses == [403, 403, 403, 403, 429, 429]
        right = await by_password(server, PASSWORD)
        assert (right.status_code, right.json()["code"]) == (429, "quota")
        assert int(right.headers["Retry-After"]) > 0
        lines = [r for r in caplog.records if r.getMessage() == "sign-in refused"]
        assert len(lines) == 7
        logged = str([r.__dict__ for r in lines])
        assert "guess" not in logged
        assert PASSWORD not in logged


async def test_one_accounts_password_is_guessed_from_nowhere(database_url: str) -> None:
    async with serving(database_url, quota_passwords=3, proxies=1) as server:
        await with_password(server)
        responses = [
            (await by_password(server, "a guess", **{"X-Forwarded-For": f"10.0.0.{n}"}))
            for n in range(5)
        ]
        assert [response.status_code for response in responses] == [403, 403, 403, 429, 429]


async def test_secrets_of_links_are_not_guessed(database_url: str) -> None:
    async with serving(database_url, quota_sign_ins=3) as server:
        statuses = [
            (await post(server, "/invitations/open", {"secret": f"mml_{n}"})).status_code
            for n in range(5)
        ]
        assert statuses == [404, 404, 404, 429, 429]
