"""Signing in and out: with passkeys, with passwords, and refusals."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from macmeter.models import Challenge, Person, Session
from sqlalchemy import select, update
from support import people
from support.authenticator import PRESENT, Authenticator, Json
from support.server import Server, serving
from support.signing_in import (
    LOCAL,
    PASSWORD,
    SESSION,
    by_passkey,
    by_password,
    joined,
    post,
    told,
    with_password,
)

pytestmark = pytest.mark.usefixtures("held")


async def test_a_passkey_is_made_and_signs_in(server: Server) -> None:
    passkey = Authenticator()
    created = await joined(server, passkey)
    assert created.status_code == 201, created.text
    assert created.json()["person"]["server_admin"]
    server.client.cookies.clear()
    assert (await told(server, **LOCAL))["person"] is None
    signed = await by_passkey(server, passkey)
    assert signed.status_code == 201, signed.text
    cookie = signed.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Path=/" in cookie
    headers = {**LOCAL, "Cookie": cookie.split(";")[0]}
    assert (await told(server, **headers))["person"]["name"] == "Ada"
    server.client.cookies.clear()
    response = await server.client.delete(SESSION, headers=headers)
    assert response.status_code == 204
    assert (await told(server, **headers))["person"] is None
    assert people.acts(server.database_url) == [
        "invitation.accept",
        "session.begin",
        "session.begin",
        "session.end",
    ]


async def test_ways_depend_on_the_address(database_url: str) -> None:
    def ways(passkey: bool, password: bool, oidc: str | None = None) -> Json:
        return {"passkey": passkey, "password": password, "oidc": oidc}

    async with serving(database_url) as server:
        assert (await told(server))["ways"] == ways(passkey=False, password=True)
        assert (await told(server, Host="localhost:8000"))["ways"] == ways(True, False)
        assert (await told(server, Host="127.0.0.1:8000"))["ways"] == ways(False, True)
        refused = await post(server, "/session/passkey/options")
        assert (refused.status_code, refused.json()["code"]) == (403, "no_passkeys_here")
        body = {"email": "a@b.c", "password": PASSWORD}
        refused = await post(server, "/session/password", body, LOCAL)
        assert (refused.status_code, refused.json()["code"]) == (403, "no_passwords_here")
    async with serving(database_url, public_url="https://macs.example", passwords=True) as server:
        assert (await told(server))["ways"] == ways(True, True)
    async with serving(database_url, public_url="https://10.0.0.1") as server:
        assert (await told(server))["ways"] == ways(False, True)


async def test_on_https_only_this_host_may_set_the_cookie(database_url: str) -> None:
    async with serving(database_url, public_url="https://macs.example", passwords=True) as server:
        await with_password(server)
        signed = await by_password(server, PASSWORD)
        assert signed.headers["set-cookie"].startswith("__Host-macmeter=")
        assert "Secure" in signed.headers["set-cookie"]
        plain = signed.headers["set-cookie"].split(";")[0].removeprefix("__Host-")
        assert (await told(server, Cookie=plain))["person"] is None


@pytest.mark.parametrize(
    ("proxies", "said", "is_https"),
    [
        (1, "https", True),
        (1, "http", False),
        (2, "https", True),
        # The first value is the client's own claim, before the proxy's.
        (1, "https, http", False),
        (1, "http, https", True),
        (1, "", False),
        (0, "https", False),
    ],
)
async def test_a_trusted_proxy_says_whether_it_was_https(
    database_url: str, proxies: int, said: str, is_https: bool
) -> None:
    async with serving(database_url, proxies=proxies, passwords=True) as server:
        await with_password(server)
        by = {"X-Forwarded-Proto": said}
        signed = await by_password(server, PASSWORD, **by)
        cookie = signed.headers["set-cookie"]
        assert ("Secure" in cookie, cookie.startswith("__Host-")) == (is_https, is_https)
        page = await server.client.get("/", headers=by)
        assert ("strict-transport-security" in page.headers) is is_https
        robots = await server.client.get("/robots.txt", headers=by)
        assert f"Sitemap: {'https' if is_https else 'http'}://test/" in robots.text


@pytest.mark.parametrize(
    "passkey",
    [
        Authenticator(origin="https://evil.example"),
        Authenticator(origin="http://localhost:9"),
        Authenticator(flags=PRESENT),
        Authenticator(flags=0),
    ],
    ids=["another origin", "another port", "nobody verified", "nobody there"],
)
async def test_a_passkey_that_is_not_in_order_makes_no_account(
    server: Server, passkey: Authenticator
) -> None:
    refused = await joined(server, passkey)
    assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_refused")
    with people.writing(server.database_url) as connection:
        assert connection.scalar(select(Person.person_id)) is None


async def test_a_passkeys_answer_is_good_once_and_for_its_own_question(server: Server) -> None:
    passkey, other = Authenticator(), Authenticator()
    assert (await joined(server, passkey)).status_code == 201
    server.client.cookies.clear()
    options = (await post(server, "/session/passkey/options", headers=LOCAL)).json()
    forged = other.get(options) | {name: passkey.get(options)[name] for name in ("id", "rawId")}
    answer = {"credential": forged}
    refused = await post(server, "/session/passkey", answer, LOCAL)
    assert (refused.status_code, refused.json()["code"]) == (403, "sign_in_refused")
    # A wrong answer has used up the challenge.
    answer = {"credential": passkey.get(options)}
    again = await post(server, "/session/passkey", answer, LOCAL)
    assert (again.status_code, again.json()["code"]) == (403, "challenge_over")
    made_up = {"credential": passkey.get({**options, "challenge": "AAAA"})}
    refused = await post(server, "/session/passkey", made_up, LOCAL)
    assert refused.json()["code"] == "challenge_over"
    # A challenge for registering is not valid for signing in.
    secret = people.admin_link(server.database_url)
    asked = (
        await post(server, "/invitations/passkey/options", {"secret": secret, "name": "X"}, LOCAL)
    ).json()
    swapped = {"credential": passkey.get({"challenge": asked["challenge"], "rpId": "localhost"})}
    assert (await post(server, "/session/passkey", swapped, LOCAL)).json()["code"] == (
        "challenge_over"
    )
    options = (await post(server, "/session/passkey/options", headers=LOCAL)).json()
    with people.writing(server.database_url) as connection:
        connection.execute(update(Challenge).values(expires_at=datetime.now(UTC)))
    late = await post(server, "/session/passkey", {"credential": passkey.get(options)}, LOCAL)
    assert late.json()["code"] == "challenge_over"
    assert (await by_passkey(server, passkey)).status_code == 201


async def test_a_cloned_passkey_is_noticed_by_its_count(server: Server) -> None:
    passkey = Authenticator(uses=5)
    assert (await joined(server, passkey)).status_code == 201
    assert (await by_passkey(server, passkey)).status_code == 201
    passkey.uses = 2
    assert (await by_passkey(server, passkey)).status_code == 403


GARBAGE: list[tuple[Any, int]] = [
    ({}, 422),
    ({"response": {}}, 422),
    ({"response": {"clientDataJSON": "e30"}}, 422),
    ({"response": {"clientDataJSON": "\u0000"}}, 422),
    ({"response": {"clientDataJSON": 7}}, 422),
    ("text", 422),
]


@pytest.mark.parametrize(("credential", "status"), GARBAGE, ids=str)
async def test_what_no_browser_gives_is_refused(
    server: Server, credential: Any, status: int
) -> None:
    refused = await post(server, "/session/passkey", {"credential": credential}, LOCAL)
    assert (refused.status_code, refused.json()["pointer"]) == (status, "/credential")


async def test_garbage_after_a_real_challenge_is_refused(server: Server) -> None:
    passkey = Authenticator()
    assert (await joined(server, passkey)).status_code == 201
    faults: list[Json] = [
        {"rawId": "!"},
        {"rawId": None},
        {"response": {"authenticatorData": "AAAA"}},
        {"response": {"signature": 3}},
        {"type": "password"},
    ]
    for broken in faults:
        options = (await post(server, "/session/passkey/options", headers=LOCAL)).json()
        answer = passkey.get(options)
        changed: Json = {**answer["response"], **broken.get("response", {})}
        answer |= broken | {"response": changed}
        refused = await post(server, "/session/passkey", {"credential": answer}, LOCAL)
        assert refused.status_code == 403, broken


async def test_signing_in_takes_no_session_that_somebody_else_has_chosen(server: Server) -> None:
    await with_password(server)
    planted = "a-secret-that-an-attacker-knows"
    signed = await by_password(server, PASSWORD, Cookie=f"macmeter={planted}")
    assert planted not in signed.headers["set-cookie"]
    server.client.cookies.clear()
    assert (await told(server, Cookie=f"macmeter={planted}"))["person"] is None


async def test_signing_in_ends_the_session_that_the_browser_had(server: Server) -> None:
    await with_password(server)
    eve = await people.sign_in(server.database_url, people.make_person(server.database_url, "Eve"))
    assert (await told(server, **eve))["person"]["name"] == "Eve"
    server.client.cookies.clear()
    await by_password(server, PASSWORD, Cookie=eve["Cookie"])
    server.client.cookies.clear()
    assert (await told(server, **eve))["person"] is None


OTHER_SITES = [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {}]


@pytest.mark.parametrize("headers", OTHER_SITES, ids=str)
async def test_no_other_site_signs_anybody_in_or_out(
    server: Server, headers: dict[str, str]
) -> None:
    await with_password(server)
    body = {"email": "ada@example.org", "password": PASSWORD}
    refused = await post(server, "/session/password", body, headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "other_site")
    ada = await people.sign_in(server.database_url, people.make_person(server.database_url))
    out = await server.client.delete(SESSION, headers={"Cookie": ada["Cookie"], **headers})
    assert (out.status_code, out.json()["code"]) == (403, "other_site")
    assert (await told(server, **ada))["person"] is not None


async def test_sessions_are_listed_and_ended(server: Server) -> None:
    url = server.database_url
    ada = people.make_person(url)
    first, second, third = [await people.sign_in(url, ada) for _ in range(3)]
    eve = await people.sign_in(url, people.make_person(url, "Eve"))
    listed = (await server.client.get("/api/v1/sessions", headers=first)).json()["items"]
    assert len(listed) == 3
    assert sum(session["here"] for session in listed) == 1
    elsewhere = next(session["id"] for session in listed if not session["here"])
    path = f"/api/v1/sessions/{elsewhere}"
    assert (await server.client.delete(path, headers=eve)).status_code == 404
    assert (await server.client.delete(path, headers=first)).status_code == 204
    response = await server.client.delete("/api/v1/sessions", headers=first)
    assert response.json() == {"ended": 1}
    alive = [(await told(server, **h))["person"] is not None for h in (first, second, third, eve)]
    assert alive == [True, False, False, True]


async def test_a_session_ends_by_itself(server: Server) -> None:
    url = server.database_url
    ada = await people.sign_in(url, people.make_person(url))
    with people.writing(url) as connection:
        connection.execute(
            update(Session).values(expires_at=datetime.now(UTC) - timedelta(seconds=1))
        )
    assert (await told(server, **ada))["person"] is None
    assert (await server.client.get("/api/v1/sessions", headers=ada)).status_code == 401


async def test_what_a_session_reads_is_kept_by_nobody(server: Server) -> None:
    ada = await people.sign_in(server.database_url, people.make_person(server.database_url))
    for path in (SESSION, "/api/v1/runs"):
        response = await server.client.get(path, headers=ada)
        assert response.headers["cache-control"] == "private, no-store"
        assert "access-control-allow-origin" not in response.headers
        public = await server.client.get(path)
        assert "Cookie" in public.headers["vary"]


BAD = [
    ({"email": "ada", "password": "x"}, "/email"),
    ({"email": "a b@c.d", "password": "x"}, "/email"),
    ({"email": "ada@example.org\nBcc: x@y.z", "password": "x"}, "/email"),
    ({"email": "ada@example.org"}, "/password"),
    ({"email": "ada@example.org", "password": ""}, "/password"),
    ({"email": "ada@example.org", "password": "x" * 201}, "/password"),
    ({"email": "ada@example.org", "password": "x", "admin": True}, "/admin"),
]


@pytest.mark.parametrize(("body", "pointer"), BAD, ids=str)
async def test_a_refused_field_is_named(server: Server, body: Json, pointer: str) -> None:
    refused = await post(server, "/session/password", body)
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer)
