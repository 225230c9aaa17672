"""The dashboard's files and addresses: nothing else is served, and each with its type."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from macmeter.embedded import EmbeddedPostgres
from support.databases import fresh_database
from support.pages import PAGE, PATHS, SECRET, Read, build_dashboard
from support.server import Server, serving

WAYS_OUT = [
    "/../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/../../secret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/%252e%252e/secret.txt",
    "/..%5csecret.txt",
    "/../dist-of-another/secret.txt",
    "/%2e%2e/dist-of-another/secret.txt",
    "/way-out/secret.txt",
    "/%2Fetc%2Fpasswd",
    "//etc/passwd",
    "/etc/passwd",
    "/file:///etc/passwd",
    "/index.html/../../secret.txt",
]
NO_FILES = ["/runs/x", "/a%00b", "/%ff%fe", "/" + "x" * 300, "/" + "x/" * 3000, "/%"]
NO_API = ["/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/answers", "/api/v2/answer", "/api%2fx"]
PAGES = ["/", "/storage", "/c/2345678923", "/assets/index-1.js"]


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_dashboard(tmp_path_factory.mktemp("dashboard"))


@pytest.fixture(scope="module")
async def server(cluster: EmbeddedPostgres, dashboard: Path) -> AsyncIterator[Server]:
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name), dashboard) as server:
            yield server


async def test_scripts_come_packed_to_those_who_take_it(server: Server, dashboard: Path) -> None:
    content = b"main()" * 100
    (dashboard / "assets/index-1.js").write_bytes(content)
    plain = await server.client.get("/assets/index-1.js")
    assert "content-encoding" not in plain.headers
    (dashboard / "assets/index-1.js.gz").write_bytes(gzip.compress(content))
    for accepted, packed in (("gzip, br", True), ("gzip;q=0", False), ("identity", False)):
        headers = {"Accept-Encoding": accepted}
        response = await server.client.get("/assets/index-1.js", headers=headers)
        assert response.content == content
        assert (response.headers.get("content-encoding") == "gzip") is packed
        assert response.headers["content-type"] == plain.headers["content-type"]
        assert response.headers["vary"] == "Accept-Encoding"
        assert (int(response.headers["content-length"]) < len(content)) is packed


async def test_no_path_leads_out_of_the_dashboard(server: Server) -> None:
    for path in WAYS_OUT:
        # As raw bytes: a client that normalises paths would not test the server.
        url = httpx.URL("http://test").copy_with(raw_path=path.encode())
        response = await server.client.get(url)
        assert SECRET not in response.text
        assert "root:" not in response.text
        assert response.status_code in (200, 404), path


async def test_any_other_address_is_the_dashboards_to_answer(server: Server) -> None:
    for path in NO_FILES:
        response = await server.client.get(path)
        assert response.status_code == 404, path
        assert Read(response.text).elements == Read(PAGE).elements, path


async def test_an_unknown_address_below_api_is_no_page(server: Server) -> None:
    for path in NO_API:
        response = await server.client.get(path)
        assert (response.status_code, response.json()["code"]) == (404, "not_found"), path
        assert response.headers["content-type"] == "application/problem+json"


async def test_built_files_are_kept_for_ever_and_pages_asked_for_anew(server: Server) -> None:
    asset = await server.client.get("/assets/index-1.js")
    assert asset.headers["content-type"].startswith("text/javascript")
    assert "immutable" in asset.headers["cache-control"]
    for path in ("/", "/storage", "/favicon.svg", "/index.html", "/c/2345678923"):
        assert (await server.client.get(path)).headers["cache-control"] == "no-cache", path
    for path in ("/api/v1/runs", "/api/v1/catalog"):
        assert (await server.client.get(path)).headers["cache-control"] == "no-cache", path
    assert (await server.client.get("/api/v1/nothing")).headers["cache-control"] == "no-store"


async def test_a_built_file_that_is_gone_is_no_page(server: Server) -> None:
    response = await server.client.get("/assets/index-0.js")
    assert response.status_code == 404
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["cache-control"] == "no-store"


async def test_pages_run_nothing_but_their_own_scripts(server: Server) -> None:
    for path in PAGES:
        headers = (await server.client.get(path)).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'self'"
        assert "script-src" not in policy  # so that default-src applies: nothing inline, no eval
        assert policy["frame-ancestors"] == "'none'"
        assert policy["base-uri"] == policy["object-src"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"


async def test_without_a_built_dashboard_the_server_says_what_is_missing(
    database_url: str, tmp_path: Path
) -> None:
    async with serving(database_url, tmp_path) as server:
        response = await server.client.get("/")
    assert (response.status_code, response.json()["code"]) == (503, "no_dashboard")


def pages() -> list[str]:
    listed: list[str] = json.loads(PATHS.read_text())
    return [path for path in listed if "$" not in path]


@pytest.mark.parametrize("path", pages())
async def test_every_page_of_the_router_is_there(server: Server, path: str) -> None:
    for address in (path, f"{path.rstrip('/')}/"):
        response = await server.client.get(f"{address}?metric=disk.write_average")
        assert response.status_code == 200, address


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/storage/x",
        "/runs/a/b",
        "/c",
        "/admin",
        "/wp-login",
        "/$id",
        "/c//",
    ],
)
async def test_a_page_that_is_not_there_says_so(server: Server, path: str) -> None:
    response = await server.client.get(path)
    assert (response.status_code, Read(response.text).title) == (404, "Not found · Macmeter")
    assert response.headers["content-type"] == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    [
        "/feed.xml",
        "/manifest.json",
        "/manifest.webmanifest",
        "/wp-login.php",
        "/.env",
    ],
)
async def test_a_file_that_is_not_there_is_no_page(server: Server, path: str) -> None:
    response = await server.client.get(path)
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_crawlers_are_told_where_to_read(server: Server) -> None:
    response = await server.client.get("/robots.txt")
    assert (response.status_code, response.headers["content-type"]) == (
        200,
        "text/plain; charset=utf-8",
    )
    assert "Disallow: /api/" in response.text
    [line] = [line for line in response.text.splitlines() if line.startswith("Sitemap: ")]
    assert (
        line.removeprefix("Sitemap: ") == f"{server.client.base_url}".rstrip("/") + "/sitemap.xml"
    )


async def test_a_sitemap_lists_pages_and_public_machines(server: Server) -> None:
    response = await server.client.get("/sitemap.xml")
    assert response.headers["content-type"] == "application/xml"
    paths = [httpx.URL(location).path for location in re.findall("<loc>(.*?)</loc>", response.text)]
    assert {"/", "/storage", "/compare", "/add", "/docs/api"} <= set(paths)
    assert not {"/you", "/links", "/sign-in", "/confirm-address"} & set(paths)
    assert not any("$" in path for path in paths)
