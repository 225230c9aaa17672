"""Saved comparisons: frozen, honest about later changes, and closed by their owner."""

from __future__ import annotations

import asyncio
import math
import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from macmeter.catalog import Redefinition
from macmeter.comparisons.service import content_hash
from sqlalchemy import text
from support.comparisons import QUESTION, opened, save
from support.databases import transaction
from support.documents import by_file_size, disk_run
from support.server import InThisProcess, Server, serving

SIDES = (
    "metric=disk.write_average&side=1:storage:slow&side=2:storage:fast&baseline=1&flagged=include"
)


async def change(server: Server, saved: dict[str, Any], **body: Any) -> Any:
    return await server.client.patch(
        f"/api/v1/comparisons/{saved['slug']}",
        json=body,
        headers={"Authorization": f"Bearer {saved['owner_secret']}"},
    )


async def test_a_question_without_an_answer_is_not_saved(empty_server: Server) -> None:
    response = await empty_server.client.post("/api/v1/comparisons", json={"question": QUESTION})
    assert (response.status_code, response.json()["code"]) == (422, "empty_answer")


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/question"),
        ({"question": "metric=x"}, "?metric"),
        ({"question": QUESTION, "title": ""}, "/title"),
        ({"question": QUESTION, "title": "a\u0000b"}, "/title"),
        ({"question": QUESTION, "title": "\u200b \u2060\u202e\ufe0f"}, "/title"),
        ({"question": QUESTION, "title": "\u3164\u2800\U000e0041"}, "/title"),
        ({"question": QUESTION, "note": "\u200b\n\u00ad\u007f"}, "/note"),
        ({"question": QUESTION, "colour": "red"}, "/colour"),
        ({"question": 1}, "/question"),
    ],
)
async def test_a_bad_request_names_the_field(
    empty_server: Server, body: dict[str, Any], pointer: str
) -> None:
    response = await empty_server.client.post("/api/v1/comparisons", json=body)
    assert (response.status_code, response.json()["pointer"]) == (422, pointer)


async def test_a_saved_comparison_shows_the_same_numbers_later(server: Server) -> None:
    await server.stored(disk_run(write=5e9))
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"  # contains invisible joiners
    saved = await save(server, title=f"TB5 or not {family}", note="Line one\nline two")
    assert saved["url"] == f"http://test/c/{saved['slug']}"
    assert saved["changed"] is False
    await server.stored(disk_run(write=6e9))
    later = await opened(server, saved["slug"])
    assert later["answer"] == saved["answer"]
    assert later["content_hash"] == saved["content_hash"]
    assert later["changed"] is True
    assert later["change"] == {
        "groups": 1,
        "published": 0,
        "largest": pytest.approx(1.1),
        "text": "Data has changed since: 1 group, by +10\u2009%.",
    }
    assert "owner_secret" not in later
    assert (later["title"], later["note"]) == (f"TB5 or not {family}", "Line one\nline two")


async def test_a_private_link_cannot_be_guessed(server: Server) -> None:
    await server.stored(disk_run())
    private, public = await save(server, private=True), await save(server)
    assert (private["private"], public["private"]) == (True, False)
    letters = len(set("23456789abcdefghjkmnpqrstuvwxyz"))
    assert math.log2(letters) * len(private["slug"]) >= 128
    assert len(public["slug"]) == 10
    assert (await opened(server, private["slug"]))["private"] is True
    assert private["content_hash"] == public["content_hash"]


async def test_the_content_hash_can_be_recomputed_from_what_is_shown(server: Server) -> None:
    await server.stored(*(disk_run(write=5e9 + i) for i in range(7)))
    saved = await save(server)
    comparison = await opened(server, saved["slug"])
    recomputed = content_hash(1, comparison["question"]["canonical"], comparison["answer"]).hex()
    assert recomputed == comparison["content_hash"]


@pytest.mark.every(3)
@pytest.mark.parametrize("least", [1e-12, 1e-5, 1e-3])
async def test_a_ratio_of_any_size_is_kept_as_it_is_shown(server: Server, least: float) -> None:
    """Beyond 64 bits, and between them and the largest exact integer in JSON."""
    for speed, storage in ((1e13, "fast"), (least, "slow")):
        await server.stored(*(disk_run(write=speed, read=None, storage=storage) for _ in range(7)))
    question = "metric=disk.write_average&by=storage&relative_to=storage:slow&flagged=include"
    for kind, query in ((1, question), (2, SIDES)):
        saved = await save(server, question=query)
        shown = await opened(server, saved["slug"])
        assert str(1e13 / least) in str(shown["answer"])
        recomputed = content_hash(kind, shown["question"]["canonical"], shown["answer"]).hex()
        assert (recomputed, shown["changed"]) == (shown["content_hash"], False)


async def test_private_runs_never_enter_a_comparison(server: Server) -> None:
    await server.stored(disk_run(write=5e9))
    await server.put(disk_run(write=9e9), server.token("fleet"))
    saved = await save(server)
    (group,) = saved["answer"]["results"][0]["groups"]
    assert (group["machines"], group["median"]) == (1, 5e9)


async def test_the_owner_pauses_resumes_and_revokes(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server)
    address = f"/api/v1/comparisons/{saved['slug']}"
    assert (await change(server, saved, state="paused")).json()["state"] == "paused"
    closed = await server.client.get(address)
    assert (closed.status_code, closed.json()["code"]) == (410, "comparison_paused")
    assert (await server.client.get(f"{address}/answer.csv")).status_code == 410
    assert (await change(server, saved, state="active")).status_code == 200
    assert (await server.client.get(address)).status_code == 200
    owner = {"Authorization": f"Bearer {saved['owner_secret']}"}
    assert (await server.client.delete(address, headers=owner)).status_code == 204
    assert (await server.client.get(address)).json()["code"] == "comparison_revoked"
    assert (await change(server, saved, state="active")).status_code == 410


