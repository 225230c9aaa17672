"""Incremental copy of a database up to a snapshot: files, and tables with newer changes.

Each process that answers has one. It matches the question's transaction exactly: only the runs that
changed since the last question are read again.
"""

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from duckdb import DuckDBPyConnection
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.platform.changelog import Log, changes_since, find_log
from macmeter.results.dataset import files, loading
from macmeter.results.dataset.decoded import Memory
from macmeter.results.dataset.files import BuildingError, Manifest, OutrunError
from macmeter.results.dataset.loading import NOTHING_PRESENT, Key, Presence, read_presence
from macmeter.results.dataset.relations import SETUPS, connect
from macmeter.results.dataset.setups import Setups
from macmeter.results.dataset.snapshot import Series, Snapshot

_AT_ONCE = 2_000
# Maximum number of runs that a request reads itself; for more it waits for files.
_MOST = 3_000
# Maximum wait, below the request timeout.
_WAIT_SECONDS = 8.0
_POLL_SECONDS = 0.25
_MOST_DATABASES = 4


@dataclass
class Mirror:
    """Content of one database as seen by the transaction of `snapshot`."""

    snapshot: str
    tables: DuckDBPyConnection = field(default_factory=connect)
    memory: Memory = field(default_factory=Memory)
    series: dict[int, Series] = field(default_factory=dict)
    manifest: Manifest | None = None
    stamp: tuple[int, int] | None = None
    own_runs: set[uuid.UUID] = field(default_factory=set)
    """Runs that were read from PostgreSQL."""
    presence: Presence = NOTHING_PRESENT
    metadata_snapshot: str | None = None
    """The snapshot in which `series` and `presence` were read."""
    read_ahead: frozenset[int] = frozenset()
    """Changes that were read although a replica's snapshot doesn't include them."""

    @property
    def setups(self) -> Setups:
        """Setups from files and from newer changes."""
        return self.memory.setups

    def replace_runs(self, keys: Sequence[Key], rows: Sequence[Any], *, hidden: list[Key]) -> None:
        """Replace the runs `keys` by `rows`; those that are `hidden` may have rows in files."""
        ids = [str(run_id) for _, run_id in keys if run_id in self.own_runs]
        for name in ("runs", "results") if ids else ():
            self.tables.execute(
                f"DELETE FROM {name} WHERE run_id IN (SELECT unnest(?::UUID[]))", [ids]
            )
        if hidden:
            old = [str(run_id) for _, run_id in hidden]
            self.tables.execute("INSERT INTO changed SELECT unnest(?::UUID[])", [old])
        self.insert(rows)

    def insert(self, rows: Sequence[Any]) -> None:
        self.setups.learn(loading.take(self.tables, rows, self.setups))
        self.own_runs.update(row.run_id for row in rows)

    def read_files(self, manifest: Manifest) -> None:
        """Replace what was read by the files of the manifest."""
        former_parts = self.manifest.parts if self.manifest is not None else ()
        known = {path for part in former_parts for path in part.files("setups")}
        paths = [path for part in manifest.parts for path in part.files("setups")]
        if new := [str(path) for path in paths if path not in known]:
            columns = ", ".join(SETUPS)
            rows = self.tables.execute(
                f"INSERT INTO setups SELECT DISTINCT ON (setup) {columns} FROM read_parquet(?)"
                f" ANTI JOIN setups USING (setup) RETURNING {columns}",
                [new],
            )
            self.setups.learn(rows.fetchall())
        self.tables.execute("DELETE FROM runs; DELETE FROM results; DELETE FROM changed")
        self.manifest, self.snapshot, self.own_runs = manifest, manifest.snapshot, set()
        self.read_ahead = frozenset()
        self.memory.keep_only(manifest)


# A database and its log; a replica has the same log, but may be behind.
_Database = tuple[uuid.UUID, int, bool]
_mirrors: OrderedDict[_Database, Mirror] = OrderedDict()
_locks: dict[_Database, asyncio.Lock] = {}


async def snapshot_of(connection: AsyncConnection) -> Snapshot:
    """Return what the transaction of `connection` sees; it must be REPEATABLE READ.

    Files in the directory of the connection's option `dataset` are read first; `cluster` is the
    one for large selections.
    """
    log = await find_log(connection)
    assert connection.sync_connection is not None
    options = connection.sync_connection.get_execution_options()
    root = options.get("dataset")
    directory = None
    if root is not None:
        directory = files.directory_of(root, log.log_id, log.database)
    database = (log.log_id, log.database, log.replica)
    async with _locks.setdefault(database, asyncio.Lock()):
        mirror = await _catch_up(connection, log, _mirrors.get(database), directory)
        _keep(database, mirror)
        snapshot = Snapshot.begin(
            mirror.tables, mirror.memory, dict(mirror.series), log, mirror.manifest
        )
        return replace(snapshot, presence=mirror.presence, cluster=options.get("cluster"))


