"""The dashboard's pages as a link preview or an attacker asks for them."""

from __future__ import annotations

import gzip
import json
import uuid
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from macmeter.charts.numbers import day
from support.documents import disk_run
from support.server import Server, serving

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Macmeter</title>
    <meta name="description" content="Measured Macs." />
    <script type="module" src="/assets/index-1.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
"""
PATHS = Path(__file__).resolve().parents[2] / "frontend/src/routes/paths.json"
SECRET = "what lies beside the dashboard"
QUESTION = "metric=disk.write_average"

HOSTILE = [
    "<script>alert(1)</script>",
    '"><script>alert(1)</script>',
    "' onload='alert(1)",
    '" onload="alert(1)" x="',
    "</title><script>alert(1)</script>",
    "</head><body onload=alert(1)>",
    "--><img src=x onerror=alert(1)>",
    "<![CDATA[ x ]]> <!-- <title>",
    "&lt;b&gt; &amp;amp; &#60;script&#62;",
    r"\1 \g<0> $& {{7*7}} ${7*7} %s",
    "abc\u202egnp.exe \u2066x\u2069 \ufeff\u200b",
    "`javascript:alert(1)` \x7f\x85\u2028.",
    "𝕊𝕊𝔻 👩‍👩‍👧‍👦 ẞ",
]
# Everything else of a text is shown as it was written.
STEERING = dict.fromkeys(
    map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u061c\ufeff")
)

NO_SLUGS = ["2345678923", "A", "a%00b", "%F0%9F%98%80", "x" * 5000, "..%5c", "';--", "%2e%2e"]
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


class Read(HTMLParser):
    """What a reader of HTML makes of a page: its elements, its metas by name, its title."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.metas: dict[str, list[str]] = {}
        self.title = ""
        self._in_title = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._in_title = tag == "title"
        name = given.get("property") or given.get("name")
        if tag == "meta" and name is not None:
            assert given.keys() <= {"property", "name", "content"}
            self.metas.setdefault(name, []).append(given["content"] or "")
        elif tag == "link":
            assert given.keys() <= {"rel", "type", "href", "title"}
        else:
            self.elements.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    """A server with a small built dashboard, and a file beside it that is nobody's business."""
    frontend = tmp_path / "dist"
    (frontend / "assets").mkdir(parents=True)
    (frontend / "index.html").write_text(PAGE)
    (frontend / "favicon.svg").write_text("<svg/>")
    (frontend / "paths.json").write_text(PATHS.read_text())
    (frontend / "assets" / "index-1.js").write_text("main()")
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "dist-of-another").mkdir()
    (tmp_path / "dist-of-another" / "secret.txt").write_text(SECRET)
    (frontend / "way-out").symlink_to(tmp_path)
    async with serving(database_url, frontend) as server:
        yield server


async def test_scripts_come_packed_to_those_who_take_it(server: Server, tmp_path: Path) -> None:
    content = b"main()" * 100
    (tmp_path / "dist/assets/index-1.js").write_bytes(content)
    plain = await server.client.get("/assets/index-1.js")
    assert "content-encoding" not in plain.headers
    (tmp_path / "dist/assets/index-1.js.gz").write_bytes(gzip.compress(content))
    for accepted, packed in (("gzip, br", True), ("gzip;q=0", False), ("identity", False)):
        headers = {"Accept-Encoding": accepted}
        response = await server.client.get("/assets/index-1.js", headers=headers)
        assert response.content == content
        assert (response.headers.get("content-encoding") == "gzip") is packed
        assert response.headers["content-type"] == plain.headers["content-type"]
        assert response.headers["vary"] == "Accept-Encoding"
        assert (int(response.headers["content-length"]) < len(content)) is packed


async def save(server: Server, question: str = QUESTION, **body: Any) -> dict[str, Any]:
    response = await server.client.post("/api/v1/comparisons", json={"question": question, **body})
    assert response.status_code == 201, response.text
    saved: dict[str, Any] = response.json()
    return saved


async def preview(server: Server, slug: str, status: int = 200) -> Read:
    response = await server.client.get(f"/c/{slug}")
    assert response.status_code == status
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return Read(response.text)


async def test_hostile_text_reaches_a_preview_as_it_was_written(server: Server) -> None:
    await server.stored(disk_run())
    for text in HOSTILE:
        saved = await save(server, title=text, note=f"{text}\nand\tmore")
        found = await preview(server, saved["slug"])
        text = text.translate(STEERING)
        assert found.metas["og:title"] == [text]
        assert found.metas["og:description"] == [f"{text}\nand\tmore"]
        assert found.metas["description"] == [f"{text}\nand\tmore"]
        assert found.title == f"{text} · Macmeter"
        embed = (await server.client.get(f"/embed/c/{saved['slug']}")).text
        assert not set(embed) & {chr(code) for code in STEERING}
        assert found.elements == Read(PAGE).elements, text


async def test_hostile_text_in_a_question_reaches_a_preview_as_it_was_written(
    server: Server,
) -> None:
    storage, value = '<script>"internal"</script>', "\"' onload='alert(1)'"
    await server.stored(disk_run(storage=storage, labels={"<img src=x>": value}))
    asked = f"{QUESTION}&where=storage:{quote(storage)}&where=label:{quote('<img src=x>')}:"
    found = await preview(server, (await save(server, asked + quote(value)))["slug"])
    assert found.title == "Write speed, whole run · Macmeter"
    (told,) = found.metas["og:description"]
    assert told.startswith(f"<img src=x>: {value}. Storage: {storage}. Frozen on ")
    assert found.elements == Read(PAGE).elements


