"""Comparisons inside other people's pages, and as references."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any, cast

import pytest
from macmeter.comparisons.embeds_router import bibtex as as_bibtex
from macmeter.comparisons.embeds_router import markdown as as_markdown
from macmeter.models import Membership
from macmeter.schemas.comparisons import FrozenComparison
from sqlalchemy import delete
from support import people
from support.contract import of_api
from support.documents import disk_run
from support.pictures import size_of
from support.server import Server

QUESTION = "metric=disk.write_average&by=storage"
HOSTILE = [
    "<script>alert(1)</script>",
    "\"' onload='x",
    "}}\\input{/etc/passwd} $x$ %",
    "a](b) *c*",
]


class Read(HTMLParser):
    """A page's elements and texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


async def save(server: Server, **body: Any) -> dict[str, Any]:
    response = await server.client.post("/api/v1/comparisons", json={"question": QUESTION, **body})
    assert response.status_code == 201, response.text
    saved: dict[str, Any] = response.json()
    return saved


async def pause(server: Server, saved: dict[str, Any]) -> None:
    changed = await server.client.patch(
        f"/api/v1/comparisons/{saved['slug']}",
        json={"state": "paused"},
        headers={"Authorization": f"Bearer {saved['owner_secret']}"},
    )
    assert changed.status_code == 200


async def test_an_embed_may_be_framed_by_anybody_and_needs_nothing(server: Server) -> None:
    await server.stored(disk_run(write=5e9))
    saved = await save(server)
    response = await server.client.get(f"/embed/c/{saved['slug']}")
    policy = response.headers["content-security-policy"]
    assert "frame-ancestors *" in policy
    assert "default-src 'none'" in policy
    assert "x-frame-options" not in response.headers
    assert "set-cookie" not in response.headers
    page = Read(response.text)
    assert not page.all("script")
    assert "Frozen on" in page.text
    (link,) = page.all("a")
    assert link["href"] == f"http://test/c/{saved['slug']}"
    assert link["target"] == "_blank"
    (image,) = page.all("img")
    assert "Internal SSD: 5.00\u2009GB/s, 1 Mac." in (image["alt"] or "")
    for source in [image["src"], *(source["srcset"] for source in page.all("source"))]:
        assert (await server.client.get(source or "")).status_code == 200
    assert "5.00\u2009GB/s" in page.text  # in the table, too


async def test_an_embed_has_the_theme_that_its_page_asks_for(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server)
    page = Read((await server.client.get(f"/embed/c/{saved['slug']}?theme=dark")).text)
    pictures = [page.all("img")[0]["src"], *(source["srcset"] for source in page.all("source"))]
    assert all("theme=dark" in (picture or "") for picture in pictures)
    refused = await server.client.get(f"/embed/c/{saved['slug']}?theme=x")
    assert refused.status_code == 422


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_words_stay_words(server: Server, text: str) -> None:
    await server.stored(disk_run(target={"storage": text, "encryption": "none"}))
    saved = await save(server, title=text)
    page = Read((await server.client.get(f"/embed/c/{saved['slug']}")).text)
    assert not page.all("script")
    assert not [a for _, attributes in page.elements for a in attributes if a.startswith("on")]
    assert text in page.text
    oembed = (await ask(server, f"http://test/c/{saved['slug']}")).json()
    assert oembed["title"] == text
    (frame,) = Read(oembed["html"]).elements
    assert frame[0] == "iframe"
    assert frame[1]["title"] == text
    assert set(frame[1]) == {"src", "width", "height", "title", "loading", "style", "sandbox"}


async def ask(server: Server, url: str, **options: Any) -> Any:
    return await server.client.get("/api/v1/oembed", params={"url": url, **options})


async def test_oembed_leads_from_the_page_to_the_embed(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server, title="Mine")
    head = Read((await server.client.get(f"/c/{saved['slug']}")).text)
    discovered = [
        link for link in head.all("link") if link.get("type") == "application/json+oembed"
    ]
    response = await server.client.get(discovered[0]["href"] or "")
    embed = response.json()
    assert (embed["version"], embed["type"], embed["title"]) == ("1.0", "rich", "Mine")
    (frame,) = Read(embed["html"]).all("iframe")
    assert frame["src"] == f"http://test/embed/c/{saved['slug']}"
    assert (embed["width"], embed["height"]) == (
        int(frame["width"] or 0),
        int(frame["height"] or 0),
    )
    assert (await server.client.get(embed["thumbnail_url"])).headers["content-type"] == "image/png"
    small = (await ask(server, saved["url"], maxwidth=320, maxheight=200)).json()
    assert (small["width"], small["height"]) == (320, 200)


async def test_oembed_speaks_of_our_comparisons_in_json_alone(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server)
    for url in (
        "http://elsewhere/c/" + saved["slug"],
        "http://test/runs/" + saved["slug"],
        f"http://test/c/{saved['slug']}/../../x",
        "http://test/c/2222222222",
        "nonsense",
        "http://[",
    ):
        response = await ask(server, url)
        assert response.status_code in (404, 422), url
        assert response.headers["content-type"] == "application/problem+json"
    assert (await ask(server, saved["url"], format="xml")).status_code == 501
    assert (await server.client.get("/api/v1/oembed")).json()["pointer"] == "?url"


