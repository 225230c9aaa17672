"""Single sign-on, with a certified provider on loopback."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from macmeter.accounts.oidc_router import own_path
from support import people
from support.authenticator import Json
from support.server import Server, serving

pytestmark = pytest.mark.usefixtures("held")

ROOT = Path(__file__).parents[3]
RETURN = "http://test/api/v1/session/oidc/return"
OIDC = "/api/v1/session/oidc"
SECRET = "a secret of the client, long enough"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    locked = ROOT / "node_modules/node/bin/node"
    node = str(locked) if locked.exists() else shutil.which("node")
    assert node is not None
    with subprocess.Popen(
        [node, str(ROOT / "tests/support/oidc_provider.mjs"), RETURN],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as provider:
        assert provider.stdout is not None
        yield next(line for line in provider.stdout if line.startswith("http://")).strip()
        provider.kill()


@pytest.fixture
async def server(database_url: str, issuer: str) -> AsyncIterator[Server]:
    async with serving(
        database_url,
        oidc_issuer=issuer,
        oidc_client_id="macmeter",
        oidc_client_secret=SECRET,
    ) as server:
        yield server


async def begun(server: Server, body: Json | None = None, **headers: str) -> str:
    """Begin signing in and return the provider's address; the client keeps the cookie."""
    response = await server.client.post(OIDC, json=body or {}, headers=people.OWN_PAGE | headers)
    assert response.status_code == 200, response.text
    address: str = response.json()["address"]
    return address


async def confirmed(address: str, name: str = "ada") -> str:
    """Sign in at the provider's own pages; return the address that it sends the browser back to."""
    async with httpx.AsyncClient() as browser:
        answer = await browser.get(address)
        for _ in range(12):
            if answer.is_redirect:
                to = str(answer.next_request.url) if answer.next_request else ""
                if to.startswith(RETURN):
                    return to
                answer = await browser.get(to)
                continue
            action = re.search(r'<form[^>]*action="([^"]+)"', answer.text)
            prompt = re.search(r'name="prompt" value="(\w+)"', answer.text)
            assert action, answer.text
            assert prompt, answer.text
            form = {"prompt": prompt[1], "login": name, "password": "x"}
            answer = await browser.post(str(answer.url.join(html.unescape(action[1]))), data=form)
    raise AssertionError("the provider never came to an end")


async def person(server: Server) -> Json | None:
    person_json: Json | None = (await server.client.get("/api/v1/session")).json()["person"]
    return person_json


async def joined(server: Server) -> None:
    secret = people.admin_link(server.database_url)
    back = await confirmed(await begun(server, {"link": secret, "to": "/you"}))
    returned = await server.client.get(back)
    assert (returned.status_code, returned.headers["location"]) == (303, "/you")


