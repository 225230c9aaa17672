"""Writer of the data set to disk, following the change log: one server at a time (lease.py).

A part has one set of files while it is small; later one large set and a few newer ones, which are
merged as they grow. When runs in a large set change, readers handle them (`Manifest.pending`) until
it is worth rewriting the set.
"""

import asyncio
import contextlib
import time
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import msgspec
from duckdb import DuckDBPyConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.platform import database
from macmeter.platform.changelog import Log, behind, changes_since, find_log
from macmeter.platform.database import reading_engine
from macmeter.platform.isolation import forever
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.results.dataset import downloads, files, lease, loading, spool, versions
from macmeter.results.dataset.files import PRIVATE, PUBLIC, Manifest, Part, Set, StaleRun
from macmeter.results.dataset.loading import Key, read_after, read_these
from macmeter.results.dataset.spool import Hits, NewRows, new_rows, old_rows, write_set

POLL_SECONDS = 1.0
RETRY_SECONDS = 3.0
# Write after this many changes, or this long after the last write.
_CHANGES_AT_ONCE = 500
_SECONDS_APART = 3.0
# Beyond this, reading everything is faster than reading single runs.
_MOST_CHANGES = 100_000
# Rows that are sorted together must fit in memory.
_READ_AT_ONCE = 5_000
# A set is merged with all newer ones unless it is this many times as large as they are together.
# Sets with few runs are always merged, so that small parts have one set.
_GROWTH = 10
_SMALL_RUNS = 2_000
# A large set with hidden rows is rewritten after this time, or at this number of them.
_PENDING = timedelta(minutes=5)
_MOST_PENDING = 1_000
# Time for which readers may need files that manifests no longer name.
_LEAVING = timedelta(minutes=1)
_BUILDING = "building.duckdb"


class _Target(NamedTuple):
    """Directory to write in, and the epoch of the lease to do it."""

    directory: Path
    epoch: int


async def follow(url: str, root: Path, primary: str | None = None) -> None:
    """Follow the log forever, despite outages of PostgreSQL. Interrupted writes have no effect.
    Servers that share `root` have one lease; `primary` has its lock, if `url` is a replica's.
    """
    engine = reading_engine(url, pool_size=1, seconds=600)
    locking = database.engine(primary or url, pool_size=1)

    async def write(epoch: int) -> None:
        if await is_due(engine, root, _SECONDS_APART):  # another server may just have written it
            # Runs in a process of its own, so that its memory is freed afterwards.
            await run_in_subprocess_async("macmeter-writer", _write_in_subprocess, url, root, epoch)

    async def when_due() -> None:
        if await is_due(engine, root, _SECONDS_APART):
            await lease.hold(locking, root, write)

    try:
        await forever("the data set goes on", when_due, POLL_SECONDS, RETRY_SECONDS)
    finally:
        await engine.dispose()
        await locking.dispose()


async def is_due(engine: AsyncEngine, root: Path, apart: float) -> bool:
    """Whether many changes are unwritten, or any for `apart` seconds since the files were written,
    or the files are unusable.
    """
    async with engine.connect() as connection:
        log = await find_log(connection)
        directory = files.directory_of(root, log.log_id, log.database)
        snapshot, stamp = files.snapshot_of(directory), files.stamp(directory)
        if snapshot is None or stamp is None or not files.can_follow(log, snapshot):
            return True
        # Another server's clock may be ahead.
        if is_late := abs(time.time() - stamp[0] / 1e9) > apart:
            manifest = files.read(directory)
            if manifest is None or _is_stale(manifest, log) or versions.are_due(root, directory):
                return True
        # On a replica, changes recur until its snapshot advances.
        changes = (await behind(connection, snapshot)).changes if snapshot != log.snapshot else 0
        return changes >= (1 if is_late else _CHANGES_AT_ONCE)