def _keep(database: _Database, mirror: Mirror) -> None:
    _mirrors[database] = mirror
    _mirrors.move_to_end(database)
    while len(_mirrors) > _MOST_DATABASES:
        oldest, _ = _mirrors.popitem(last=False)
        _locks.pop(oldest, None)


async def _catch_up(
    connection: AsyncConnection, log: Log, mirror: Mirror | None, directory: Path | None
) -> Mirror:
    if log.is_anothers:
        # A replica was just promoted: see changelog.renew_if_moved.
        raise BuildingError
    if mirror is not None and not files.can_follow(log, mirror.snapshot):
        mirror = None
    if directory is not None and mirror is not None and mirror.manifest is not None:
        # The manifest was removed because files are damaged.
        mirror = mirror if files.stamp(directory) is not None else None
    if directory is not None:
        # Files of an earlier manifest will be removed soon.
        mirror = _from_files(directory, log, mirror) or mirror
    most = None if directory is None else _MOST
    waited = 0.0
    while True:
        try:
            mirror = await _reach(connection, log, mirror, most)
            break
        except TooFarError:
            assert directory is not None
            written = files.snapshot_of(directory)
            if written is not None and not log.sees(written):
                raise OutrunError from None
            if waited >= _WAIT_SECONDS:
                raise BuildingError from None
        before = files.stamp(directory)
        while files.stamp(directory) == before and waited < _WAIT_SECONDS:
            await asyncio.sleep(_POLL_SECONDS)
            waited += _POLL_SECONDS
        mirror = _from_files(directory, log, mirror) or mirror
    if log.replica or mirror.metadata_snapshot != log.snapshot:
        await _name_series(connection, mirror)
        mirror.presence = await read_presence(connection)
        mirror.metadata_snapshot = log.snapshot
    return mirror


def _from_files(directory: Path, log: Log, mirror: Mirror | None) -> Mirror | None:
    """Return a mirror of the files if they are new."""
    stamp = files.stamp(directory)
    if stamp is None or (mirror is not None and mirror.stamp == stamp):
        return None
    manifest = files.read(directory)
    if manifest is None or not files.can_follow(log, manifest.snapshot):
        return None
    updated = mirror or Mirror(manifest.snapshot)
    updated.read_files(manifest)
    updated.stamp = stamp
    return updated


class TooFarError(Exception):
    """There are too many changes for a request to read."""


async def _reach(
    connection: AsyncConnection, log: Log, mirror: Mirror | None, most: int | None
) -> Mirror:
    """Catch up with the transaction by reading at most `most` runs; otherwise TooFarError."""
    if mirror is None:
        mirror = Mirror(log.snapshot)
        last = loading.FIRST
        while rows := await loading.read_after(connection, last, _AT_ONCE):
            mirror.insert(rows)
            last = (rows[-1].machine_id, rows[-1].run_id)
            if most is not None and len(mirror.own_runs) > most:
                raise TooFarError
    has_new_files = mirror.manifest is not None and not mirror.own_runs
    if log.replica or mirror.snapshot != log.snapshot or has_new_files:
        await _follow(connection, mirror, log, most)
        mirror.snapshot = log.snapshot
    return mirror


async def _follow(connection: AsyncConnection, mirror: Mirror, log: Log, most: int | None) -> None:
    changed = await changes_since(connection, mirror.snapshot)
    new = [row for row in changed if row.change_id not in mirror.read_ahead]
    pending = mirror.manifest.pending if mirror.manifest and not mirror.own_runs else ()
    keys = [
        *dict.fromkeys([*((row.machine_id, row.run_id) for row in new), *(p.key for p in pending)])
    ]
    if most is not None and len(keys) > most:
        raise TooFarError
    # Runs that were just stored aren't in files yet, but files written from a replica may be newer
    # than their snapshot says.
    old = {(row.machine_id, row.run_id) for row in new if row.kind != "stored" or log.replica}
    old |= {run.key for run in pending}
    for start in range(0, len(keys), _AT_ONCE):
        batch = keys[start : start + _AT_ONCE]
        rows = await loading.read_these(connection, batch)
        hidden = [key for key in batch if key in old] if mirror.manifest is not None else []
        mirror.replace_runs(batch, rows, hidden=hidden)
    mirror.read_ahead = frozenset(row.change_id for row in changed) if log.replica else frozenset()


_UNKNOWN = text(
    "SELECT series_id, metric, parameters FROM series WHERE NOT series_id = ANY(:known)"
)


async def _name_series(connection: AsyncConnection, mirror: Mirror) -> None:
    """Read the definitions of new series; they never change."""
    rows = await connection.execute(_UNKNOWN, {"known": [*mirror.series]})
    mirror.series |= {row.series_id: Series(row.metric, row.parameters) for row in rows}


def forget() -> None:
    """Drop everything, as if the process had just started."""
    _mirrors.clear()