async def test_search_engines_are_asked_not_to_list_a_private_link(server: Server) -> None:
    await server.stored(disk_run())
    for private in (True, False):
        slug = (await save(server, private=private))["slug"]
        page = await server.client.get(f"/c/{slug}")
        assert ("noindex" in page.headers.get("x-robots-tag", "")) is private


async def test_without_words_of_its_maker_a_preview_tells_the_question(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server, f"{QUESTION}&by=storage&where=chip_family:M4")
    found = await preview(server, saved["slug"])
    title = "Write speed, whole run, by storage"
    told = f"Chip family: M4. Frozen on {day(saved['created_at'])}, 1 run."
    assert found.title == f"{title} · Macmeter"
    assert (
        found.metas.items()
        >= {
            "og:title": [title],
            "og:description": [told],
            "og:url": [f"http://test/c/{saved['slug']}"],
            "og:type": ["website"],
            "og:site_name": ["Macmeter"],
            "description": [told],
        }.items()
    )
    assert {len(contents) for contents in found.metas.values()} == {1}


async def test_a_closed_comparison_has_a_page_that_says_so_and_nothing_more(
    server: Server,
) -> None:
    await server.stored(disk_run())
    saved = await save(server, title="Gone", note="tomorrow")
    await server.client.patch(
        f"/api/v1/comparisons/{saved['slug']}",
        json={"state": "paused"},
        headers={"Authorization": f"Bearer {saved['owner_secret']}"},
    )
    found = await preview(server, saved["slug"], 410)
    assert found.title == "Comparison paused · Macmeter"
    assert "tomorrow" not in str(found.metas)


async def test_a_link_to_no_comparison_is_404_as_page_and_as_data(server: Server) -> None:
    for slug in NO_SLUGS:
        assert (await preview(server, slug, 404)).title == "Not found · Macmeter"
        data = await server.client.get(f"/api/v1/comparisons/{slug}")
        assert (data.status_code, data.json()["code"]) == (404, "not_found")
        owner = {"Authorization": "Bearer mmo_guess"}
        gone = await server.client.delete(f"/api/v1/comparisons/{slug}", headers=owner)
        assert gone.status_code == 404


async def test_no_path_leads_out_of_the_dashboard(server: Server) -> None:
    for path in WAYS_OUT:
        # As raw bytes: a client that tidies a path up would not show what the server makes of it.
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


async def test_a_view_tells_its_question_and_shows_its_picture(server: Server) -> None:
    text = "<script>alert(1)</script>"
    asked = f"where=storage:{quote(text)}&metric=disk.write_average&by=encryption"
    found = Read((await server.client.get(f"/storage?{asked}")).text)
    assert found.metas["og:title"] == ["Write speed, whole run, by encryption"]
    (told,) = found.metas["og:description"]
    assert told.startswith(f"Storage: {text}. ")
    assert found.elements == Read(PAGE).elements
    (image,) = found.metas["og:image"]
    pictured = await server.client.get(image.removeprefix("http://test"))
    assert pictured.headers["Content-Type"] == "image/png"


async def test_a_refused_question_is_the_dashboards_to_tell(server: Server) -> None:
    for asked in ("metric=nope", "metric=disk.write_speed", "tab=x"):
        assert (await server.client.get(f"/storage?{asked}")).text == PAGE


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
        assert "script-src" not in policy  # so that default-src holds: nothing inline, no eval
        assert policy["frame-ancestors"] == "'none'"
        assert policy["base-uri"] == policy["object-src"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"


async def test_without_a_built_dashboard_the_server_says_what_is_missing(
    database_url: str, tmp_path: Path
) -> None:
    async with serving(database_url, tmp_path) as server:
        response = await server.client.get("/")
    assert (response.status_code, response.json()["code"]) == (503, "no_dashboard")


async def test_a_run_tells_its_figures_and_what_speaks_against_them(server: Server) -> None:
    chip = '"><script>alert(1)</script>'
    run, doubted, private = disk_run(chip=chip), disk_run(state="incomplete"), disk_run()
    await server.stored(run, doubted)
    await server.put(private, server.token("fleet"))
    found = Read((await server.client.get(f"/runs/{run['id']}")).text)
    assert found.metas["og:title"] == [f"Disk run of {chip}, 20 Nov 2026"]
    assert found.metas["og:description"] == [
        "Write speed, whole run: 5.00\u2009GB/s. Read speed, whole run: 6.00\u2009GB/s. "
        "Internal SSD, FileVault, macOS 26.4."
    ]
    assert found.elements == Read(PAGE).elements
    told = Read((await server.client.get(f"/runs/{doubted['id']}")).text)
    assert told.metas["og:description"][0].startswith("Doubted: it ended before it was complete.")
    for nobody in (private["id"], uuid.uuid4(), "x"):
        missing = await server.client.get(f"/runs/{nobody}")
        assert (missing.status_code, Read(missing.text).title) == (404, "Not found · Macmeter")


async def test_a_machine_without_a_public_run_has_no_page(server: Server) -> None:
    public, private = disk_run(), disk_run()
    await server.stored(public)
    await server.put(private, server.token("fleet"))
    found = await server.client.get(f"/machines/{public['machine']['id']}")
    assert (found.status_code, found.text) == (200, PAGE)
    for nobody in (private["machine"]["id"], uuid.uuid4(), "x", "%00"):
        missing = await server.client.get(f"/machines/{nobody}")
        assert (missing.status_code, Read(missing.text).title) == (404, "Not found · Macmeter")


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
        "/sitemap.xml",
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
