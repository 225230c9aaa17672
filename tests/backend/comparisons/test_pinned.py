"""Runs behind a comparison: named where it must not outlive them, all of them in a digest."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from macmeter.comparisons.service import ComparisonDetails, freeze, is_lost, save_frozen
from macmeter.models import Comparison
from macmeter.platform import database
from sqlalchemy import select, update
from support.comparisons import QUESTION, opened, save
from support.databases import transaction
from support.documents import by_file_size, disk_run
from support.server import Server


async def _delete(server: Server, document: dict[str, Any], token: str) -> None:
    response = await server.client.delete(
        f"/api/v1/runs/{document['id']}", headers={"Authorization": f"Bearer {token}"}
    )
    assert response.status_code == 204


async def test_a_deleted_run_of_few_machines_leaves_a_tombstone(server: Server) -> None:
    document, token = disk_run(), server.token()
    await server.put(document, token)
    saved = await save(server)
    await _delete(server, document, token)
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert (response.status_code, response.json()["code"]) == (410, "comparison_tombstone")


async def test_a_deleted_run_among_three_machines_leaves_the_frozen_figures(server: Server) -> None:
    document, token = disk_run(write=5e9), server.token()
    await server.put(document, token)
    await server.stored(disk_run(write=6e9), disk_run(write=7e9))
    saved = await save(server)
    await _delete(server, document, token)
    comparison = await opened(server, saved["slug"])
    assert comparison["answer"]["results"][0]["groups"][0]["machines"] == 3
    assert comparison["changed"] is True


async def test_a_run_that_figures_of_few_machines_do_not_rest_on_leaves_them(
    server: Server,
) -> None:
    runs = [disk_run(write=6e9, storage="thunderbolt5") for _ in range(10)]
    # Answers name the first eight runs of a group: this one is not among them.
    document, token = max(runs, key=lambda run: str(run["id"])), server.token()
    await server.put(document, token)
    others = [run for run in runs if run is not document]
    await server.stored(*others, disk_run(storage="internal"))
    saved = await save(server)
    assert [g["machines"] for g in saved["answer"]["results"][0]["groups"]] == [1, 10]
    await _delete(server, document, token)
    assert (await opened(server, saved["slug"]))["answer"] == saved["answer"]


async def test_deleting_waits_for_nobody_who_saves_and_is_not_told_of(server: Server) -> None:
    document, token = disk_run(), server.token()
    await server.put(document, token)
    engine = database.engine(server.database_url)
    async with engine.begin() as saving:
        now = datetime.now(UTC)
        saved = await save_frozen(
            saving, await freeze(saving, QUESTION, None, now), ComparisonDetails(), now
        )
        assert saved is not None
        # Before that is committed: neither sees the other.
        await _delete(server, document, token)
    async with engine.connect() as looking:
        assert await is_lost(looking, saved[0]["slug"])
    await engine.dispose()
    response = await server.client.get(f"/api/v1/comparisons/{saved[0]['slug']}")
    assert (response.status_code, response.json()["code"]) == (410, "comparison_tombstone")


async def test_a_run_deleted_since_it_was_answered_is_not_kept(server: Server) -> None:
    document, token, now = disk_run(), server.token(), datetime.now(UTC)
    await server.put(document, token)
    engine = database.engine(server.database_url)
    async with engine.connect() as answering:
        frozen = await freeze(answering, QUESTION, None, now)
        # Deletion doesn't wait for answers in progress.
        await _delete(server, document, token)
    async with engine.begin() as saving:
        assert await save_frozen(saving, frozen, ComparisonDetails(), now) is None
    await engine.dispose()


@pytest.mark.parametrize(
    "query",
    [
        # The reference is of one machine, and not a group itself.
        "&by=encryption&where=encryption:filevault&relative_to=encryption:none",
        "&by=storage&relative_to=encryption:none",
    ],
)
async def test_a_deleted_run_that_others_were_divided_by_leaves_a_tombstone(
    server: Server, query: str
) -> None:
    document, token = disk_run(encryption="none"), server.token()
    await server.put(document, token)
    await server.stored(*(disk_run(write=6e9) for _ in range(3)))
    saved = await save(server, question=f"metric=disk.write_average{query}")
    (group,) = saved["answer"]["results"][0]["groups"]
    assert group["machines"] >= 3
    assert "ratio" in group
    await _delete(server, document, token)
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert response.json()["code"] == "comparison_tombstone"


async def test_a_deleted_run_of_another_chip_that_others_were_divided_by_leaves_a_tombstone(
    server: Server,
) -> None:
    """A chip is of one family: compared with another family, the reference is all its chips."""
    document, token = disk_run(chip="Apple M1", write=2e9), server.token()
    await server.put(document, token)
    await server.stored(*(disk_run(write=6e9) for _ in range(3)))
    query = "metric=disk.write_average&where=chip:Apple M4 Pro&relative_to=chip_family:M1"
    saved = await save(server, question=query)
    assert saved["answer"]["results"][0]["groups"][0]["ratio"]["value"] == 3
    await _delete(server, document, token)
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert response.json()["code"] == "comparison_tombstone"


async def test_a_deleted_run_of_a_metric_that_lacks_a_filtered_parameter_leaves_a_tombstone(
    server: Server,
) -> None:
    """A filter by a sample's parameter applies only to metrics that have it."""
    document, token = disk_run(), server.token()
    document["series"] += by_file_size({2_000_000: [3e9]})
    await server.put(document, token)
    query = "metric=disk.write_average&metric=disk.write_speed&where=file_size:2000000"
    saved = await save(server, question=query)
    assert saved["runs"] == 1
    other = disk_run(write=7e9)
    await server.stored(other)
    saved = await save(server, question=query)
    assert saved["runs"] == 2
    await _delete(server, document, token)
    response = await server.client.get(f"/api/v1/comparisons/{saved['slug']}")
    assert response.json()["code"] == "comparison_tombstone"


