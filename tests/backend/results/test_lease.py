"""One of the servers with a data set writes, and a late one harms nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from macmeter.platform import database
from macmeter.platform.database import reading_engine
from macmeter.results.dataset import files, lease, writer
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine
from support.data_set import assert_as_tables, directory_below, read, written
from support.documents import disk_run
from support.server import Server

END_HOLDER = """
    SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1
"""


@pytest.fixture
async def primary(server: Server) -> AsyncIterator[AsyncEngine]:
    engine = database.engine(server.database_url, pool_size=4)
    yield engine
    await engine.dispose()


async def write(server: Server, root: Path, epoch: int) -> None:
    engine = reading_engine(server.database_url, pool_size=1)
    try:
        await writer.write_down(engine, root, epoch)
    finally:
        await engine.dispose()


class Late:
    """A thread that pauses once, while others go on."""

    def __init__(self) -> None:
        self.thread: threading.Thread | None = None
        self._here, self._go_on = threading.Event(), threading.Event()

    def wait(self) -> None:
        self._here.set()
        assert self._go_on.wait(60)

    @asynccontextmanager
    async def while_paused(self, job: Callable[[], object]) -> AsyncIterator[None]:
        """Begin the job; it goes on after the block, and is done then."""
        self.thread = threading.Thread(target=job)
        self.thread.start()
        assert await asyncio.to_thread(self._here.wait, 60)
        try:
            yield
        finally:
            self._go_on.set()
            await asyncio.to_thread(self.thread.join)


async def test_one_writes_at_a_time(server: Server, primary: AsyncEngine, tmp_path: Path) -> None:
    numbers = list[int]()
    writing = 0

    async def job(epoch: int) -> None:
        nonlocal writing
        writing += 1
        assert writing == 1
        await asyncio.sleep(0.05)
        numbers.append(epoch)
        await write(server, tmp_path, epoch)
        writing -= 1

    for _ in range(3):
        await server.stored(disk_run())
        had = await asyncio.gather(*(lease.hold(primary, tmp_path, job) for _ in range(4)))
        assert any(had)
    assert numbers == sorted(set(numbers))
    manifest = read(tmp_path)
    assert manifest is not None
    assert_as_tables(server.database_url, manifest)
    assert len([*directory_below(tmp_path).glob("manifest*")]) == 1
    # Two data sets don't wait for each other.
    own = partial(lease.hold, primary, tmp_path, job)
    assert await lease.hold(primary, tmp_path / "other", lambda _: own()) is True  # type: ignore[arg-type,return-value]


async def test_a_lease_ends_well_at_any_moment(
    primary: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while PostgreSQL is just hearing of it."""
    monkeypatch.setattr(lease, "_BEAT_SECONDS", 0)
    for number in range(20):

        async def job(_epoch: int, seconds: float = number / 1_000) -> None:
            await asyncio.sleep(seconds)

        assert await lease.hold(primary, tmp_path, job)


@pytest.mark.parametrize("how", ["silent", "cut off"])
async def test_whoever_is_not_heard_of_loses_the_lease(
    primary: AsyncEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    had, go_on = asyncio.Event(), asyncio.Event()
    if how == "silent":
        monkeypatch.setattr(lease, "_BEAT_SECONDS", 600)
        monkeypatch.setattr(
            lease, "_SILENCE", text("SET LOCAL idle_in_transaction_session_timeout = 100")
        )

    async def first(_epoch: int) -> None:
        had.set()
        await go_on.wait()

    numbers = list[int]()

    async def second(epoch: int) -> None:
        numbers.append(epoch)

    holding = asyncio.create_task(lease.hold(primary, tmp_path, first))
    await had.wait()
    if how == "cut off":
        assert not await lease.hold(primary, tmp_path, second)
        async with primary.connect() as connection:
            await connection.execute(text(END_HOLDER))
    async with asyncio.timeout(60):
        while not await lease.hold(primary, tmp_path, second):
            await asyncio.sleep(0.05)
    assert len(numbers) == 1
    await asyncio.sleep(0 if how == "silent" else 1.5 * lease._BEAT_SECONDS)
    go_on.set()
    with pytest.raises(DBAPIError):
        await holding


async def test_what_a_late_writer_does_counts_for_nothing(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paused before its manifest, it goes on when another has had the lease."""
    await server.stored(disk_run(), disk_run())
    await write(server, tmp_path, 1)
    await server.stored(disk_run())
    publish, late = files.write, Late()

    def paused(directory: Path, manifest: Any, epoch: int) -> None:
        if epoch == 2:
            late.wait()
        publish(directory, manifest, epoch)

    monkeypatch.setattr(files, "write", paused)
    async with late.while_paused(lambda: asyncio.run(write(server, tmp_path, 2))):
        await server.stored(disk_run())
        await write(server, tmp_path, 3)
    directory = directory_below(tmp_path)
    assert files.epoch_of(files.manifest_of(directory)) == 3
    manifest = read(tmp_path)
    assert manifest is not None
    assert sum(part.runs for part in manifest.parts) == 4
    assert_as_tables(server.database_url, manifest)
    # It removes nothing of the later epoch, nor does the next one lose anything.
    monkeypatch.setattr(writer, "_LEAVING", writer._LEAVING * 0)
    await write(server, tmp_path, 2)
    assert {*manifest.names()} <= {*files.on_disk(directory)}
    await server.stored(disk_run())
    await write(server, tmp_path, 4)
    await write(server, tmp_path, 5)
    manifest = read(tmp_path)
    assert manifest is not None
    assert_as_tables(server.database_url, manifest)
    assert {*files.on_disk(directory)} == manifest.names()
    assert [path.name for path in directory.glob("manifest*")] == ["manifest-5.json"]


async def test_a_reader_that_was_paused_goes_on_with_a_later_manifest(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await server.stored(disk_run())
    await write(server, tmp_path, 1)
    monkeypatch.setattr(writer, "_LEAVING", writer._LEAVING * 0)
    check, late, manifests = files.check, Late(), list[Any]()
    (path,) = directory_below(tmp_path).glob("*/results-*")

    def paused(*arguments: Any) -> files.Stamp:
        if threading.current_thread() is late.thread:
            late.wait()
        return check(*arguments)

    monkeypatch.setattr(files, "check", paused)
    async with late.while_paused(lambda: manifests.append(read(tmp_path))):
        for epoch in (2, 3):
            await server.stored(disk_run())
            await write(server, tmp_path, epoch)
        assert not path.exists()
    (manifest,) = manifests
    assert sum(part.runs for part in manifest.parts) == 3
    assert_as_tables(server.database_url, manifest)


async def test_epochs_go_on_above_files_that_are_newer_than_the_database(
    server: Server, primary: AsyncEngine, tmp_path: Path
) -> None:
    await server.stored(disk_run())
    await write(server, tmp_path, 1_000)
    numbers = list[int]()

    async def job(epoch: int) -> None:
        numbers.append(epoch)

    for _ in range(2):
        assert await lease.hold(primary, tmp_path, job)
    assert numbers == [1_001, 1_002]


async def test_files_without_a_lease_are_followed(server: Server, tmp_path: Path) -> None:
    """As the version before wrote them."""
    await server.stored(disk_run())
    before = await written(server.database_url, tmp_path)
    await server.stored(disk_run())
    await write(server, tmp_path, 1)
    manifest = read(tmp_path)
    assert manifest is not None
    assert manifest.leaving.keys() == before.names()
    assert_as_tables(server.database_url, manifest)
