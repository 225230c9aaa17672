"""The data set's files, kept up to date: equal to a rebuild, and to the tables."""

from __future__ import annotations

import asyncio
import contextlib
import math
import uuid
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from macmeter.platform.database import reading_engine
from macmeter.results.dataset import files, writer
from macmeter.results.dataset.relations import RELATIONS
from sqlalchemy import text
from support.data_set import (
    assert_as_tables,
    directory_below,
    everything,
    one_duckdb,
    read,
    written,
)
from support.databases import transaction
from support.documents import disk_run
from support.people import make_fleet, uploader_of
from support.random_runs import MACHINES, Random
from support.server import Server
from support.thorough import some


async def happened(server: Server, seed: int, steps: int) -> Random:
    happening = Random(server, seed)
    for _ in range(steps):
        await happening.step()
    return happening


@pytest.mark.parametrize("seed", some(range(2)))
async def test_files_that_are_kept_up_to_date_are_as_the_tables_and_as_built_anew(
    server: Server, tmp_path: Path, seed: int
) -> None:
    happening = await happened(server, seed, 5)
    await server.stored(disk_run(), disk_run())
    for step in range(9):
        for _ in range(step):
            await happening.step()
        if step % 4 == 1:
            happening.execute("UPDATE runs SET visibility = 'private' WHERE fleet_id IS NULL")
        manifest = await written(server.database_url, tmp_path / "kept")
        assert_as_tables(server.database_url, manifest)
        assert all(len(part.sets) == 1 for part in manifest.parts)
    anew = await written(server.database_url, tmp_path / "anew")
    assert everything(manifest) == everything(anew)