def _is_stale(manifest: Manifest, log: Log) -> bool:
    """Whether the manifest needs an update even without new changes."""
    now = datetime.now(UTC)
    return (
        any(part.public != _is_public(part.scope, log) for part in manifest.parts)
        or any(now - run.since > _PENDING for run in manifest.pending)
        or any(now - since > _LEAVING for since in manifest.leaving.values())
    )


def _is_public(scope: str, log: Log) -> bool:
    return scope == PUBLIC or (scope != PRIVATE and uuid.UUID(scope) in log.public_fleets)


def _write_in_subprocess(url: str, root: Path, epoch: int) -> None:
    async def once() -> None:
        engine = reading_engine(url, pool_size=1, seconds=600)
        try:
            await write_down(engine, root, epoch)
        finally:
            await engine.dispose()

    asyncio.run(once())


async def write_down(engine: AsyncEngine, root: Path, epoch: int = 0) -> None:
    """Write new changes, or everything if the files are unusable, in this epoch; 0 if nobody else
    writes in `root`. Blocks the event loop. After any exception the previous files are still valid.
    """
    async with engine.connect() as connection:
        log = await find_log(connection)
    if log.is_anothers:
        return  # a replica was just promoted: see changelog.renew_if_moved
    directory = files.directory_of(root, log.log_id, log.database)
    files.make_directory(directory)
    downloads.remove_abandoned(root)
    former, target = files.read(directory, deeply=False), _Target(directory, epoch)
    if former is not None:
        _sweep(target, former)
    if former is None or not await _write_changes(engine, target, former):
        await _build(engine, target, former)
    _remove(directory / _BUILDING)
    await versions.sweep(engine, root)


def _sweep(target: _Target, manifest: Manifest) -> None:
    """Remove leftovers of a killed writer, and files that readers no longer use."""
    directory, until = target.directory, datetime.now(UTC) - _LEAVING
    names = manifest.names() | {name for name, since in manifest.leaving.items() if since > until}
    for name in {*files.on_disk(directory)} - names:
        if files.epoch_of(directory / name) > target.epoch:
            continue  # whoever has the lease now writes it
        (directory / name).unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # not empty
            (directory / name).parent.rmdir()


# --- reading


async def _write_changes(engine: AsyncEngine, target: _Target, former: Manifest) -> bool:
    """Write only changes; return False if that isn't possible."""
    async with engine.connect() as connection:
        log = await find_log(connection)
        if not files.can_follow(log, former.snapshot):
            return False
        if (await behind(connection, former.snapshot)).changes > _MOST_CHANGES:
            return False
        changed = await _changed(connection, former.snapshot)
        keys = [*dict.fromkeys((*changed, *(run.key for run in former.pending)))]
        with spool.opened(target.directory) as tables:
            await _spool(connection, tables, keys)
            await connection.close()
            try:
                _write(tables, target, log, former, keys)
            except files.DamagedError:
                files.discard(target.directory)
                return False
    return True


async def _changed(connection: AsyncConnection, snapshot: str) -> list[Key]:
    changes = await changes_since(connection, snapshot)
    return [*dict.fromkeys((change.machine_id, change.run_id) for change in changes)]


async def _spool(
    connection: AsyncConnection, tables: DuckDBPyConnection, keys: Sequence[Key], *progress: Any
) -> None:
    for start in range(0, len(keys), _READ_AT_ONCE):
        batch = keys[start : start + _READ_AT_ONCE]
        loading.take(tables, await read_these(connection, batch))
        spool.store(tables, *progress)


