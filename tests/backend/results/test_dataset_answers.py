"""Answers agree with the tables: updated, from files and from scratch."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from macmeter.platform.database import Databases, end_moments, reading_engine
from macmeter.questions.answer import answer
from macmeter.questions.facets import facets
from macmeter.questions.question import parse_query
from macmeter.results.dataset import mirror, rows
from macmeter.results.dataset.writer import write_down
from macmeter.server.jobs import of_one_moment, of_recent_moment
from sqlalchemy.ext.asyncio import AsyncConnection
from support.documents import disk_run
from support.random_runs import (
    MACHINES,
    Random,
    compare_facets,
    compare_lists,
    compare_with_tables,
    forget,
    snapshot,
)
from support.server import Server
from support.thorough import some


@pytest.mark.parametrize("seed", some(range(4)))
async def test_answers_say_what_the_tables_say(server: Server, tmp_path: Path, seed: int) -> None:
    happening = Random(server, seed)
    for _ in range(2):
        for _ in range(15):
            await happening.step()
        async with snapshot(server) as connection:
            await compare_with_tables(connection)  # updated since the last round
            await compare_facets(connection)
            await compare_lists(connection)
        async with snapshot(server) as connection:
            forget()
            await compare_with_tables(connection)  # from scratch
        engine = reading_engine(server.database_url)
        await write_down(engine, tmp_path)
        await engine.dispose()
        await happening.step()
        async with snapshot(server, tmp_path) as connection:
            forget()
            await compare_with_tables(connection)  # from files, and what came after them
            await compare_facets(connection)
            await compare_lists(connection)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("at_once", "together"), some([(1, 0), (5, 300_000), (20, 0), (10_000, 0)], 2)
)
async def test_what_memory_has_no_room_for_at_once_is_the_same(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, together: int
) -> None:
    monkeypatch.setattr(rows, "AT_ONCE", at_once)
    monkeypatch.setattr(rows, "TOGETHER", together)
    happening = Random(server, 10)  # with about eleven results per series
    for _ in range(40):
        await happening.step()
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    await engine.dispose()
    await happening.step()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_an_answer_is_of_its_transaction_where_files_are_of_a_later_one(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = reading_engine(server.database_url)
    for is_known in (True, False):
        await server.stored(disk_run())
        await write_down(engine, tmp_path)
        async with snapshot(server, tmp_path) as connection:
            await compare_with_tables(connection)
            await server.stored(disk_run(), disk_run())
            await write_down(engine, tmp_path)
            if not is_known:
                forget()
            await compare_with_tables(connection)
            await compare_lists(connection)
        async with snapshot(server, tmp_path) as connection:
            await compare_with_tables(connection)
    await engine.dispose()


async def test_a_snapshot_does_not_go_back_to_an_earlier_transaction_unseen(server: Server) -> None:
    await server.stored(disk_run())
    async with snapshot(server) as earlier:
        await compare_with_tables(earlier)
        await server.stored(disk_run())
        async with snapshot(server) as later:
            await compare_with_tables(later)
        await compare_with_tables(earlier)
    async with snapshot(server) as connection:
        await compare_with_tables(connection)


async def test_who_waited_for_files_reads_them_in_another_transaction(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirror, "_MOST", 0)
    question = parse_query("metric=disk.write_average")
    engine = reading_engine(server.database_url)
    await server.stored(disk_run())
    await write_down(engine, tmp_path)
    databases = Databases(server.database_url, server.database_url, tmp_path)
    for number, reader in enumerate((of_one_moment, of_recent_moment)):
        forget()
        moments: list[AsyncConnection] = []

        async def job(connection: AsyncConnection, moments: list[AsyncConnection]) -> int:
            moments.append(connection)
            if len(moments) == 1:
                await server.stored(disk_run())
                await write_down(engine, tmp_path)
            return (await answer(connection, question, None, datetime.now(UTC)))["runs"]

        runs, _ = await reader(databases, job, moments)
        assert (runs, len(moments)) == (2 + number, 2)
    await end_moments()
    await engine.dispose()


async def test_of_more_machines_than_are_shown_those_of_most_runs_are(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("macmeter.questions.facets.MAX_VALUES", 2)
    runs = dict(zip(MACHINES, [2, 1, 3, 2], strict=False))
    await server.stored(
        *(disk_run(machine=machine) for machine, count in runs.items() for _ in range(count))
    )
    async with snapshot(server) as connection:
        facets_found = await facets(connection, ("disk.write_average",), (), "exclude", None)
    (machines,) = (d for d in facets_found.dimensions if d.name == "machine")
    assert machines.distinct == 4
    listed = [(value.value, value.runs) for value in machines.values]
    assert listed == [(MACHINES[2], 3), (MACHINES[0], 2)]


async def test_what_is_told_is_written_alike_from_tables_and_from_files(
    server: Server, tmp_path: Path
) -> None:
    target = {"storage": "usb4", "simultaneous": 2, "link_speed": 40e9}
    guest = {"os_version": "26.4", "virtual_machine": {"vcpus": 4}}
    await server.stored(disk_run(target=target), disk_run(environment=guest))
    groupings = ("&by=simultaneous&by=vcpus&by=os_major", "&by=link_speed&by=virtual&by=month", "")
    questions = [parse_query("metric=disk.write_average" + by) for by in groupings]
    texts = []
    for _ in range(2):
        forget()
        async with snapshot(server, tmp_path) as connection:
            now = datetime(2026, 11, 26, tzinfo=UTC)
            texts.append([json.dumps(await answer(connection, q, None, now)) for q in questions])
        engine = reading_engine(server.database_url)
        await write_down(engine, tmp_path)
        await engine.dispose()
    assert texts[0] == texts[1]
    assert '"simultaneous": 2,' in texts[0][0]