async def test_nobody_else_changes_it(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server)
    address = f"/api/v1/comparisons/{saved['slug']}"
    assert (await server.client.patch(address, json={"state": "paused"})).status_code == 401
    other = {"Authorization": "Bearer mmo_guess"}
    response = await server.client.patch(address, json={"state": "paused"}, headers=other)
    assert response.status_code == 403
    assert (await opened(server, saved["slug"]))["state"] == "active"


async def test_it_expires(server: Server) -> None:
    await server.stored(disk_run())
    saved = await save(server)
    past = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    assert (await change(server, saved, expires_at=past)).json()["pointer"] == "/expires_at"
    soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat()
    assert (await change(server, saved, expires_at=soon)).status_code == 200
    await asyncio.sleep(1.1)
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert response.json()["code"] == "comparison_expired"
    assert (await change(server, saved, expires_at=None)).status_code == 200
    assert (await opened(server, saved["slug"]))["state"] == "active"


async def test_another_derivation_of_the_same_figures_is_no_change(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database_url, questions=InThisProcess()) as server:
        await server.stored(disk_run(write=5e9))
        saved = await save(server)
        monkeypatch.setattr("macmeter.questions.answer.DERIVATION_VERSION", 1000)
        later = await opened(server, saved["slug"])
    assert later["live_hash"] != saved["content_hash"]
    assert later["changed"] is False


async def test_a_redefinition_since_is_named_where_it_concerns_the_figures(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(database_url, questions=InThisProcess()) as server:
        await server.stored(disk_run(write=5e9))
        saved = await save(server)
        assert saved["computed_differently"] == []
        since = saved["answer"]["derivation_version"]
        entries = (
            Redefinition(since, "Known when it was saved."),
            Redefinition(since + 1, "Of another metric.", frozenset({"disk.read_average"})),
            Redefinition(since + 2, "Of none.", frozenset()),
            Redefinition(since + 3, "Writes end with a flush.", frozenset({"disk.write_average"})),
            Redefinition(since + 4, "Medians are of machines."),
        )
        monkeypatch.setattr("macmeter.catalog.REDEFINITIONS", entries)
        later = await opened(server, saved["slug"])
        assert later["changed"] is False
        assert later["computed_differently"] == [
            {"derivation_version": since + 3, "text": "Writes end with a flush."},
            {"derivation_version": since + 4, "text": "Medians are of machines."},
        ]
        await server.stored(disk_run(write=6e9))
        later = await opened(server, saved["slug"])
        assert later["change"]["text"].startswith("Figures have changed since: 1 group")


async def test_a_spread_with_more_digits_is_no_change(server: Server) -> None:
    await server.stored(disk_run(write=[5e9, 6e9]))
    saved = await save(server)
    path = "{results,0,groups,0,spread,p10}"
    with transaction(server.database_url) as connection:
        connection.execute(
            text("UPDATE comparisons SET answer = jsonb_set(answer, :path, '5123456789.25')"),
            {"path": path.strip("{}").split(",")},
        )
    later = await opened(server, saved["slug"])
    assert later["answer"]["results"][0]["groups"][0]["spread"]["p10"] == 5123456789.25
    assert later["changed"] is False


async def test_one_comparison_tells_one_number_of_runs(server: Server) -> None:
    """Header, picture and citation count the runs behind the figures shown."""
    machine = str(uuid.uuid4())
    unstated = {"id": str(uuid.uuid4()), "unspecified": True}
    sizes = by_file_size({n: [3e9] for n in (2_000_000, 4_000_000)}, "disk.stream_read_speed")
    await server.stored(
        *(disk_run(machine=machine, series=sizes) for _ in range(9)),
        disk_run(series=sizes),
        # Left out: it names no machine.
        {**disk_run(series=sizes), "machine": unstated},
        # Only the reference of others.
        disk_run(storage="usb4", encryption="none", series=sizes),
    )
    query = "metric=disk.stream_read_speed&where=storage:internal&relative_to=storage:usb4"
    saved = await save(server, question=query)
    (group,) = saved["answer"]["results"][0]["groups"]
    assert (group["runs"], saved["answer"]["runs"], saved["runs"]) == (10, 10, 10)
    address = f"/api/v1/comparisons/{saved['slug']}"
    for path in ("chart.svg", "citation?format=markdown"):
        text = re.sub("<[^>]*>", "", (await server.client.get(f"{address}/{path}")).text)
        assert "10 runs" in text.replace("\N{NO-BREAK SPACE}", " "), text


async def test_the_largest_change_is_the_one_furthest_from_none(server: Server) -> None:
    first, second = disk_run(write=6e9, storage="thunderbolt5"), disk_run(write=5e9)
    await server.stored(first, second)
    saved = await save(server)
    await server.stored(disk_run(write=1e9, storage="thunderbolt5"), disk_run(write=9e9))
    comparison = await opened(server, saved["slug"])
    # thunderbolt5 went from 6 to 3.5, internal from 5 to 7.
    assert comparison["change"] == {
        "groups": 2,
        "published": 0,
        "largest": pytest.approx(3.5 / 6),
        "text": "Data has changed since: 2 groups, by up to \u221242\u2009%.",
    }


async def test_an_unknown_slug_is_404(empty_server: Server) -> None:
    assert (
        await empty_server.client.get(f"/api/v1/comparisons/{uuid.uuid4().hex}")
    ).status_code == 404
