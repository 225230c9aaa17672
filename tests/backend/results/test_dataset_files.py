"""Files of the data set, damaged in every way: noticed, rebuilt, never served."""

from __future__ import annotations

import fnmatch
import math
import os
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pytest
from macmeter.platform.changelog import find_log
from macmeter.platform.database import reading_engine
from macmeter.results.dataset import files, loading, writer
from macmeter.results.dataset.files import Manifest, lag_of
from macmeter.results.dataset.loading import read_after
from support.data_set import assert_as_tables, directory_below, read, written
from support.documents import disk_run
from support.people import make_fleet, uploader_of
from support.random_runs import Random, snapshot
from support.server import Server


async def due(server: Server, root: Path) -> bool:
    engine = reading_engine(server.database_url, pool_size=1)
    try:
        return await writer.is_due(engine, root, 0)
    finally:
        await engine.dispose()


async def filled(server: Server) -> None:
    """Add runs of every kind of part: public, a fleet's, and a machine's own."""
    happening = Random(server, 1)
    await server.stored(*(disk_run() for _ in range(6)))
    happening.execute(
        "UPDATE runs SET visibility = 'private' WHERE run_id IN (SELECT run_id FROM runs LIMIT 3)"
    )
    await server.put(
        disk_run(), uploader_of(server.database_url, make_fleet(server.database_url, "A"))
    )
    await server.put(
        disk_run(), uploader_of(server.database_url, make_fleet(server.database_url, "B"))
    )


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def change(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def delete(path: Path) -> None:
    path.unlink()


def swap(path: Path) -> None:
    """Swap it with that of another scope: nothing may appear where others could read it."""
    kind = path.name.split("-")[0]
    paths = path.parent.parent.glob(f"*/{kind}*")
    other = next(p for p in paths if p.read_bytes() != path.read_bytes())
    content = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(content)


def of_kind(directory: Path, manifest: Manifest, kind: str) -> Path:
    (name,) = fnmatch.filter([*manifest.names(), files.MANIFEST], kind)
    return directory / name


HARMS = (cut, empty, change, delete, swap)
KINDS = ("public/results-*", "private/runs-*", "public/setups-*", "manifest.json")


@pytest.mark.parametrize("has_read", [False, True])
async def test_what_was_harmed_is_noticed_and_built_anew(
    server: Server, tmp_path: Path, has_read: bool
) -> None:
    await filled(server)
    manifest = await written(server.database_url, tmp_path)
    directory = directory_below(tmp_path)
    assert {part.scope for part in manifest.parts} > {"public", "private"}
    for kind in KINDS:
        for harm in HARMS:
            if (kind, harm) == ("manifest.json", swap) or (has_read and harm is not change):
                continue
            path = of_kind(directory, manifest, kind)
            harm(path)
            if not has_read:
                files._checked.clear()
            assert files.read(directory) is None, (kind, harm)
            assert not (directory / files.MANIFEST).exists()
            assert files.stamp(directory) is None
            manifest = await written(server.database_url, tmp_path)
            assert_as_tables(server.database_url, manifest)


async def test_a_writer_notices_harm_itself(server: Server, tmp_path: Path) -> None:
    """A writer checks everything that it reads before rewriting it."""
    await filled(server)
    for kind in ("public/results-*", "public/runs-*", "public/setups-*"):
        manifest = await written(server.database_url, tmp_path)
        change(of_kind(directory_below(tmp_path), manifest, kind))
        await server.stored(disk_run())
        assert_as_tables(server.database_url, await written(server.database_url, tmp_path))


async def test_files_of_another_server_say_nothing(server: Server, tmp_path: Path) -> None:
    await filled(server)
    await written(server.database_url, tmp_path)
    foreign = directory_below(tmp_path)
    Random(server, 1).execute("UPDATE change_log SET log_id = gen_random_uuid()")
    engine = reading_engine(server.database_url, pool_size=1)
    async with snapshot(server) as connection:
        log = await find_log(connection)
    directory = files.directory_of(tmp_path, log.log_id, log.database)
    foreign.rename(directory)
    assert read(tmp_path) is None
    assert files.snapshot_of(directory) is None
    assert await writer.is_due(engine, tmp_path, math.inf)
    await engine.dispose()
    assert_as_tables(server.database_url, await written(server.database_url, tmp_path))


async def test_files_of_an_older_backup_are_followed_from_there(
    server: Server, tmp_path: Path
) -> None:
    await filled(server)
    older = await written(server.database_url, tmp_path / "now")
    shutil.copytree(tmp_path / "now", tmp_path / "backup")
    happening = Random(server, 2)
    for _ in range(20):
        await happening.step()
    newer = await written(server.database_url, tmp_path / "now")
    assert_as_tables(server.database_url, newer)
    shutil.rmtree(tmp_path / "now")
    shutil.copytree(tmp_path / "backup", tmp_path / "now")
    manifest = read(tmp_path / "now")
    assert manifest is not None
    assert manifest.snapshot == older.snapshot, "which says what readers have to read themselves"
    assert_as_tables(server.database_url, await written(server.database_url, tmp_path / "now"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE change_log SET pruned_xact = pg_current_xact_id()",  # files are too old
        "DELETE FROM runs WHERE run_id = (SELECT run_id FROM runs LIMIT 1)",  # files are newer
    ],
)
async def test_files_that_the_log_does_not_lead_on_from_are_built_anew(
    server: Server, tmp_path: Path, statement: str
) -> None:
    await filled(server)
    manifest = await written(server.database_url, tmp_path)
    directory = directory_below(tmp_path)
    happening = Random(server, 1)
    happening.execute(statement)
    happening.execute("DELETE FROM changes")
    if "pruned" not in statement:
        later = msgspec.structs.replace(manifest, snapshot="999999999:999999999:")
        files.write(directory, later)
    engine = reading_engine(server.database_url, pool_size=1)
    assert await writer.is_due(engine, tmp_path, math.inf)
    await engine.dispose()
    anew = await written(server.database_url, tmp_path)
    assert_as_tables(server.database_url, anew)
    assert not anew.names() & manifest.names()


@contextmanager
def read_only(directory: Path) -> Iterator[None]:
    """Make it read-only even for root, by a mount."""
    if os.geteuid():
        directory.chmod(0o500)
        yield
        directory.chmod(0o700)
        return
    bind = ["mount", "--bind", str(directory), str(directory)]
    if subprocess.run(bind, check=False, capture_output=True).returncode:
        pytest.skip("may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", str(directory)], check=True)
        yield
    finally:
        subprocess.run(["umount", str(directory)], check=True)


