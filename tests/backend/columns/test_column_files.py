"""Files of columns that are damaged, of another log or half made: noticed, and rebuilt."""

from __future__ import annotations

import mmap
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from macmeter.columns import batch, current, files, merging, writer
from macmeter.columns.building import build
from macmeter.columns.names import Names
from macmeter.columns.owned import drives_of, owned
from macmeter.columns.segment import Segment
from macmeter.columns.writer import is_due, write_down
from macmeter.database import reading_engine
from macmeter.errors import Problem
from macmeter.queries.answer import answer
from macmeter.queries.question import parse_query
from numpy.typing import NDArray
from support.columns import run
from support.documents import disk_run
from support.random_runs import (
    Random,
    compare_facets,
    compare_with_tables,
    forget,
    snapshot,
)
from support.server import Server


async def written(server: Server, root: Path) -> Path:
    """The directory of this database's columns, written down."""
    engine = reading_engine(server.database_url)
    await write_down(engine, root)
    await engine.dispose()
    forget()
    (directory,) = (path for path in root.iterdir() if path.is_dir())
    return directory


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def change(path: Path) -> None:
    content = bytearray(path.read_bytes())
    for place in range(0, len(content), 97):
        content[place] ^= 1
    path.write_bytes(content)


def remove(path: Path) -> None:
    path.unlink()


KINDS, HARMS = ("*.segment", "*.names", "manifest.json"), (cut, change, remove)


def each_harm_to_each_kind() -> Iterator[Any]:
    """Each of either once is enough for a short form."""
    for at, kind in enumerate(KINDS):
        for other, harm in enumerate(HARMS):
            yield pytest.param(kind, harm, marks=[pytest.mark.thorough] * (at != other))


@pytest.mark.parametrize(("kind", "harm"), [*each_harm_to_each_kind()])
async def test_damaged_columns_are_noticed_and_never_answered_from(
    server: Server, tmp_path: Path, kind: str, harm: Callable[[Path], None]
) -> None:
    happening = Random(server, 1)
    for _ in range(10):
        await happening.step()
    directory = await written(server, tmp_path)
    (path,) = directory.glob(kind)
    harm(path)
    refused: list[Problem] = []
    async with snapshot(server, tmp_path) as connection:
        try:
            await compare_with_tables(connection)
        except Problem as problem:
            refused.append(problem)
    told = [(one.status, one.code, "Retry-After" in one.headers) for one in refused]
    assert told in ([], [(503, "columns_building", True)])
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)
    await written(server, tmp_path)
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_of_another_log_say_nothing(server: Server, tmp_path: Path) -> None:
    await server.stored(disk_run(), disk_run())
    await written(server, tmp_path)
    happening = Random(server, 1)
    # As where the database was restored: see changelog.adopt.
    happening.execute("UPDATE change_log SET log_id = gen_random_uuid()")
    happening.execute("DELETE FROM runs WHERE run_id = (SELECT run_id FROM runs LIMIT 1)")
    happening.execute("DELETE FROM changes")
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_a_writer_goes_on_with_another_log_from_nothing(
    server: Server, tmp_path: Path
) -> None:
    """As where the replica that it reads is promoted: the connection stays."""
    await server.stored(disk_run())
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    await server.stored(disk_run())
    happening = Random(server, 1)
    happening.execute("UPDATE change_log SET log_id = gen_random_uuid()")
    happening.execute("DELETE FROM changes")
    await write_down(engine, tmp_path)
    await engine.dispose()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_that_the_log_no_longer_reaches_back_to_are_made_anew(
    server: Server, tmp_path: Path
) -> None:
    await server.stored(disk_run())
    await written(server, tmp_path)
    await server.stored(disk_run())
    happening = Random(server, 1)
    happening.execute("DELETE FROM changes")
    happening.execute("UPDATE change_log SET pruned_xact = pg_current_xact_id()")
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_are_written_when_there_is_enough_or_they_are_of_no_use(
    server: Server, tmp_path: Path
) -> None:
    engine = reading_engine(server.database_url)

    async def due(changes: int) -> bool:
        return await is_due(engine, tmp_path, changes)

    await server.stored(disk_run())
    assert await due(10)  # nothing is there
    directory = await written(server, tmp_path)
    assert not await due(1)
    await server.stored(disk_run())
    assert (await due(1), await due(2)) == (True, False)
    manifest = (directory / "manifest.json").read_text()
    for change in ('"format": 0', '"format"', ""):  # of another version, damaged
        (directory / "manifest.json").write_text(
            manifest.replace(f'"format": {files.FORMAT}', change)
        )
        assert await due(10), change
    (directory / "manifest.json").write_text(manifest)
    happening = Random(server, 1)
    happening.execute("UPDATE change_log SET pruned_xact = pg_current_xact_id()")
    assert await due(10)
    await engine.dispose()