@pytest.mark.parametrize("seed", some(range(2)))
async def test_runs_that_change_in_large_sets_are_left_to_readers_for_a_while(
    server: Server, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_SMALL_RUNS", 0)
    monkeypatch.setattr(writer, "_GROWTH", 1)
    happening = await happened(server, seed, 30)
    pending = 0
    for _ in range(8):
        for _ in range(6):
            await happening.step()
        manifest = await written(server.database_url, tmp_path / "kept")
        assert_as_tables(server.database_url, manifest)
        pending = max(pending, len(manifest.gone))
    assert pending
    assert max(len(part.sets) for part in manifest.parts) > 1
    monkeypatch.setattr(writer, "_PENDING", timedelta())
    manifest = await written(server.database_url, tmp_path / "kept")
    anew = await written(server.database_url, tmp_path / "anew")
    assert everything(manifest) == everything(anew)


_SCOPES = text("""
    SELECT run_id, machine_id, CASE WHEN visibility = 'public' THEN 'public'
        ELSE coalesce(fleet_id::text, 'private') END
    FROM runs
""")


def content(path: Path) -> str:
    """Content of a file, whatever its compression."""
    with one_duckdb().cursor() as connection:
        query = "SELECT columns(*)::VARCHAR FROM read_parquet(?)"
        return repr(connection.execute(query, [str(path)]).fetchall())


async def test_no_file_ever_has_anything_of_a_run_that_its_readers_may_not_read(
    server: Server, tmp_path: Path
) -> None:
    """Neither in the rows nor in Parquet's column statistics."""
    happening = await happened(server, 7, 10)
    paths_seen: set[Path] = set()
    for step in range(6):
        for _ in range(6):
            await happening.step()
        label = f"geheim-{step}"
        await server.put(disk_run(labels={"rack": label}), happening._token)
        await server.stored(disk_run(labels={"rack": f"{label}-own"}))
        happening.execute(
            "UPDATE runs SET visibility = 'private' WHERE labels::text LIKE '%geheim%'"
        )
        await written(server.database_url, tmp_path)
        with transaction(server.database_url) as connection:
            runs = [*connection.execute(_SCOPES)]
        public_ids = {machine_id for _, machine_id, scope in runs if scope == "public"}
        public_ids.add(uuid.UUID(MACHINES[0]))  # virtual machines name it as their host
        new = {*directory_below(tmp_path).glob("*/*.parquet")} - paths_seen
        paths_seen |= new
        for path in new:
            scope_of_file, text, raw = path.parent.name, content(path), path.read_bytes()
            for run_id, machine_id, scope in runs:
                if scope != scope_of_file:
                    assert str(run_id) not in text, path
                    assert run_id.bytes not in raw, path
                if scope_of_file == "public" and machine_id not in public_ids:
                    assert str(machine_id) not in text
                    assert machine_id.bytes not in raw
            if scope_of_file == "public":
                assert "geheim" not in text
                assert b"geheim" not in raw


async def due(server: Server, root: Path, *, is_late: bool = True) -> bool:
    engine = reading_engine(server.database_url, pool_size=1)
    try:
        return await writer.is_due(engine, root, 0 if is_late else math.inf)
    finally:
        await engine.dispose()


@pytest.mark.parametrize("large", [False, True])
async def test_a_withdrawn_run_is_hidden_at_once_and_its_bytes_leave(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    if large:
        monkeypatch.setattr(writer, "_SMALL_RUNS", 0)
    happening = Random(server, 1)
    stays, gone = disk_run(), disk_run()
    await server.put(stays, happening._token)
    await server.put(gone, happening._token)
    await written(server.database_url, tmp_path)
    await happening._ask("PUT", f"runs/{gone['id']}/withdrawal", json={"reason": "it was failing"})
    assert await due(server, tmp_path)
    manifest = await written(server.database_url, tmp_path)
    assert_as_tables(server.database_url, manifest)
    assert manifest.gone == ([uuid.UUID(gone["id"])] if large else [])
    assert not await due(server, tmp_path)
    monkeypatch.setattr(writer, "_PENDING", timedelta())
    assert await due(server, tmp_path) is large
    for leaving in (timedelta(minutes=1), timedelta()):  # readers may continue for a while
        monkeypatch.setattr(writer, "_LEAVING", leaving)
        manifest = await written(server.database_url, tmp_path)
    text = "".join(content(path) for path in directory_below(tmp_path).glob("*/*.parquet"))
    assert gone["id"] not in text
    assert stays["id"] in text
    assert (manifest.gone, manifest.leaving) == ([], {})
    assert not await due(server, tmp_path)


async def test_a_fleet_that_is_opened_or_closed_changes_the_manifest_alone(
    server: Server, tmp_path: Path
) -> None:
    fleet_id = make_fleet(server.database_url, "A")
    await server.put(disk_run(), uploader_of(server.database_url, fleet_id))
    before = await written(server.database_url, tmp_path)
    for visibility in ("public", "private"):
        Random(server, 1).execute("UPDATE fleets SET visibility = :now", now=visibility)
        assert await due(server, tmp_path)
        manifest = await written(server.database_url, tmp_path)
        assert manifest.names() == before.names()
        (part,) = manifest.parts
        assert (part.scope, part.public) == (str(fleet_id), visibility == "public")
        assert not await due(server, tmp_path)


async def test_a_change_in_a_small_fleet_writes_three_files(server: Server, tmp_path: Path) -> None:
    tokens = [
        uploader_of(server.database_url, make_fleet(server.database_url, f"Fleet {number}"))
        for number in range(12)
    ]
    for uploader in tokens:
        await server.put(disk_run(), uploader)
    before = await written(server.database_url, tmp_path)
    for part in before.parts:
        assert [len(part.files(relation)) for relation in RELATIONS] == [1, 1, 1]
    await server.put(disk_run(), tokens[3])
    manifest = await written(server.database_url, tmp_path)
    assert len(manifest.names() - before.names()) == 3
    assert {*manifest.leaving} == before.names() - manifest.names()
    assert len(manifest.names()) == len(before.names())
    assert_as_tables(server.database_url, manifest)


async def test_results_of_many_series_are_in_several_files(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macmeter.results.dataset.spool._FILE_ROWS", 10)
    happening = await happened(server, 3, 30)
    manifest = await written(server.database_url, tmp_path)
    assert_as_tables(server.database_url, manifest)
    for part in manifest.parts:
        ranges = [(file.least, file.greatest) for s in part.sets for file in s.of("results")]
        assert len(ranges) > 1
        assert ranges == sorted(ranges)
        assert all(last[1] < then[0] for last, then in pairwise(ranges))  # type: ignore[operator]
    for _ in range(5):
        await happening.step()
    assert_as_tables(server.database_url, await written(server.database_url, tmp_path))


async def test_a_follower_writes_what_happens_and_begins_anew_where_files_were_harmed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(writer, "_SECONDS_APART", 0.1)

    async def until_written(runs: int) -> None:
        async with asyncio.timeout(60):
            while (state := read(tmp_path)) is None or sum(p.runs for p in state.parts) != runs:
                await asyncio.sleep(0.1)
        assert_as_tables(server.database_url, state)

    following = asyncio.create_task(writer.follow(server.database_url, tmp_path))
    try:
        await server.stored(disk_run())
        await until_written(1)
        await server.stored(disk_run(), disk_run())
        await until_written(3)
        for path in directory_below(tmp_path).glob("*/results-*"):
            path.write_bytes(path.read_bytes()[:-1])
        await until_written(3)
        assert files.read(directory_below(tmp_path)) is not None
    finally:
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following
