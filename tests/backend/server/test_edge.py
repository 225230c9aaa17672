"""Common to every request and response: host names, caches, compression, CORS."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.settings import Settings
from macmeter.server.http.hosts import _is_own_address, host_names
from macmeter.server.main import create_app
from support.databases import fresh_database
from support.documents import disk_run
from support.server import Server, serving

WRITE = "metric=disk.write_average"
READ = [
    f"/api/v1/answer?{WRITE}",
    f"/api/v1/answer.csv?{WRITE}",
    f"/api/v1/chart.svg?{WRITE}",
    f"/api/v1/compare?{WRITE}&side=1:&side=2:storage:internal",
    "/api/v1/facets",
    "/api/v1/runs",
    "/api/v1/machines",
    "/api/v1/residency",
    "/api/v1/catalog",
    "/api/v1/chips",
    "/api/v1/sources",
    "/api/v1/corpus",
    "/api/v1/openapi.json",
    "/api/v1/run.v1.schema.json",
]
SIGNING_IN = ("/api/v1/session", "/api/v1/invitations/")
REFUSED = ["/api/v1/answer", "/api/v1/nothing", f"/api/v1/runs/{uuid.uuid4()}", "/api/v1/runs/x"]
NAMES = Callable[..., AbstractAsyncContextManager[Server]]


@pytest.fixture
def named(database_url: str, monkeypatch: pytest.MonkeyPatch) -> NAMES:
    """Start servers with other settings."""

    @asynccontextmanager
    async def start(**settings: str) -> AsyncIterator[Server]:
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        async with serving(database_url) as server:
            yield server

    return start


@pytest.fixture(scope="module")
async def with_a_run(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """One server for tests that only read its one run, or are refused."""
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await server.stored(disk_run())
            yield server


async def ask(server: Server, path: str, host: str) -> httpx.Response:
    return await server.client.get(path, headers={"Host": host})


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:8000@evil.example",
        'x"><script>alert(1)</script>',
        "localhost/evil",
        "localhost:99999999",
        "[::2]",
        "192.0.2.77",
        "2130706433",
        "évil.example",
        " ",
    ],
)
async def test_a_host_that_is_not_ours_is_refused_and_in_no_link(
    with_a_run: Server, host: str
) -> None:
    client, headers = with_a_run.client, {"Host": host.encode()}
    for path in ("/", "/storage", f"/api/v1/answer?{WRITE}", f"/api/v1/chart.svg?{WRITE}"):
        response = await client.get(path, headers=headers)  # type: ignore[arg-type]
        assert (response.status_code, response.json()["code"]) == (421, "unknown_host")
        assert "PUBLIC_URL" in response.json()["detail"]
        assert response.headers["x-content-type-options"] == "nosniff"
    run = disk_run()
    address = f"/api/v1/runs/{run['id']}"
    reply = await client.put(address, json=run, headers=headers)  # type: ignore[arg-type]
    assert reply.status_code == 421
    for path in ("/healthz", "/readyz"):
        response = await client.get(path, headers=headers)  # type: ignore[arg-type]
        assert response.status_code == 200


async def test_the_names_of_this_server_are_known(named: NAMES) -> None:
    names = {"PUBLIC_URL": "https://Macs.example:444/x", "ALLOWED_HOSTS": "a.example, B.example"}
    async with named(**names) as server:
        for host in (
            *("localhost", "LOCALHOST:1", "127.0.0.1:8000", "[::1]:8000", "macs.example"),
            *("macs.example:444", "macs.example."),
        ):
            assert (await ask(server, "/api/v1/catalog", host)).status_code == 200, host


def test_bound_everywhere_a_server_is_known_by_its_own_addresses() -> None:
    everywhere = Settings(host="0.0.0.0", allowed_hosts=("A.example",))
    assert {"localhost", "127.0.0.1", "a.example"} < host_names(everywhere)
    assert "0.0.0.0" not in host_names(everywhere)
    assert _is_own_address("127.0.0.1")
    for other in ("192.0.2.77", "0.0.0.0", "224.0.0.1", "evil.example", "::", ""):
        assert not _is_own_address(other), other
    assert "192.0.2.5" in host_names(Settings(host="192.0.2.5"))
    assert Settings(allowed_hosts="a.example, b.example").allowed_hosts == (
        "a.example",
        "b.example",
    )


@pytest.mark.parametrize("path", READ)
async def test_what_has_not_changed_is_not_sent_again(with_a_run: Server, path: str) -> None:
    client = with_a_run.client
    first = await client.get(path)
    assert first.headers["cache-control"].endswith("no-cache")
    assert "Authorization" in first.headers["vary"]
    tag = first.headers["etag"]
    assert "last-modified" not in first.headers
    for headers in (
        {"If-None-Match": tag},
        {"If-None-Match": f'"x", {tag}'},
        {"If-None-Match": tag.removeprefix("W/")},
        {"If-None-Match": "*"},
    ):
        again = await client.get(path, headers=headers)
        assert (again.status_code, again.content) == (304, b""), headers
        assert again.headers["etag"] == tag
        assert "content-length" not in again.headers
    assert (await client.get(path, headers={"If-None-Match": '"x"'})).status_code == 200


async def test_a_new_run_changes_the_tag(server: Server) -> None:
    await server.stored(disk_run())
    path = f"/api/v1/answer?{WRITE}"
    first = await server.client.get(path)
    await server.stored(disk_run())
    headers = {"If-None-Match": first.headers["etag"]}
    second = await server.client.get(path, headers=headers)
    assert second.status_code == 200
    assert second.headers["etag"] != first.headers["etag"]


async def test_what_a_token_reads_is_kept_by_nobody(server: Server) -> None:
    secret = server.token("fleet")
    run = disk_run()
    await server.put(run, secret)
    token = {"Authorization": f"Bearer {secret}", "Origin": "https://elsewhere.example"}
    for path in (*READ[:-2], f"/api/v1/runs/{run['id']}", f"/api/v1/runs/{run['id']}/document"):
        response = await server.client.get(path, headers=token)
        assert response.status_code == 200, path
        assert response.headers["cache-control"] == "private, no-store", path
        assert "access-control-allow-origin" not in response.headers


async def test_scripts_of_other_sites_read_what_is_public(server: Server) -> None:
    await server.stored(disk_run())
    elsewhere = {"Origin": "https://elsewhere.example"}
    for path in (*READ, *REFUSED):
        response = await server.client.get(path, headers=elsewhere)
        assert response.headers["access-control-allow-origin"] == "*", path
        assert "access-control-allow-credentials" not in response.headers
        assert "Retry-After" in response.headers["access-control-expose-headers"]
    headers = {**elsewhere, "Access-Control-Request-Method": "GET"}
    leave = await server.client.options(READ[0], headers=headers)
    assert (leave.status_code, leave.headers["access-control-allow-origin"]) == (204, "*")
    assert leave.headers["access-control-allow-methods"] == "GET, HEAD"
    assert "authorization" not in leave.headers["access-control-allow-headers"].lower()


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_scripts_of_other_sites_write_nothing(empty_server: Server, method: str) -> None:
    headers = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": method}
    for path in ("/api/v1/comparisons", "/api/v1/comparisons/2345678923", "/api/v1/runs/batch"):
        for response in (
            await empty_server.client.options(path, headers=headers),
            await empty_server.client.request(method, path, headers=headers, json={}),
        ):
            assert "access-control-allow-origin" not in response.headers


def routes() -> list[tuple[str, set[str]]]:
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    methods: dict[str, set[str]] = {}
    for route in iter_route_contexts(app.routes):
        methods.setdefault(route.path or "", set()).update(route.methods or set())
    return sorted(methods.items())


@pytest.mark.parametrize(("path", "methods"), routes())
async def test_every_address_says_what_it_takes(
    empty_server: Server, path: str, methods: set[str]
) -> None:
    address = path.replace("{run_id}", str(uuid.uuid4())).replace("{path:path}", "storage")
    for name in ("{slug}", "{machine_id}"):
        address = address.replace(name, "2345678923")
    response = await empty_server.client.options(address)
    allowed = {method.strip() for method in response.headers["allow"].split(",")}
    assert (response.status_code, response.content) == (204, b"")
    assert allowed >= methods | {"OPTIONS"}
    assert ("HEAD" in allowed) is ("GET" in allowed)
    refused = await empty_server.client.request("BREW", address)
    assert refused.status_code == 405
    assert refused.headers["allow"] == response.headers["allow"]


async def test_options_of_nothing_is_not_found(server: Server) -> None:
    for path in ("/api/v1/nothing", "/api", "/api/"):
        assert (await server.client.options(path)).status_code == 404


async def test_responses_are_packed_for_those_who_take_it(server: Server) -> None:
    await server.stored(*(disk_run() for _ in range(5)))
    for path in (*READ[2:6], "/api/v1/catalog", "/api/v1/openapi.json", "/api/v1/corpus.csv"):
        plain = await server.client.get(path, headers={"Accept-Encoding": "identity"})
        packed = await server.client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.headers["content-encoding"] == "gzip", path
        assert _timeless(packed) == _timeless(plain)
        for response in (plain, packed):
            assert "Accept-Encoding" in response.headers["vary"]
        if "etag" in packed.headers:
            assert packed.headers["etag"].startswith("W/")
            headers = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["etag"]}
            assert (await server.client.get(path, headers=headers)).status_code == 304
    for path in (f"/api/v1/chart.png?{WRITE}", "/api/v1/corpus.parquet", "/healthz"):
        response = await server.client.get(path, headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in response.headers, path


def _timeless(response: httpx.Response) -> Any:
    if response.headers["content-type"] != "application/json":
        return response.text
    return {name: value for name, value in json.loads(response.content).items() if name != "as_of"}


async def test_no_response_is_taken_for_what_it_is_not(server: Server) -> None:
    await server.stored(disk_run())
    wrong = [
        ("PUT", "/api/v1/answer"),
        ("POST", "/api/v1/comparisons"),
        ("OPTIONS", "/api/v1/runs"),
    ]
    paths = [*READ, *REFUSED, "/healthz", "/metrics", "/", "/nothing.txt", "/c/2345678923"]
    for method, path in [*(("GET", path) for path in paths), *wrong]:
        response = await server.client.request(method, path)
        assert response.headers["x-content-type-options"] == "nosniff", path
        assert "referrer-policy" in response.headers
        assert "default-src" in response.headers["content-security-policy"]


async def test_links_that_lead_nowhere_are_counted(
    named: NAMES, caplog: pytest.LogCaptureFixture
) -> None:
    async with named(QUOTA_GUESSES="6", PROXIES="1") as server:
        logging.getLogger("macmeter").propagate = True
        await server.stored(disk_run())
        post = await server.client.post("/api/v1/comparisons", json={"question": WRITE})
        slug = post.json()["slug"]
        ways = (
            "/api/v1/comparisons/{}",
            "/api/v1/comparisons/{}/chart.svg",
            "/c/{}",
            "/embed/c/{}",
        )

        async def status(path: str, address: str) -> httpx.Response:
            return await server.client.get(path, headers={"X-Forwarded-For": address})

        for number in range(6):
            path = ways[number % len(ways)].format(f"234567892{number}")
            assert (await status(path, "192.0.2.1")).status_code == 404
        for address in ways:
            refused = await status(address.format("abcdefghjk"), "192.0.2.1")
            assert refused.status_code == 429
            assert 0 < int(refused.headers["retry-after"]) <= 3601
            # Existing links still open, and other clients may still guess wrong.
            assert (await status(address.format(slug), "192.0.2.1")).status_code in (200, 503)
        assert (await status(ways[0].format("abcdefghjk"), "192.0.2.2")).status_code == 404
        # Logged once, with the client but without its guesses.
        (line,) = [r for r in caplog.records if r.getMessage() == "links guessed"]
        assert line.__dict__["fields"] == {"of": "192.0.2.1"}


def test_the_description_tells_how_to_show_a_token_and_what_may_be_refused() -> None:
    app = create_app(
        Settings(database_url="postgresql://nowhere/none", public_url="https://a.example")
    )
    described = app.openapi()
    assert described["servers"] == [{"url": "https://a.example"}]
    schemes = described["components"]["securitySchemes"]
    assert {name: scheme.get("scheme", scheme["type"]) for name, scheme in schemes.items()} == {
        "token": "bearer",
        "report": "bearer",
        "owner": "bearer",
        "session": "apiKey",
    }
    paths = described["paths"]
    assert paths["/api/v1/runs/{run_id}"]["put"]["security"] == [{"token": []}]
    assert paths["/api/v1/answer"]["get"]["security"] == [{}, {"token": []}, {"session": []}]
    assert paths["/api/v1/comparisons/{slug}"]["patch"]["security"] == [
        {"owner": []},
        {"session": []},
    ]
    assert paths["/api/v1/comparisons/{slug}"]["get"]["security"] == [
        {},
        {"owner": []},
        {"session": []},
    ]
    for path, operations in paths.items():
        for method, operation in operations.items():
            statuses = set(operation["responses"])
            assert "500" in statuses
            # Signing in needs nothing except the body.
            if "401" in statuses and not path.startswith(SIGNING_IN):
                assert "security" in operation, (method, path)
            if "requestBody" in operation:
                assert statuses >= {"408", "413"}, (method, path)
            if "{slug}" in path:
                assert "429" in statuses
