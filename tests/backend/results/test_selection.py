"""SQL on the data set finds what the tables have: from files, and what came after them."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from macmeter import catalog
from macmeter.accounts.scope import COMMONS, Macs, Scope
from macmeter.platform.database import reading_engine
from macmeter.questions.question import Question, parse_query
from macmeter.results.dataset import mirror
from macmeter.results.dataset.selection import SPLIT, Selection
from macmeter.results.dataset.snapshot import Snapshot
from macmeter.results.dataset.sql import machine_number
from macmeter.results.dataset.writer import write_down
from sqlalchemy.ext.asyncio import AsyncConnection
from support import oracle
from support.random_runs import MACHINES, QUESTIONS, Random, snapshot
from support.server import Server
from support.thorough import some

NUMBERS = {machine_number(uuid.UUID(machine)): machine for machine in MACHINES}


@pytest.mark.parametrize("seed", some(range(8)))
async def test_sql_finds_what_the_tables_say(server: Server, tmp_path: Path, seed: int) -> None:
    happening = Random(server, seed)
    engine = reading_engine(server.database_url)
    for is_written in (False, True, True):
        for _ in range(25):
            await happening.step()
        if is_written:
            await write_down(engine, tmp_path)
            for _ in range(5):
                await happening.step()
        for directory in (None, tmp_path):
            mirror.forget()
            async with snapshot(server) as connection:
                reading = await connection.execution_options(dataset=directory)
                data = await mirror.snapshot_of(reading)
                assert bool(data.parts) == (directory is not None and is_written)
                await _compare(reading, data)
        for _ in range(5):
            await happening.step()
        async with snapshot(server) as connection:  # updated since
            reading = await connection.execution_options(dataset=tmp_path)
            await _compare(reading, await mirror.snapshot_of(reading))
    await engine.dispose()


async def _compare(connection: AsyncConnection, data: Snapshot) -> None:
    for query in QUESTIONS:
        question = parse_query(query)
        (metric,) = question.metrics
        expected = await oracle.groups(connection, question, metric, None)
        figures = _figures(question, _selection(data, question, COMMONS))
        assert figures.keys() == expected.keys(), query
        for key, figure in figures.items():
            reference = expected[key]
            assert {name: reference[name] for name in ("machines", "runs")} == {
                name: figure[name] for name in ("machines", "runs")
            }, (query, key)
            if question.weight == "machine":
                assert figure["median"] == pytest.approx(reference["median"], rel=1e-12), query


def _selection(data: Snapshot, question: Question, scope: Scope) -> Selection:
    (metric,) = question.metrics
    return Selection(data, metric, question.by, question.where, scope, question.flagged)


def _figures(question: Question, selection: Selection) -> dict[oracle.Key, dict[str, Any]]:
    """Figures by key; figures that name no machine only if there are no others."""
    machines = selection.machines()
    columns = [machines[name].tolist() for name in (*selection.figure_columns, "unspecified")]
    rows: dict[tuple[Any, ...], dict[bool, list[int]]] = {}
    for index, row in enumerate(zip(*columns, strict=True)):
        rows.setdefault(row[:-1], {}).setdefault(bool(row[-1]), []).append(index)
    figures = {}
    for figure, sides in rows.items():
        unspecified = False not in sides
        indices = sides[unspecified]
        figures[_key(question, selection, figure)] = {
            "machines": 0 if unspecified else len(indices),
            "runs": int(machines["runs"][indices].sum()),
            "median": float(np.median(machines["value"][indices])),
        }
    return figures


def _key(question: Question, rows: Selection, figure: tuple[int, ...]) -> oracle.Key:
    by = dict(zip(rows.figure_columns, figure, strict=True))
    names = [name for name in question.by if catalog.is_of_sample(name)]
    values = dict(zip(names, [*rows.parts][by["part"]], strict=True)) | rows.kind(by["kind"])
    if "month" in by:
        values["month"] = f"{by['month'] // 100}-{by['month'] % 100:02}" if by["month"] else None
    if "machine" in by:
        values["machine"] = NUMBERS[by["machine"]]
    return tuple(values[name] for name in (*question.by, *SPLIT))


async def test_a_snapshot_stays_as_it_was(server: Server) -> None:
    happening = Random(server, 3)
    for _ in range(20):
        await happening.step()
    async with snapshot(server) as connection:
        data = await mirror.snapshot_of(connection)
        before = _machines(data)
        for _ in range(20):
            await happening.step()
        async with snapshot(server) as later:
            assert _machines(await mirror.snapshot_of(later)) != before
        assert _machines(data) == before


def _machines(data: Snapshot) -> list[list[Any]]:
    selection = _selection(data, parse_query("metric=disk.write_average&flagged=include"), COMMONS)
    kinds = selection.machines()
    return sorted(map(list, zip(kinds["owner"], kinds["value"], kinds["runs"], strict=True)))


async def test_a_scope_reads_what_is_its_own(server: Server, tmp_path: Path) -> None:
    happening = Random(server, 5)
    for _ in range(40):
        await happening.step()
    happening.execute("UPDATE fleets SET visibility = 'private'")
    happening.execute("UPDATE runs SET visibility = 'private'")
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    await engine.dispose()
    question = parse_query("metric=disk.write_average&by=machine&flagged=include")
    for directory in (None, tmp_path):
        mirror.forget()
        async with snapshot(server) as connection:
            reading = await connection.execution_options(dataset=directory)
            data = await mirror.snapshot_of(reading)
            (fleet,) = [fleet_id for fleet_id in data.fleets if fleet_id is not None][:1]
            owners = _selection(data, question, Scope(frozenset(data.fleets))).machines()["owner"]
            assert len(owners) > 3
            assert not len(_selection(data, question, COMMONS).machines()["owner"])
            number = int(owners[0])
            machine = Scope(macs=(Macs(None, frozenset([uuid.UUID(NUMBERS[number])])),))
            assert {*_selection(data, question, machine).machines()["owner"].tolist()} == {number}
            named_scope = Scope(if_named=frozenset([(data.fleets[fleet], fleet)]))
            assert not len(_selection(data, question, named_scope).machines()["owner"])