async def test_a_crawler_finds_the_picture_in_the_pages_head(server: Server) -> None:
    await server.stored(disk_run(write=5e9))
    saved = await save(server)
    head = Read((await server.client.get(f"/c/{saved['slug']}")).text)
    metas = {m.get("property") or m.get("name"): m.get("content") or "" for m in head.all("meta")}
    assert metas["twitter:card"] == "summary_large_image"
    assert metas["og:image"] == metas["twitter:image"]
    description = "Write speed by storage. Internal SSD: 5.00\u2009GB/s, 1 Mac."
    assert metas["og:image:alt"] == metas["twitter:image:alt"] == description
    image = await server.client.get(metas["og:image"])
    assert image.headers["content-type"] == metas["og:image:type"]
    width, height = size_of(image.content)
    assert (str(width), str(height)) == (metas["og:image:width"], metas["og:image:height"])


async def test_what_is_closed_is_closed_everywhere(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server, title="Gone", note="tomorrow")
    await pause(server, saved)
    page = await server.client.get(f"/embed/c/{saved['slug']}")
    assert page.status_code == 410
    assert "Its owner paused this comparison." in page.text
    assert "Gone" not in page.text
    assert (await ask(server, saved["url"])).status_code == 410
    cited = await server.client.get(f"/api/v1/comparisons/{saved['slug']}/citation")
    assert (cited.status_code, cited.json()["code"]) == (410, "comparison_paused")
    head = await server.client.get(f"/c/{saved['slug']}")
    assert "og:image" not in head.text
    assert (await server.client.get("/embed/c/2222222222")).status_code == 404


async def test_a_comparison_can_be_cited_with_its_sources(server: Server) -> None:
    citation = {
        "article": "x1",
        "title": "Fast *disks*",
        "author": "A. Writer",
        "publisher": "A & B",
        "published": "2025-07-17",
        "row": "m001",
    }
    await server.stored(disk_run())
    saved = await save(server, title="Mine_1 & yours")
    address = f"/api/v1/comparisons/{saved['slug']}/citation"
    markdown = await server.client.get(address)
    assert markdown.headers["content-type"] == "text/markdown; charset=utf-8"
    assert markdown.text.startswith("“Mine\\_1 \\& yours”, Macmeter, frozen ")
    assert saved["content_hash"] in markdown.text
    assert f"<http://test/c/{saved['slug']}>" in markdown.text
    bibtex = await server.client.get(f"{address}?format=bibtex")
    assert bibtex.headers["content-type"] == "application/x-bibtex; charset=utf-8"
    assert r"title = {{Mine\_1 \& yours}}" in bibtex.text
    assert (await server.client.get(f"{address}?format=ris")).status_code == 422

    group = {**saved["answer"]["results"][0]["groups"][0], "citations": [citation]}
    saved["answer"]["results"][0]["groups"] = [group]
    comparison = cast(FrozenComparison, saved)
    assert "- A. Writer, “Fast \\*disks\\*”, A \\& B, 17 Jul 2025" in as_markdown(comparison, "u")
    assert "@misc{macmeter-source-x1,\n  title = {{Fast *disks*}}" in as_bibtex(comparison, "u")


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_words_break_no_reference(server: Server, text: str) -> None:
    await server.stored(disk_run())
    saved = await save(server, title=text)
    address = f"/api/v1/comparisons/{saved['slug']}/citation"
    bibtex = (await server.client.get(f"{address}?format=bibtex")).text
    # Without escaped braces and commands, braces must pair: the entry ends where it should.
    plain = re.sub(r"\\[{}%#$&_]|\\text[a-z]+\{\}", "", bibtex)
    assert plain.count("{") == plain.count("}")
    assert "\\input" not in bibtex
    markdown = (await server.client.get(address)).text
    assert not re.search(r"(?<!\\)[<>\[\]*`](?!http)", markdown.split("Macmeter, frozen")[0])


async def test_a_page_that_shows_a_closed_comparison_shows_why_it_is_empty(
    server: Server,
) -> None:
    """An <img> can't show a problem in JSON: readers of that page would see nothing."""
    url = server.database_url
    fleet_id = people.make_fleet(url, "acme")
    uploader = people.uploader_of(url, fleet_id)
    for number in range(6):
        assert (await server.put(disk_run(write=5e9 + number), uploader)).status_code == 201
    admin = await people.sign_in(url, people.make_person(url, "Ada", roles={fleet_id: "admin"}))
    asks = {"question": f"{QUESTION}&where=fleet:acme", "shares_fleet": True, "title": "Quokka"}
    response = await server.client.post("/api/v1/comparisons", json=asks, headers=admin)
    await server.stored(disk_run())
    private, public = response.json(), await save(server, title="Quokka")
    await pause(server, public)
    with people.writing(url) as connection:
        connection.execute(delete(Membership).where(Membership.fleet_id == fleet_id))

    for name, media_type in (("chart.svg", "image/svg+xml"), ("chart.png", "image/png")):
        for theme in ("light", "dark"):
            responses = [
                await server.client.get(f"/api/v1/comparisons/{slug}/{name}?theme={theme}")
                for slug in (private["slug"], public["slug"])
            ]
            for picture in responses:
                of_api().check(picture)
                assert (picture.status_code, picture.headers["content-type"]) == (410, media_type)
                assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
                assert picture.headers["cache-control"] == "no-store"
            # The same bytes, whatever was there and whoever closed it.
            assert responses[0].content == responses[1].content
    chart = await server.client.get(f"/api/v1/comparisons/{public['slug']}/chart.svg?width=1200")
    assert "This comparison is no longer available." in chart.text
    assert "unsafe-inline" not in chart.headers["content-security-policy"]
    png = await server.client.get(f"/api/v1/comparisons/{public['slug']}/chart.png")
    assert size_of(png.content) == (480, 96)
    # A link that never existed is not a picture.
    unknown = await server.client.get("/api/v1/comparisons/2222222222/chart.svg")
    assert unknown.headers["content-type"] == "application/problem+json"
