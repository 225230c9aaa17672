"""Comparisons of sides under a short link: frozen and live, drawn, cited, embedded, closed."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx
import pytest
import rfc8785
from macmeter.comparisons.service import content_hash
from macmeter.platform.database import migrate, normalise
from sqlalchemy import create_engine, text
from support.documents import Document, disk_run
from support.server import Server, serving

SIDES = (
    "metric=disk.write_average&metric=disk.read_average"
    "&side=1:chip:Apple M1 Max&side=2:chip:Apple M4 Max&label=1:My old one"
)
OLD = Path(__file__).resolve().parents[2] / "support" / "comparison.v1.json"
Json = dict[str, Any]


def m1(write: float = 5e9, **changes: Any) -> Document:
    return disk_run(chip="Apple M1 Max", write=write, **changes)


def m4(write: float = 7e9, **changes: Any) -> Document:
    return disk_run(chip="Apple M4 Max", write=write, **changes)


async def stored_sides(server: Server) -> None:
    await server.stored(
        *(m1(5e9 + i * 1e7) for i in range(8)), *(m4(7e9 + i * 1e7) for i in range(9))
    )


async def save(server: Server, question: str = SIDES, **body: Any) -> Json:
    response = await server.client.post("/api/v1/comparisons", json={"question": question, **body})
    assert response.status_code == 201, response.text
    saved: Json = response.json()
    return saved


async def opened(server: Server, saved: Json) -> Json:
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert response.status_code == 200, response.text
    comparison: Json = response.json()
    return comparison


def told(picture: httpx.Response) -> str:
    assert picture.status_code == 200, picture.text
    root = ET.fromstring(picture.text)  # noqa: S314 - our own
    texts = ["".join(element.itertext()) for element in root.iter() if "text" in element.tag]
    return "\n".join(texts).replace("\u2009", " ").replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("question", "pointer"),
    [
        ("metric=disk.write_average&side=1:", "?side"),
        ("side=1:&side=2:", "?metric"),
        (SIDES + "&by=chip", "?by"),
        ("&".join([SIDES, *(f"side={n}:" for n in range(3, 10))]), "?side"),
    ],
)
async def test_what_is_no_comparison_is_not_saved(
    empty_server: Server, question: str, pointer: str
) -> None:
    refused = await empty_server.client.post("/api/v1/comparisons", json={"question": question})
    assert (refused.status_code, refused.json()["pointer"]) == (422, pointer), refused.text


async def test_sides_without_a_figure_are_not_saved(empty_server: Server) -> None:
    refused = await empty_server.client.post("/api/v1/comparisons", json={"question": SIDES})
    assert (refused.status_code, refused.json()["code"]) == (422, "empty_answer")


async def test_sides_stay_as_they_were_frozen_and_tell_what_changed(server: Server) -> None:
    await stored_sides(server)
    saved = await save(server, title="Old or new", note="One line\nAnother")
    live = (await server.client.get(f"/api/v1/compare?{SIDES}")).json()
    assert (saved["kind"], saved["format"], saved["runs"]) == ("sides", 2, 17)
    assert saved["question"] == live["comparison"]
    answer = {**saved["answer"], "figure": saved["figure"]}
    assert answer | {"as_of": None} == live | {"as_of": None}
    assert saved["changed"] is False
    assert saved["live_hash"] == saved["content_hash"]
    await server.stored(m4(9e9), m4(9e9), m4(9e9))
    later = await opened(server, saved)
    assert later["answer"] == saved["answer"]
    assert later["content_hash"] == saved["content_hash"] != later["live_hash"]
    # Medians of one side's writes; no reads.
    median = (await server.client.get(f"/api/v1/compare?{SIDES}")).json()["rows"][1]["cells"][1]
    assert later["changed"] is True
    assert later["change"] == {
        "groups": 1,
        "published": 0,
        "largest": pytest.approx(
            median["median"] / saved["answer"]["rows"][1]["cells"][1]["median"]
        ),
        "text": later["change"]["text"],
    }
    assert "owner_secret" not in later


async def test_anybody_can_recompute_the_hash(server: Server) -> None:
    await stored_sides(server)
    saved = await save(server)
    content = {
        "format": saved["format"],
        "question": saved["question"]["canonical"],
        "answer": {name: value for name, value in saved["answer"].items() if name != "as_of"},
    }
    assert hashlib.sha256(rfc8785.dumps(content)).hexdigest() == saved["content_hash"]


async def test_what_only_its_words_tell_is_no_change(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(m1())
    saved = await save(server)
    assert saved["answer"]["rows"][0]["cells"][1]["missing"]["code"] == "not_measured"
    monkeypatch.setattr("macmeter.questions.compare.DERIVATION_VERSION", 1000)
    assert (await opened(server, saved))["changed"] is False
    await server.stored(m4())
    # An empty side has figures now, but no earlier ones to compare them with.
    assert (await opened(server, saved))["change"] == {
        "groups": 2,
        "published": 0,
        "largest": None,
        "text": "Data has changed since: 2 groups.",
    }


async def test_private_runs_are_on_no_side(server: Server) -> None:
    await server.stored(m1(), m4(7e9))
    await server.put(m4(9e9), server.token("fleet"))
    cell = (await save(server))["answer"]["rows"][1]["cells"][1]
    assert (cell["machines"], cell["median"]) == (1, 7e9)


async def test_the_file_holds_the_frozen_figures(server: Server) -> None:
    await stored_sides(server)
    saved = await save(server)
    await server.stored(m4(9e9))
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}/answer.csv")
    lines = list(csv.DictReader(io.StringIO(response.text, newline="")))
    cells = [cell for row in saved["answer"]["rows"] for cell in row["cells"]]
    assert [float(line["median"]) for line in lines] == [cell["median"] for cell in cells]


async def test_the_picture_tells_ratios_baseline_numbers_and_verdicts(server: Server) -> None:
    await stored_sides(server)
    await server.stored(m4(state="incomplete"))
    saved = await save(server)
    frozen = told(await server.client.get(f"/api/v1/comparisons/{saved['slug']}/chart.svg"))
    assert "relative to My old one" in frozen
    assert "0 % is My old one" in frozen
    assert "Write speed" in frozen
    assert "M4 Max faster, 9 Macs, 7.04 GB/s" in frozen
    assert "95% interval" in frozen
    assert "Left out of M4 Max: 1 run that ended early" in frozen
    assert f"test/c/{saved['slug']}" in frozen
    assert "frozen on" in frozen
    live = told(await server.client.get(f"/api/v1/chart.svg?{SIDES}&width=500"))
    assert "as of" in live
    # A narrow picture keeps verdicts beside its marks and n after its labels.
    assert "9 Macs, 7.04 GB/s" in live
    assert "faster" in live
    lone = told(await server.client.get(f"/api/v1/chart.svg?{SIDES}&metric=hash.sha256_speed"))
    assert "Not drawn: 1 figure without a result to compare with." in lone
    assert "no result" not in lone
    for address in (f"comparisons/{saved['slug']}/chart.png", f"chart.png?{SIDES}"):
        png = await server.client.get(f"/api/v1/{address}")
        assert png.content.startswith(b"\x89PNG")
        assert int.from_bytes(png.content[16:20]) == 1200


async def test_link_previews_embeds_and_citations_tell_of_the_sides(server: Server) -> None:
    await stored_sides(server)
    saved = await save(server)
    title = "Read and write speed: Apple M4 Max relative to My old one"
    page = (await server.client.get(f"/c/{saved['slug']}")).text
    assert f'<meta property="og:title" content="{title}">' in page
    assert f"/api/v1/comparisons/{saved['slug']}/chart.png" in page
    assert "Apple M4 Max, Read speed: 0" in page  # the picture in words
    compare = (await server.client.get(f"/compare?{SIDES}")).text
    assert f'<meta property="og:title" content="{title}">' in compare
    assert "/api/v1/chart.png?label=1:My%20old%20one&amp;metric=" in compare
    embed = (await server.client.get(f"/embed/c/{saved['slug']}")).text
    assert f"<h1>{title}</h1>" in embed
    assert "M4 Max faster, 9 Macs, 7.04\u2009GB/s" in embed
    url = f"http://test/c/{saved['slug']}"
    oembed = await server.client.get("/api/v1/oembed", params={"url": url})
    assert oembed.json()["title"] == title
    for format_ in ("markdown", "bibtex"):
        cited = await server.client.get(
            f"/api/v1/comparisons/{saved['slug']}/citation?format={format_}"
        )
        assert saved["content_hash"] in cited.text
        assert "My old one" in cited.text


async def test_a_link_with_a_slash_at_its_end_is_the_same_link(server: Server) -> None:
    await server.stored(m1(), m4())
    saved = await save(server)
    for address in (f"/c/{saved['slug']}", f"/embed/c/{saved['slug']}"):
        plain, slashed = [await server.client.get(address + end) for end in ("", "/")]
        for response in (plain, slashed):
            assert response.headers.pop("X-Request-ID")
        assert (slashed.text, slashed.headers) == (plain.text, plain.headers)


@pytest.mark.every(4)
@pytest.mark.parametrize("label", ["<script>alert(1)</script>", "\"' onload='x", "=cmd()", "]]>"])
async def test_a_hostile_label_stays_a_text(server: Server, label: str) -> None:
    await server.stored(m1(), m4())
    saved = await save(server, f"{SIDES}&label=2:{label.replace('&', '%26')}")
    picture = await server.client.get(f"/api/v1/comparisons/{saved['slug']}/chart.svg")
    assert label in told(picture)
    for address in (f"/embed/c/{saved['slug']}", f"/c/{saved['slug']}"):
        html = (await server.client.get(address)).text
        assert "<script>alert" not in html
        assert "' onload" not in html
    lines = (await server.client.get(f"/api/v1/comparisons/{saved['slug']}/answer.csv")).text
    assert ",=cmd" not in lines


async def test_its_owner_closes_it_and_it_is_closed_everywhere(server: Server) -> None:
    await server.stored(m1(), m4())
    saved = await save(server)
    address = f"/api/v1/comparisons/{saved['slug']}"
    owner = {"Authorization": f"Bearer {saved['owner_secret']}"}
    paused = await server.client.patch(address, json={"state": "paused"}, headers=owner)
    assert (paused.json()["state"], paused.json()["kind"]) == ("paused", "sides")
    for part in ("", "/answer.csv", "/chart.png", "/chart.svg", "/citation"):
        assert (await server.client.get(address + part)).status_code == 410
    assert (await server.client.get(f"/embed/c/{saved['slug']}")).status_code == 410
    assert (await server.client.get(f"/c/{saved['slug']}")).status_code == 410
    assert (await server.client.delete(address, headers=owner)).status_code == 204


@pytest.mark.parametrize(
    ("others", "left"),
    [
        # With two machines per side, each could be guessed from the other; with three, none can.
        ([m4(6e9)], False),
        ([m4(6e9), m4(6.5e9)], True),
    ],
)
async def test_a_deleted_run_leaves_only_figures_of_enough_machines(
    server: Server, others: list[Document], left: bool
) -> None:
    document, token = m4(7e9), server.token()
    await server.put(document, token)
    await server.stored(*others, *(m1(5e9 + i) for i in range(3)))
    saved = await save(server)
    deleted = await server.client.delete(
        f"/api/v1/runs/{document['id']}", headers={"Authorization": f"Bearer {token}"}
    )
    assert deleted.status_code == 204
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    if left:
        assert response.json()["answer"] == saved["answer"]
    else:
        assert response.json()["code"] == "comparison_tombstone"


async def test_a_comparison_of_the_first_format_opens_with_its_numbers_and_hash(
    empty_database_url: str,
) -> None:
    stored: Json = json.loads(OLD.read_text())
    migrate(empty_database_url, "0001")
    engine = create_engine(normalise(empty_database_url))
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO comparisons (slug, format, question, answer, content_sha256, run_ids,"
                " title, note, state, owner_secret_sha256, created_at) VALUES (:slug, :format,"
                " :question, CAST(:answer AS jsonb), decode(:content_sha256, 'hex'),"
                " CAST(:run_ids AS uuid[]), :title, :note, :state, '\\x00', :created_at)"
            ),
            {
                **stored,
                "answer": json.dumps(stored["answer"]),
                "created_at": datetime.fromisoformat(stored["created_at"]),
            },
        )
    migrate(empty_database_url)
    engine.dispose()
    async with serving(empty_database_url) as server:
        shown = await opened(server, stored)
        page = await server.client.get(f"/embed/c/{stored['slug']}")
    assert (shown["kind"], shown["format"]) == ("question", 1)
    assert shown["answer"] == stored["answer"]
    assert shown["content_hash"] == stored["content_sha256"]
    assert content_hash(1, stored["question"], shown["answer"]).hex() == stored["content_sha256"]
    assert (shown["title"], shown["note"]) == (stored["title"], stored["note"])
    assert page.status_code == 200