async def test_more_than_can_be_read_at_once_is_waited_for(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "_MOST", 1)
    monkeypatch.setattr(current, "_WAIT_SECONDS", 0.5)
    await server.stored(disk_run(), disk_run())
    forget()
    question = parse_query("metric=disk.write_average")
    async with snapshot(server, tmp_path) as connection:
        with pytest.raises(Problem) as refused:
            await answer(connection, question, None, datetime.now(UTC))
    assert (refused.value.status, refused.value.code) == (503, "columns_building")
    await written(server, tmp_path)
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


async def test_columns_are_made_on_from_where_their_writer_was_killed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current, "_AT_ONCE", 3)
    monkeypatch.setattr(current, "_KEPT_RUNS", 6)
    happening = Random(server, 5)
    while len(happening._runs) < 20:
        await happening.step()
    reads = 0

    async def read_after(*of: Any) -> list[Any]:
        nonlocal reads
        reads += 1
        if reads == 5:
            raise KeyboardInterrupt
        return await batch.read_after(*of)

    monkeypatch.setattr(current, "read_after", read_after)
    engine = reading_engine(server.database_url)
    with pytest.raises(KeyboardInterrupt):
        await write_down(engine, tmp_path)
    (directory,) = (path for path in tmp_path.iterdir() if path.is_dir())
    assert not (directory / "manifest.json").exists()
    assert files.built_runs(directory) == 12
    for _ in range(10):
        await happening.step()  # runs that were read change, and others lie before the last one
    await write_down(engine, tmp_path)
    await engine.dispose()
    assert reads < 5 + 8, "what was read is not read again"
    assert not (directory / "building.json").exists()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)
        await compare_facets(connection)


async def test_a_half_made_start_that_was_damaged_is_begun_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(*(disk_run() for _ in range(4)))
    monkeypatch.setattr(current, "_AT_ONCE", 2)
    monkeypatch.setattr(current, "_KEPT_RUNS", 2)
    monkeypatch.setattr(writer, "_write", lambda *_: None)
    engine = reading_engine(server.database_url)
    await write_down(engine, tmp_path)
    monkeypatch.undo()
    (directory,) = (path for path in tmp_path.iterdir() if path.is_dir())
    cut(next(directory.glob("*.names")))
    with pytest.raises(Problem):
        await write_down(engine, tmp_path)
    await write_down(engine, tmp_path)
    await engine.dispose()
    forget()
    async with snapshot(server, tmp_path) as connection:
        await compare_with_tables(connection)


def test_what_was_worked_out_is_used_where_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is the same for all, or would need fewer bytes: who asks makes no copy."""
    monkeypatch.setattr(merging, "_CELLS_FROM", 1)
    names = Names()
    runs = [
        run(uuid.UUID(int=number % 7), uuid.UUID(int=100 + number), {1: [float(number)]}, "disk")
        for number in range(40)
    ]
    built = build(names, runs)
    made = merging.merged([(built, np.ones(len(runs), dtype=bool))])
    found = files.read_segment(tmp_path, files.write_segment(tmp_path, made, names))
    for known, expected in zip(worked_out(found, names), worked_out(made, names), strict=True):
        assert known.tolist() == expected.tolist()
        assert known.dtype == expected.dtype
        assert isinstance(base_of(known), mmap.mmap)


def worked_out(segment: Segment, names: Names) -> list[NDArray[Any]]:
    of_rows = owned(segment, segment.columns[1].clean, names)
    drives = drives_of(segment, names)
    assert drives is not None
    return [
        *(segment.latest, drives, *segment.kinds),
        *(*of_rows.owners, of_rows.medians, of_rows.drives.least, of_rows.drives.greatest),
    ]


def base_of(array: Any) -> Any:
    while isinstance(array, np.ndarray):
        array = array.base
    return array.obj if isinstance(array, memoryview) else array