@contextmanager
def full() -> Iterator[None]:
    """Limit file size, as if the disk had space for only the smallest files."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("kind", ["full", "read_only"])
async def test_what_was_there_stays_where_nothing_can_be_written(
    server: Server, tmp_path: Path, kind: str
) -> None:
    await filled(server)
    before = await written(server.database_url, tmp_path)
    directory = directory_below(tmp_path)
    names = {*files.on_disk(directory)}
    await server.stored(disk_run())
    with full() if kind == "full" else read_only(directory):
        for _ in range(2):
            with pytest.raises((OSError, duckdb.Error)):
                await written(server.database_url, tmp_path)
            assert read(tmp_path) == before
            assert {*files.on_disk(directory)} == names
    assert_as_tables(server.database_url, await written(server.database_url, tmp_path))


async def test_harm_that_cannot_be_mended_is_not_served_either(
    server: Server, tmp_path: Path
) -> None:
    await filled(server)
    await written(server.database_url, tmp_path)
    directory = directory_below(tmp_path)
    (path,) = directory.glob("public/results-*")
    change(path)
    with read_only(directory):
        assert read(tmp_path) is None
        assert read(tmp_path) is None


async def test_nothing_is_built_on_a_full_disk_and_all_once_there_is_room(
    server: Server, tmp_path: Path
) -> None:
    await filled(server)
    with full(), pytest.raises((OSError, duckdb.Error)):
        await written(server.database_url, tmp_path)
    assert read(tmp_path) is None
    assert_as_tables(server.database_url, await written(server.database_url, tmp_path))


async def test_building_goes_on_where_a_writer_was_killed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_READ_AT_ONCE", 3)
    happening = Random(server, 5)
    while len(happening._runs) < 20:
        await happening.step()
    reads = 0

    async def killed(*arguments: object) -> object:
        nonlocal reads
        reads += 1
        if reads == 5:
            raise KeyboardInterrupt
        return await read_after(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(writer, "read_after", killed)
    with pytest.raises(KeyboardInterrupt):
        await written(server.database_url, tmp_path)
    assert read(tmp_path) is None
    for _ in range(10):
        await happening.step()  # runs that were read change, and others lie before the last one
    manifest = await written(server.database_url, tmp_path)
    assert reads < 5 + 8, "what was read is not read again"
    assert_as_tables(server.database_url, manifest)
    assert not await due(server, tmp_path), "the manifest says all that is in files"
    assert not [*directory_below(tmp_path).glob("building*")]


@pytest.mark.parametrize("harm", [cut, empty, change])
async def test_a_half_made_start_that_was_harmed_is_begun_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: Callable[[Path], None]
) -> None:
    await filled(server)
    monkeypatch.setattr(writer, "_READ_AT_ONCE", 2)
    monkeypatch.setattr(writer, "_write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        await written(server.database_url, tmp_path)
    monkeypatch.undo()
    harm(directory_below(tmp_path) / "building.duckdb")
    try:
        manifest = await written(server.database_url, tmp_path)
    except duckdb.Error:
        manifest = await written(server.database_url, tmp_path)
    assert_as_tables(server.database_url, manifest)


async def test_files_are_the_owners(server: Server, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        await filled(server)
        await written(server.database_url, tmp_path)
    finally:
        os.umask(before)
    for path in tmp_path.rglob("*"):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


async def test_lag_is_what_is_not_written_yet(server: Server, tmp_path: Path) -> None:
    async with snapshot(server) as connection:
        lag = await lag_of(connection, tmp_path)
        assert (lag.changes, lag.seconds) == (None, None)
        assert lag.free_bytes > 0
    await server.stored(disk_run())
    await written(server.database_url, tmp_path)
    await server.stored(disk_run(), disk_run())
    async with snapshot(server) as connection:
        lag = await lag_of(connection, tmp_path)
    assert lag.changes == 2
    assert lag.is_beyond(0.0)
    assert not lag.is_beyond(100.0)


async def test_a_run_that_cannot_be_read_is_left_out_and_named_once(
    server: Server,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    await server.stored(*(disk_run() for _ in range(3)))
    async with snapshot(server) as connection:
        rows = await read_after(connection, loading.FIRST, 10)
    bad = rows[1].run_id
    insert = loading._insert

    def failing(tables: duckdb.DuckDBPyConnection, rows: list[Any], known_setups: Any) -> Any:
        setups = insert(tables, rows, known_setups)
        if any(row.run_id == bad for row in rows):
            raise ValueError("a median is not finite")
        return setups

    monkeypatch.setattr(loading, "_insert", failing)
    manifest = await written(server.database_url, tmp_path / "root")
    assert sum(part.runs for part in manifest.parts) == 2
    shutil.rmtree(tmp_path / "root")
    await written(server.database_url, tmp_path / "root")
    assert capfd.readouterr().err.count(str(bad)) == 1