async def test_what_is_pinned_is_told_by_its_digest_and_few_are_named(server: Server) -> None:
    plenty = [disk_run(write=6e9) for _ in range(12)]
    few = [disk_run(storage="thunderbolt5") for _ in range(2)]
    await server.stored(*plenty, *few)
    saved = await save(server)
    ids = sorted(uuid.UUID(run["id"]).bytes for run in [*plenty, *few])
    assert saved["runs_hash"] == hashlib.sha256(b"".join(ids)).hexdigest()
    engine = database.engine(server.database_url)
    async with engine.connect() as connection:
        (told_of,) = (await connection.execute(select(Comparison.told_of))).one()
    await engine.dispose()
    assert {str(run_id) for run_id in told_of} == {run["id"] for run in few}


async def test_withdrawn_runs_are_found_by_what_was_asked(server: Server) -> None:
    token = server.token()
    before, since, other = (disk_run(write=6e9) for _ in range(3))
    elsewhere = disk_run(storage="usb4")
    for run in (before, since, other, elsewhere):
        run["machine"]["id"] = before["machine"]["id"]
        assert (await server.put(run, token)).status_code == 201
    await _withdraw(server, before, token)
    saved = await save(server, question=f"{QUESTION}&where=storage:internal")
    later = disk_run(machine=before["machine"]["id"])
    await server.put(later, token)
    for run in (since, elsewhere, later):
        await _withdraw(server, run, token)
    comparison = await opened(server, saved["slug"])
    assert [run["run_id"] for run in comparison["withdrawn"]] == [since["id"]]
    assert comparison["withdrawn"][0]["reason"] == "The lid was closed."


async def _withdraw(server: Server, run: dict[str, Any], token: str) -> None:
    response = await server.client.put(
        f"/api/v1/runs/{run['id']}/withdrawal",
        json={"reason": "The lid was closed."},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert response.status_code == 204, response.text


async def test_comparisons_of_older_versions_name_all_and_outlive_most(server: Server) -> None:
    document, token = disk_run(write=5e9), server.token()
    await server.put(document, token)
    other_runs = [disk_run(write=6e9), disk_run(write=7e9)]
    await server.stored(*other_runs)
    saved = await save(server)
    engine = database.engine(server.database_url)
    ids = [uuid.UUID(run["id"]) for run in [document, *other_runs]]
    async with engine.begin() as connection:
        await connection.execute(update(Comparison).values(told_of=ids, names_few=False))
    await engine.dispose()
    await _delete(server, document, token)
    assert (await opened(server, saved["slug"]))["answer"] == saved["answer"]


@pytest.mark.parametrize(
    "values", [{"format": 99}, {"answer": {"results": [7]}}, {"answer": {}}], ids=str
)
async def test_a_comparison_of_another_version_keeps_no_run_from_being_deleted(
    server: Server, values: dict[str, Any]
) -> None:
    runs = [disk_run(write=speed * 1e9) for speed in range(1, 8)]
    await server.stored(*runs[:-1])
    secret = server.token()
    assert (await server.put(runs[-1], secret)).status_code == 201
    slug = (await save(server))["slug"]
    with transaction(server.database_url) as connection:
        statement = update(Comparison).where(Comparison.slug == slug)
        run_ids = [uuid.UUID(runs[-1]["id"])]
        connection.execute(statement.values(names_few=False, told_of=run_ids, **values))
    await _delete(server, runs[-1], secret)
