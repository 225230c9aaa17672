"""A question's changes as a feed: what each week changed, in the page's words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree as ET

import httpx
from macmeter.platform.database import normalise
from macmeter.questions.weekly import WEEKS, monday
from sqlalchemy import create_engine, text
from support.documents import Document, disk_run
from support.server import Server

WRITE = "metric=disk.write_average"
ATOM = "{http://www.w3.org/2005/Atom}"
NOW = datetime.now(UTC)


def came(server: Server, run: Document, weeks_ago: float) -> None:
    """Set a stored run's arrival to that many weeks before the last Monday."""
    engine = create_engine(normalise(server.database_url))
    try:
        with engine.begin() as connection:
            connection.execute(
                text("UPDATE runs SET received_at = :at WHERE run_id = :run"),
                {"at": monday(NOW) - timedelta(weeks=weeks_ago), "run": run["id"]},
            )
    finally:
        engine.dispose()


async def asked(server: Server, query: str, name: str = "answer") -> ET.Element:
    response: httpx.Response = await server.client.get(f"/api/v1/{name}.atom?{query}")
    assert response.status_code == 200, response.text
    assert response.headers["content-type"].startswith("application/atom+xml")
    return ET.fromstring(response.content)  # noqa: S314 - our own


def told(feed: ET.Element) -> list[tuple[str, list[str]]]:
    return [
        (
            entry.findtext(f"{ATOM}title", ""),
            entry.findtext(f"{ATOM}summary", "").replace("\u2009", " ").split("\n"),
        )
        for entry in feed.iter(f"{ATOM}entry")
    ]


def test_a_week_ends_on_monday() -> None:
    assert monday(datetime(2026, 11, 22, 23, 59, tzinfo=UTC)) == datetime(2026, 11, 16, tzinfo=UTC)
    assert monday(datetime(2026, 11, 23, tzinfo=UTC)) == datetime(2026, 11, 23, tzinfo=UTC)


async def test_a_feed_tells_what_each_week_changed(server: Server) -> None:
    first, second, same = disk_run(write=5e9), disk_run(write=7e9), disk_run(write=6e9)
    late, doubtful = disk_run(write=9e9), disk_run(write=2e9, storage="usb4")
    await server.stored(first, second, same, late, doubtful)
    for run, weeks_ago in ((first, 5.5), (second, 2.5), (same, 1.5), (doubtful, 0.5)):
        came(server, run, weeks_ago)
    feed = await asked(server, f"{WRITE}&by=storage")
    entries = told(feed)
    # The third run's week left 6 GB/s unchanged, and this week is not over.
    assert [title.partition(": ")[2] for title, _ in entries] == [
        "1 figure changed",
        "1 figure changed by +20\u2009%",
        "1 figure changed",
    ]
    assert [lines for _, lines in entries] == [
        ["USB4: 2.00 GB/s, new; 1 Mac, 1 run"],
        ["Internal SSD: 6.00 GB/s, was 5.00 GB/s (+20 %); 2 Macs, 2 runs"],
        ["Internal SSD: 5.00 GB/s, new; 1 Mac, 1 run"],
    ]
    assert feed.findtext(f"{ATOM}title") == "Macmeter: Write speed by storage"
    addresses = {link.get("rel"): link.get("href", "") for link in feed.findall(f"{ATOM}link")}
    assert "/storage?by=storage&metric=disk.write_average" in addresses["alternate"]
    assert len({entry.findtext(f"{ATOM}id") for entry in feed.iter(f"{ATOM}entry")}) == 3


async def test_a_feed_of_sides_tells_what_each_week_changed(server: Server) -> None:
    first, second, later = (
        disk_run(write=5e9),
        disk_run(write=4e9, storage="usb4"),
        disk_run(write=7e9),
    )
    await server.stored(first, second, later)
    for run, weeks_ago in ((first, 3.5), (second, 3.5), (later, 1.5)):
        came(server, run, weeks_ago)
    sides = f"{WRITE}&side=1:storage:internal&side=2:storage:usb4"
    feed = await asked(server, sides, "compare")
    newest, _ = told(feed)
    assert newest[0].endswith("changed by +20\u2009%")
    assert any("6.00 GB/s, was 5.00 GB/s (+20 %)" in line for line in newest[1])
    addresses = {link.get("rel"): link.get("href", "") for link in feed.findall(f"{ATOM}link")}
    assert "/compare?metric=disk.write_average" in addresses["alternate"]
    refused = await server.client.get(f"/api/v1/compare.atom?{WRITE}&side=1:storage:internal")
    assert refused.status_code == 422


async def test_a_feed_reaches_back_so_many_weeks(server: Server) -> None:
    older, oldest = disk_run(write=5e9), disk_run(write=7e9)
    await server.stored(older, oldest)
    came(server, older, WEEKS - 0.5)
    came(server, oldest, WEEKS + 0.5)
    assert [lines for _, lines in told(await asked(server, WRITE))] == [
        ["All runs: 6.00 GB/s, was 7.00 GB/s (−14 %); 2 Macs, 2 runs"]
    ]


async def test_a_feed_of_nothing_has_no_entries(server: Server) -> None:
    assert told(await asked(server, f"{WRITE}&where=storage:none_such")) == []


async def test_a_feed_keeps_what_is_private_to_its_readers(server: Server) -> None:
    run = disk_run(write=5e9)
    assert (await server.put(run, server.token("fleet"))).status_code == 201
    came(server, run, 0.5)
    assert told(await asked(server, WRITE)) == []


async def test_a_feed_of_no_question_is_refused(server: Server) -> None:
    response = await server.client.get("/api/v1/answer.atom?metric=disk.nothing")
    assert response.status_code == 422
    assert response.json()["errors"][0]["pointer"] == "?metric"


async def test_texts_of_senders_cannot_break_a_feed(server: Server) -> None:
    hostile = "</title>]]>&<script>\u202e"
    run = disk_run(write=5e9, labels={"note": hostile})
    await server.stored(run)
    came(server, run, 0.5)
    ((_, (line,)),) = told(await asked(server, f"{WRITE}&by=label:note"))
    assert "<script>" in line
