"""The dashboard's pages as a link preview or an attacker requests them."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from macmeter.charts.numbers import day
from support import people
from support.documents import disk_run
from support.pages import PAGE, Read, build_dashboard
from support.server import Server, serving

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
# Characters removed from texts; all others are shown as written.
STEERING = dict.fromkeys(
    map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\u061c\ufeff")
)

NO_SLUGS = ["2345678923", "A", "a%00b", "%F0%9F%98%80", "x" * 5000, "..%5c", "';--", "%2e%2e"]


@pytest.fixture
async def server(database_url: str, tmp_path: Path) -> AsyncIterator[Server]:
    async with serving(database_url, build_dashboard(tmp_path)) as server:
        yield server


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
        page = await preview(server, saved["slug"])
        text = text.translate(STEERING)
        assert page.metas["og:title"] == [text]
        assert page.metas["og:description"] == [f"{text}\nand\tmore"]
        assert page.metas["description"] == [f"{text}\nand\tmore"]
        assert page.title == f"{text} · Macmeter"
        embed = (await server.client.get(f"/embed/c/{saved['slug']}")).text
        assert not set(embed) & {chr(code) for code in STEERING}
        assert page.elements == Read(PAGE).elements, text


async def test_hostile_text_in_a_question_reaches_a_preview_as_it_was_written(
    server: Server,
) -> None:
    storage, value = '<script>"internal"</script>', "\"' onload='alert(1)'"
    await server.stored(disk_run(storage=storage, labels={"<img src=x>": value}))
    question = f"{QUESTION}&where=storage:{quote(storage)}&where=label:{quote('<img src=x>')}:"
    page = await preview(server, (await save(server, question + quote(value)))["slug"])
    assert page.title == "Write speed · Macmeter"
    (description,) = page.metas["og:description"]
    assert description.startswith(f"<img src=x>: {value}. Storage: {storage}. Frozen on ")
    assert page.elements == Read(PAGE).elements


async def test_search_engines_are_asked_not_to_list_a_private_link(server: Server) -> None:
    run = disk_run()
    await server.stored(run)
    for private in (True, False):
        slug = (await save(server, private=private))["slug"]
        api = f"/api/v1/comparisons/{slug}"
        for path in (
            *(f"/c/{slug}", f"/c/{slug}/", f"/embed/c/{slug}", f"/embed/c/{slug}/"),
            *(api, f"{api}/answer.csv", f"{api}/chart.svg", f"{api}/citation"),
        ):
            response = await server.client.get(path)
            assert (response.headers.get("x-robots-tag") == "noindex") is private, path
    for path in ("/", "/storage", f"/runs/{run['id']}", f"/api/v1/chart.svg?{QUESTION}"):
        assert "x-robots-tag" not in (await server.client.get(path)).headers, path
    signed_in = await people.sign_in(server.database_url, people.make_person(server.database_url))
    for path, headers in (
        *((path, {}) for path in ("/you", "/fleets/acme", "/fleets/acme/settings", "/metrics")),
        *((path, {}) for path in ("/api/v1/runs", f"/runs/{uuid.uuid4()}", "/nothing.txt")),
        (f"/api/v1/chart.svg?{QUESTION}", signed_in),
    ):
        response = await server.client.get(path, headers=headers)
        assert response.headers["x-robots-tag"] == "noindex", path


async def test_without_words_of_its_maker_a_preview_tells_the_question(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server, f"{QUESTION}&by=storage&where=chip_family:M4")
    page = await preview(server, saved["slug"])
    title = "Write speed by storage"
    description = f"Chip family: M4. Frozen on {day(saved['created_at'])}, 1 run."
    assert page.title == f"{title} · Macmeter"
    assert (
        page.metas.items()
        >= {
            "og:title": [title],
            "og:description": [description],
            "og:url": [f"http://test/c/{saved['slug']}"],
            "og:type": ["website"],
            "og:site_name": ["Macmeter"],
            "description": [description],
        }.items()
    )
    assert {len(contents) for contents in page.metas.values()} == {1}


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
    page = await preview(server, saved["slug"], 410)
    assert page.title == "Comparison paused · Macmeter"
    assert "tomorrow" not in str(page.metas)


async def test_a_link_to_no_comparison_is_404_as_page_and_as_data(server: Server) -> None:
    for slug in NO_SLUGS:
        assert (await preview(server, slug, 404)).title == "Not found · Macmeter"
        data = await server.client.get(f"/api/v1/comparisons/{slug}")
        assert (data.status_code, data.json()["code"]) == (404, "not_found")
        owner = {"Authorization": "Bearer mmo_guess"}
        response = await server.client.delete(f"/api/v1/comparisons/{slug}", headers=owner)
        assert response.status_code == 404


async def test_a_view_tells_its_question_and_shows_its_picture(server: Server) -> None:
    text = "<script>alert(1)</script>"
    question = f"where=storage:{quote(text)}&metric=disk.write_average&by=encryption"
    page = Read((await server.client.get(f"/storage?{question}")).text)
    assert page.metas["og:title"] == ["Write speed by encryption"]
    (description,) = page.metas["og:description"]
    assert description.startswith(f"Storage: {text}. ")
    assert page.elements == Read(PAGE).elements
    (image,) = page.metas["og:image"]
    pictured = await server.client.get(image.removeprefix("http://test"))
    assert pictured.headers["Content-Type"] == "image/png"


async def test_a_refused_question_is_the_dashboards_to_tell(server: Server) -> None:
    for query in ("metric=nope", "metric=disk.write_speed", "tab=x"):
        assert (await server.client.get(f"/storage?{query}")).text == PAGE


async def test_a_run_tells_its_figures_and_what_speaks_against_them(server: Server) -> None:
    chip = '"><script>alert(1)</script>'
    run, doubted, private = disk_run(chip=chip), disk_run(state="incomplete"), disk_run()
    await server.stored(run, doubted)
    await server.put(private, server.token("fleet"))
    page = Read((await server.client.get(f"/runs/{run['id']}")).text)
    assert page.metas["og:title"] == [f"Disk run of {chip}, 20 Nov 2026"]
    assert page.metas["og:description"] == [
        "Write speed: 5.00\u2009GB/s. Read speed: 6.00\u2009GB/s. "
        "Internal SSD, FileVault, macOS 26.4."
    ]
    assert page.elements == Read(PAGE).elements
    doubted_page = Read((await server.client.get(f"/runs/{doubted['id']}")).text)
    assert doubted_page.metas["og:description"][0].startswith("Doubted: it ended early.")
    for nobody in (private["id"], uuid.uuid4(), "x"):
        missing = await server.client.get(f"/runs/{nobody}")
        assert (missing.status_code, Read(missing.text).title) == (404, "Not found · Macmeter")


async def test_a_machine_without_a_public_run_has_no_page(server: Server) -> None:
    public, private = disk_run(), disk_run()
    await server.stored(public)
    await server.put(private, server.token("fleet"))
    response = await server.client.get(f"/machines/{public['machine']['id']}")
    assert (response.status_code, response.text) == (200, PAGE)
    sitemap = (await server.client.get("/sitemap.xml")).text
    assert f"/machines/{public['machine']['id']}</loc>" in sitemap
    assert private["machine"]["id"] not in sitemap
    assert "/chips/m4-pro</loc>" in sitemap
    for nobody in (private["machine"]["id"], uuid.uuid4(), "x", "%00"):
        missing = await server.client.get(f"/machines/{nobody}")
        assert (missing.status_code, Read(missing.text).title) == (404, "Not found · Macmeter")


async def test_members_reload_pages_of_their_private_macs_and_runs(server: Server) -> None:
    url = server.database_url
    fleet, elsewhere = people.make_fleet(url, "quokka"), people.make_fleet(url, "elsewhere")
    run = disk_run()
    await server.put(run, people.uploader_of(url, fleet))
    pages = (f"/runs/{run['id']}", f"/machines/{run['machine']['id']}")
    viewer = await people.sign_in(url, people.make_person(url, roles={fleet: "viewer"}))
    stranger = await people.sign_in(url, people.make_person(url, roles={elsewhere: "admin"}))
    for page in pages:
        response = await server.client.get(page, headers=viewer)
        # Its figures are for the page's own requests: a page may be kept by a cache.
        assert (response.status_code, response.text) == (200, PAGE)
        for headers in (stranger, {"Cookie": "macmeter=nobody"}, {}):
            assert (await server.client.get(page, headers=headers)).status_code == 404


async def test_a_chips_page_tells_its_figures(server: Server) -> None:
    await server.stored(
        disk_run(chip="Apple M4", read=4e9), disk_run(chip="Apple M1", write=None, read=3e9)
    )
    page = await server.client.get("/chips/m4")
    parsed = Read(page.text)
    assert (page.status_code, parsed.title) == (200, "Apple M4 · Macmeter")
    (text,) = parsed.metas["og:description"]
    assert text.endswith("Measured on 1 Mac in 1 run.")
    assert text.startswith("Read speed: 4.00")
    (image,) = parsed.metas["og:image"]
    picture = await server.client.get(image)
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    for missing in ("/chips/m9", "/models/mac-mini-m4", "/models/%00"):
        page = await server.client.get(missing)
        assert (page.status_code, Read(page.text).title) == (404, "Not found · Macmeter")
