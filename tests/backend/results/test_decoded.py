"""Rows decoded in memory equal what SQL finds in the files, for every reader."""

from __future__ import annotations

import random
import uuid
from pathlib import Path

import numpy as np
import pytest
from macmeter.accounts.scope import COMMONS, Macs, Scope
from macmeter.platform.database import reading_engine
from macmeter.questions.question import parse_query
from macmeter.results.dataset import decoded, mirror, rows, writer
from macmeter.results.dataset.properties import first_runs
from macmeter.results.dataset.rows import RowSelection
from macmeter.results.dataset.selection import Selection
from macmeter.results.dataset.snapshot import Columns, Snapshot
from macmeter.results.dataset.writer import write_down
from support.random_runs import MACHINES, QUESTIONS, Random, snapshot
from support.server import Server
from support.thorough import some

ALSO = frozenset(["run", "holder", "month"])


@pytest.mark.parametrize("most_bytes", some([3_000, 100_000_000]))
@pytest.mark.parametrize("seed", some(range(8)))
async def test_memory_has_the_rows_that_statements_find(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    most_bytes: int,
) -> None:
    """`most_bytes`: enough for everything, or little more than one question needs."""
    monkeypatch.setattr(writer, "_SMALL_RUNS", 0)
    monkeypatch.setattr(writer, "_GROWTH", 1)
    monkeypatch.setattr(decoded, "MOST_BYTES", most_bytes)
    monkeypatch.setattr(decoded, "_RESULT_BYTES", 0)
    monkeypatch.setattr(decoded, "_RUN_BYTES", 0)
    happening, dice = Random(server, seed), random.Random(seed)
    engine = reading_engine(server.database_url)
    met = {"several sets": False, "hidden": False, "newer": False}
    # A short history may not have met everything.
    for number in range(18):
        if number >= 6 and all(met.values()):
            break
        for _ in range(10):
            await happening.step()
        await write_down(engine, tmp_path)
        for _ in range(2):
            async with snapshot(server, tmp_path) as connection:
                data = await mirror.snapshot_of(connection)
                for scope in _scopes(data):
                    _compare_rows(data, scope, dice)
                    met["several sets"] |= len([*data.sets_of(scope)]) > 2
                _assert_nothing_else_is_kept(data, most_bytes)
                met["hidden"] |= data.has_changed
                met["newer"] |= data.has_runs
            for _ in range(3):
                await happening.step()
    await engine.dispose()
    assert all(met.values()), met


def _assert_nothing_else_is_kept(data: Snapshot, most_bytes: int) -> None:
    paths = {path for part in data.parts for path in part.files("runs")}
    assert data.memory._sets.keys() <= paths
    assert data.memory._sets.keys() == {path for path, _ in data.memory._bytes}
    assert sum(data.memory._bytes.values()) <= most_bytes


def _scopes(data: Snapshot) -> list[Scope]:
    machine = Scope(macs=(Macs(None, frozenset([uuid.UUID(MACHINES[2])])),))
    return [COMMONS, Scope(frozenset(data.fleets)), machine]


def _compare_rows(data: Snapshot, scope: Scope, dice: random.Random) -> None:
    few_series = frozenset(dice.sample(sorted(data.series), min(2, len(data.series))))
    all_setups = np.ones(len(data.setups), dtype=bool)
    some_setups = np.array([dice.random() < 0.5 for _ in all_setups], dtype=bool)
    for series, setups in ((frozenset(data.series), all_setups), (few_series, some_setups)):
        request = RowSelection(scope, (), series, setups, dice.choice((None, True, False)), ALSO)
        decoded = rows.read(data, request)
        selected = rows.read(data, request, "true")
        assert decoded.keys() - selected.keys() == {"at"}
        for name, column in selected.items():
            assert decoded[name].dtype == column.dtype
        assert _listed(decoded, [*selected]) == _listed(selected, [*selected])
        run_ids = data.run_ids.of(decoded["at"])
        assert _hashes(data, run_ids) == decoded["run"].tolist()


def _listed(columns: Columns, names: list[str]) -> list[tuple[object, ...]]:
    return sorted(zip(*(columns[name].tolist() for name in names), strict=True))


def _hashes(data: Snapshot, run_ids: list[uuid.UUID]) -> list[int]:
    listed = ", ".join(f"('{run_id}'::UUID)" for run_id in {*run_ids}) or "(NULL)"
    values = f"(VALUES {listed}) AS named(run_id)"
    hashes = dict(data.rows(f"SELECT run_id, hash(run_id) FROM {values}"))  # noqa: S608
    return [hashes[run_id] for run_id in run_ids]


async def test_first_runs_are_the_same(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    happening = Random(server, 4)
    for _ in range(80):
        await happening.step()
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    await engine.dispose()
    for _ in range(5):
        await happening.step()
    several = 0
    async with snapshot(server, tmp_path) as connection:
        data = await mirror.snapshot_of(connection)
        scope = Scope(frozenset(data.fleets))
        for query in QUESTIONS:
            question = parse_query(query)
            arguments = (question.metrics[0], question.by, question.where, scope, question.flagged)
            answers = []
            for most_bytes in (decoded.MOST_BYTES, 0):
                monkeypatch.setattr(decoded, "MOST_BYTES", most_bytes)
                data.cached.clear()
                selection = Selection(data, *arguments)
                machines = selection.machines()
                columns = (machines[name].tolist() for name in selection.figure_columns)
                figures = sorted(set(zip(*columns, strict=True)))
                answers.append(sorted(first_runs(selection, figures), key=repr) if figures else [])
            monkeypatch.undo()
            assert answers[0] == answers[1], query
            several += sum(len(ids) > 1 for *_, ids in answers[0])
    assert several > 20