async def _build(engine: AsyncEngine, target: _Target, former: Manifest | None) -> None:
    """Read all runs in the order of their keys. An interrupted build is resumed, and finally reads
    what changed since it was first started.
    """
    directory = target.directory
    path = directory / _BUILDING
    async with engine.connect() as connection:
        log = await find_log(connection)
        try:
            if not _can_resume(directory, path, log):
                _remove(path)
            with spool.opened(directory, path) as tables:
                path.chmod(0o600)
                first_snapshot, last = spool.progress(tables)
                snapshot = first_snapshot or log.snapshot
                while rows := await read_after(connection, last, _READ_AT_ONCE):
                    loading.take(tables, rows)
                    last = (rows[-1].machine_id, rows[-1].run_id)
                    spool.store(tables, snapshot, last)
                if keys := await _changed(connection, snapshot):
                    spool.forget(tables, [run_id for _, run_id in keys])
                    await _spool(connection, tables, keys, snapshot, last)
                await connection.close()
                _write(tables, target, log, files.empty_manifest(log, former), ())
        except duckdb.Error:  # the file may be at fault
            _remove(path)
            raise


def _can_resume(directory: Path, path: Path, log: Log) -> bool:
    """Whether an interrupted build can be resumed, and the log has all changes since."""
    if not path.exists():
        return False
    with spool.opened(directory, path) as tables:
        snapshot, _ = spool.progress(tables)
    return snapshot is not None and files.can_follow(log, snapshot)


def _remove(path: Path) -> None:
    for file in (path, path.with_name(f"{path.name}.wal")):
        file.unlink(missing_ok=True)


def _write(
    tables: DuckDBPyConnection, target: _Target, log: Log, former: Manifest, keys: Sequence[Key]
) -> None:
    """Write files of spooled rows, and a manifest. `keys` are runs whose rows in files are old."""
    directory, epoch = target
    now = datetime.now(UTC)
    hidden_since = {run.run_id: run.since for run in former.pending}
    overdue = {run_id for run_id, since in hidden_since.items() if now - since > _PENDING}
    hits = old_rows(tables, former.parts, keys)
    new = new_rows(tables)
    sets_by_scope = {part.scope: [*part.sets] for part in former.parts}
    rewritten = {}
    for scope in {*sets_by_scope, *new}:
        sets = sets_by_scope.setdefault(scope, [])
        first = _first_merged(sets, new.get(scope, NewRows()).runs, hits, overdue)
        if scope in new or first < len(sets):
            rewritten[scope] = Part(scope, False, tuple(sets[first:]), str(directory))
            del sets[first:]
    pending = {
        run_id
        for sets in sets_by_scope.values()
        for file_set in sets
        for run_id in hits.get(file_set, ())
    }
    spool.forget(tables, pending)
    paths: list[Path] = []
    try:
        for scope, part in rewritten.items():
            sets_by_scope[scope] += write_set(tables, part, new.get(scope, NewRows()), epoch, paths)
        manifest = msgspec.structs.replace(
            former,
            snapshot=log.snapshot,
            made_at=now,
            parts=tuple(
                Part(scope, _is_public(scope, log), tuple(sets_by_scope[scope]))
                for scope in sorted(sets_by_scope)
                if sets_by_scope[scope]
            ),
            pending=tuple(
                StaleRun(*key, hidden_since.get(key[1], now)) for key in keys if key[1] in pending
            ),
        )
        unnamed = {*files.on_disk(directory)} - manifest.names()
        leaving = {name: former.leaving.get(name, now) for name in unnamed}
        files.write(directory, msgspec.structs.replace(manifest, leaving=leaving), epoch)
    except BaseException:
        for path in paths:  # free space for a retry, in case the disk is full
            path.unlink(missing_ok=True)
        raise


def _first_merged(sets: Sequence[Set], new: int, hits: Hits, overdue: set[uuid.UUID]) -> int:
    """Return the index of the first set to be merged with later ones and `new` runs."""
    first, newer = len(sets), new
    for index in reversed(range(len(sets))):
        runs, old = sets[index].runs, hits.get(sets[index], set())
        is_due = len(old) > _MOST_PENDING or bool(old & overdue)
        if is_due or ((newer or old) and runs < max(_GROWTH * newer, _SMALL_RUNS)):
            first = index
        newer += runs
    return first