async def test_somebody_joins_and_comes_back(server: Server) -> None:
    address = await begun(server)
    query = parse_qs(urlsplit(address).query)
    assert query["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= query.keys()
    assert (await server.client.get("/api/v1/session")).json()["ways"]["oidc"].startswith("127.")
    await joined(server)
    ada = await person(server)
    assert ada is not None
    assert (ada["name"], ada["email"], ada["server_admin"]) == (
        "ada Example",
        "ada@example.org",
        True,
    )
    server.client.cookies.clear()
    back = await confirmed(await begun(server, {"to": "/runs?where=fleet:acme"}))
    returned = await server.client.get(back)
    assert returned.headers["location"] == "/runs?where=fleet:acme"
    assert returned.headers["referrer-policy"] == "no-referrer"
    assert (await person(server)) == ada


@pytest.mark.parametrize("name", ["=?utf-8?q?x=0ay?=", "e\0ve", "\u202eeve", "a@b", "l" * 300])
async def test_whatever_the_organisation_calls_somebody_they_sign_in(
    server: Server, name: str
) -> None:
    back = await confirmed(
        await begun(server, {"link": people.admin_link(server.database_url)}), name
    )
    returned = await server.client.get(back)
    assert returned.status_code < 500, returned.text
    eve = await person(server)
    assert eve is None or eve["email"] is None, "no mail can be sent there"


async def test_whoever_is_signed_in_connects_and_joins(server: Server) -> None:
    ada = people.make_person(server.database_url, "Ada")
    cookie = (await people.sign_in(server.database_url, ada))["Cookie"]
    server.client.cookies.set(*cookie.split("=", 1))
    await joined(server)
    signed = await person(server)
    assert signed is not None
    assert (signed["id"], signed["name"], signed["server_admin"]) == (str(ada), "Ada", True)


async def test_whoever_was_not_invited_stays_outside(server: Server) -> None:
    back = await confirmed(await begun(server), "eve")
    returned = await server.client.get(back)
    assert returned.headers["location"] == "/sign-in?refused=no_account"
    assert await person(server) is None


async def test_an_address_alone_opens_nobodys_account(server: Server) -> None:
    """Another person's account with the same email address stays closed."""
    url = server.database_url
    ada = people.make_person(url, "Ada")
    with people.writing(url) as connection:
        people.set_email(connection, ada, "ada@example.org")
    returned = await server.client.get(await confirmed(await begun(server)))
    assert returned.headers["location"] == "/sign-in?refused=no_account"


async def test_an_answer_is_good_once_and_in_the_browser_that_asked(server: Server) -> None:
    await joined(server)
    server.client.cookies.clear()
    # An attacker's response, opened by a victim.
    back = await confirmed(await begun(server))
    server.client.cookies.clear()
    returned = await server.client.get(back)
    assert returned.headers["location"] == "/sign-in?refused=other_browser"
    back = await confirmed(await begun(server))
    assert (await server.client.get(back)).headers["location"] == "/"
    server.client.cookies.clear()
    returned = await server.client.get(back)
    assert returned.headers["location"] == "/sign-in?refused=challenge_over"


@pytest.mark.parametrize(
    ("query", "refused"),
    [
        ("state=AAAA&code=x", "challenge_over"),
        ("state=%C3%A4&code=x", "sign_in_refused"),
        ("state=A&code=x", "sign_in_refused"),
        ("code=x", "challenge_over"),
        ("error=server_error", "challenge_over"),
    ],
)
async def test_what_was_never_begun_is_refused(server: Server, query: str, refused: str) -> None:
    returned = await server.client.get(f"{RETURN}?{query}")
    assert returned.headers["location"] == f"/sign-in?refused={refused}"


async def test_a_code_of_another_sign_in_is_refused(server: Server) -> None:
    """PKCE and the nonce: a stolen code is worthless in another session."""
    await joined(server)
    server.client.cookies.clear()
    stolen = parse_qs(urlsplit(await confirmed(await begun(server))).query)["code"][0]
    state = parse_qs(urlsplit(await begun(server)).query)["state"][0]
    returned = await server.client.get(f"{RETURN}?state={state}&code={stolen}")
    assert returned.headers["location"] == "/sign-in?refused=sign_in_refused"
    assert await person(server) is None


async def test_a_denial_is_told(server: Server) -> None:
    state = parse_qs(urlsplit(await begun(server)).query)["state"][0]
    returned = await server.client.get(f"{RETURN}?state={state}&error=access_denied")
    assert returned.headers["location"] == "/sign-in?refused=sign_in_refused"


async def test_other_sites_begin_nothing(server: Server) -> None:
    refused = await server.client.post(OIDC, json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert (refused.status_code, refused.json()["code"]) == (403, "other_site")


async def test_an_issuer_that_is_away_is_told(database_url: str) -> None:
    async with serving(
        database_url, oidc_issuer="http://127.0.0.1:9", oidc_client_id="x"
    ) as server:
        away = await server.client.post(OIDC, json={}, headers=people.OWN_PAGE)
        assert (away.status_code, away.json()["code"]) == (503, "issuer_away")


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/you", "/you"),
        ("/runs?where=fleet:acme&by=chip", "/runs?where=fleet:acme&by=chip"),
        ("//evil.example", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("javascript:alert(1)", "/"),
        ("/\t/evil.example", "/"),
        ("/x\r\nSet-Cookie: a=b", "/"),
        ("", "/"),
        ("you", "/"),
    ],
)
def test_no_way_leads_to_another_site(path: str, own: str) -> None:
    assert own_path(path) == own
