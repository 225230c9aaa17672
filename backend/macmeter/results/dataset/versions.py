"""Named versions of the public data set, for statements that anybody can run elsewhere.

    ROOT/versions/<version>/<metric>.parquet    every public result of the metric
                            version.json        what it holds, and what it held
                  checked.json                  up to where runs that left were looked for

A version is made for a question, has the files of the metrics that were asked for while nothing
changed, and is never changed otherwise. A file goes as soon as one of its runs is withdrawn,
deleted or private: nothing is left of it, and whoever asks for it learns why.
"""

import shutil
import uuid
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any

import duckdb
import msgspec
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.scope import COMMONS
from macmeter.accounts.visibility import visible
from macmeter.models import Comparison, Run
from macmeter.platform.changelog import Log, changes_since, find_log
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.results.context import Reading
from macmeter.results.dataset import downloads, files
from macmeter.results.dataset.corpus import COLUMNS, EVERY_MACHINE
from macmeter.results.dataset.files import BuildingError, OutrunError
from macmeter.results.dataset.wording import listed
from macmeter.results.filters import standing

KEPT = timedelta(days=30)
MOST_BYTES = 4 * 2**30
"""Size of all versions at which the next one waits until the oldest ones go."""

_BELOW = "versions"
_SAID, _CHECKED = "version.json", "checked.json"
_AT_ONCE = 1_000


class File(msgspec.Struct, frozen=True):
    bytes: int
    sha256: str


class _Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of the log, with the fleets that were public then."""

    log_id: uuid.UUID
    snapshot: str
    public_fleets: frozenset[uuid.UUID]

    async def changed(self, connection: AsyncConnection, log: Log) -> set[uuid.UUID] | None:
        """Return the runs that have changed since; None if that is unknown."""
        if log.log_id != self.log_id or log.misses(self.snapshot):
            return None
        if not self.public_fleets <= log.public_fleets:
            return None
        return {change.run_id for change in await changes_since(connection, self.snapshot)}


class Version(_Checked, frozen=True, kw_only=True):
    name: str
    made_at: datetime
    files: dict[str, File]
    """By metric."""
    gone: dict[str, datetime] = {}
    """When the file of a metric was removed because of one of its runs."""

    @property
    def kept_until(self) -> datetime:
        return self.made_at + KEPT


def path_of(root: Path, version: str, metric: str) -> Path:
    return root / _BELOW / version / f"{metric}.parquet"


def find(root: Path, name: str) -> Version | None:
    """Return the version of that name, if it is kept."""
    try:
        return msgspec.json.decode((root / _BELOW / name / _SAID).read_bytes(), type=Version)
    except (OSError, ValueError):
        return None


def _every(root: Path) -> list[Version]:
    """Return all versions, newest first."""
    found = (find(root, path.name) for path in (root / _BELOW).iterdir() if path.is_dir())
    return sorted(filter(None, found), key=lambda one: (one.made_at, one.name), reverse=True)


def _write(root: Path, version: Version) -> None:
    _put(root / _BELOW / version.name / _SAID, version)


def _put(path: Path, content: msgspec.Struct) -> None:
    new = path.with_suffix(".new")
    new.touch(0o600)
    new.write_bytes(msgspec.json.encode(content))
    new.replace(path)


def _checked(root: Path) -> _Checked | None:
    try:
        return msgspec.json.decode((root / _BELOW / _CHECKED).read_bytes(), type=_Checked)
    except (OSError, ValueError):
        return None


# --- making


async def covering(
    reading: Reading, root: Path, metrics: Sequence[str], now: datetime
) -> tuple[Version, list[uuid.UUID]]:
    """Return a version with the results of `metrics`, and the public runs that are newer.

    It is made now if anything has changed, unless versions would then take too much room: the
    fuller that is, the longer one stays the newest. `reading` must be the public's.
    """
    files.make_directory(root / _BELOW)
    async with files.alone(root / _BELOW):
        log = await find_log(reading.connection)
        checked = _checked(root)
        if checked and checked.log_id == log.log_id and not log.sees(checked.snapshot):
            raise OutrunError  # runs that left since this transaction began would stay
        every = _every(root)
        newest = next((one for one in every if {*metrics} <= one.files.keys()), None)
        if newest is not None:
            newer = await _newer(reading, root, newest, log)
            size = sum(file.bytes for one in every for file in one.files.values())
            if newer is not None and (not newer or now - newest.made_at < pause(size)):
                return newest, newer
        if every and not every[0].gone and await _newer(reading, root, every[0], log) == []:
            version = every[0]
        else:
            name = f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{token_hex(2)}"
            version = Version(
                log_id=log.log_id,
                snapshot=log.snapshot,
                public_fleets=log.public_fleets,
                name=name,
                made_at=now,
                files={},
            )
        return await _with_files(reading, root, version, metrics, now), []


def pause(size: int) -> timedelta:
    """Return how long a version stays the newest if all of them take `size` bytes."""
    return KEPT * min(size / MOST_BYTES, 1) ** 3


async def _newer(
    reading: Reading, root: Path, version: Version, log: Log
) -> list[uuid.UUID] | None:
    """Return the public runs that the version lacks; None if it has others."""
    changed = await version.changed(reading.connection, log)
    if changed is None or log.public_fleets != version.public_fleets:
        return None
    public = await _public(reading.connection, changed)
    return None if [*_having(root, [version], changed - public)] else sorted(public)


async def _with_files(
    reading: Reading, root: Path, version: Version, metrics: Sequence[str], now: datetime
) -> Version:
    missing = {
        metric: [*reading.data.of_metric(metric)]
        for metric in metrics
        if metric not in version.files
    }
    to = root / _BELOW / version.name
    with downloads.directory(root) as directory:
        downloads.freeze(reading.data, COMMONS, (), directory)
        made = downloads.parquet(version.made_at, 0, demo=False)
        files.make_directory(to)
        try:
            await run_in_subprocess_async(
                "macmeter-version", _write_files, directory, to, made, missing
            )
        except (OSError, duckdb.Error) as error:  # the disk may be full
            _remove_leftovers(root, _every(root))
            raise BuildingError from error
    own = {}
    for metric in missing:
        path = path_of(root, version.name, metric)
        own[metric] = File(path.stat().st_size, files.digest_of(path))
    version = msgspec.structs.replace(version, files=version.files | own)
    _write(root, version)
    return version


def _write_files(directory: Path, to: Path, how: str, metrics: dict[str, list[int]]) -> None:
    for metric, series in metrics.items():
        where = f"found.series IN ({listed(series) or '-1'})"
        path = to / f"{metric}.parquet"
        path.touch(0o600)
        downloads.write(directory, path, how, where, (*COLUMNS, EVERY_MACHINE))


# --- leaving


def are_due(root: Path, directory: Path) -> bool:
    """Whether the data set in `directory` is newer than the last look for runs that left."""
    if not (root / _BELOW).exists():
        return False
    try:
        looked_at = (root / _BELOW / _CHECKED).stat().st_mtime_ns
    except OSError:
        return True
    written = files.stamp(directory)
    return written is not None and looked_at < written[0]


async def sweep(engine: AsyncEngine, root: Path) -> None:
    """Remove versions that have been kept long enough, and files with runs that aren't public."""
    if not (root / _BELOW).exists():
        return
    async with files.alone(root / _BELOW), engine.connect() as connection:
        log, every = await find_log(connection), _every(root)
        _remove_leftovers(root, every)
        named = await _named(connection)
        for one in [*every]:
            if one.name not in named and datetime.now(UTC) > one.kept_until:
                shutil.rmtree(root / _BELOW / one.name)
                every.remove(one)
        checked = _checked(root)
        changed = await checked.changed(connection, log) if checked else None
        if changed is None:
            changed = _all_runs(root, every)
        left = changed - await _public(connection, changed)
        for version, metric in _having(root, every, left):
            _remove(root, version, metric)
        now = _Checked(log_id=log.log_id, snapshot=log.snapshot, public_fleets=log.public_fleets)
        _put(root / _BELOW / _CHECKED, now)


async def has_left(connection: AsyncConnection, root: Path, version: Version, metric: str) -> bool:
    """Whether the file has a run that isn't public any more, and is about to be removed."""
    only = msgspec.structs.replace(version, files={metric: version.files[metric]})
    since = _checked(root) or version
    changed = await since.changed(connection, await find_log(connection))
    if changed is None:
        changed = _all_runs(root, [only])
    left = changed - await _public(connection, changed)
    return any(True for _ in _having(root, [only], left))


def _remove_leftovers(root: Path, every: Iterable[Version]) -> None:
    """Remove what was begun and is in no version: a process was killed, or had no room."""
    named = {*_paths(root, every)}
    for path in (root / _BELOW).iterdir():
        if path.is_dir() and not (path / _SAID).exists():
            shutil.rmtree(path)
    for path in (root / _BELOW).glob("*/*.parquet"):
        if path not in named:
            path.unlink()


def _remove(root: Path, name: str, metric: str) -> None:
    path_of(root, name, metric).unlink(missing_ok=True)
    if version := find(root, name):
        left = {of: file for of, file in version.files.items() if of != metric}
        gone = version.gone | {metric: datetime.now(UTC)}
        _write(root, msgspec.structs.replace(version, files=left, gone=gone))


async def _named(connection: AsyncConnection) -> set[str]:
    """Return the versions that comparisons name, unless they are closed for good."""
    lasts = Comparison.answer.is_not(None), Comparison.state != "revoked"
    names = select(Comparison.dataset_version).where(*lasts)
    return {name for name in (await connection.execute(names)).scalars() if name is not None}


async def _public(connection: AsyncConnection, run_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Return those of the runs that anybody may read."""
    found: set[uuid.UUID] = set()
    every = [*run_ids]
    for start in range(0, len(every), _AT_ONCE):
        some = Run.run_id.in_(every[start : start + _AT_ONCE])
        query = select(Run.run_id).where(some, visible(COMMONS), standing())
        found.update((await connection.execute(query)).scalars())
    return found


def _paths(root: Path, every: Iterable[Version]) -> Iterator[Path]:
    return (path_of(root, one.name, metric) for one in every for metric in one.files)


def _all_runs(root: Path, every: Sequence[Version]) -> set[uuid.UUID]:
    paths = [*map(str, _paths(root, every))]
    query = "SELECT DISTINCT run_id::UUID FROM read_parquet($paths)"
    return {run_id for (run_id,) in _ask(query, {"paths": paths})} if paths else set()


def _having(
    root: Path, every: Sequence[Version], run_ids: Iterable[uuid.UUID]
) -> Iterator[tuple[str, str]]:
    """Yield version and metric of the files that have one of these runs."""
    ids, paths = [*map(str, run_ids)], [*map(str, _paths(root, every))]
    if ids and paths:
        query = """
            SELECT DISTINCT filename FROM read_parquet($paths, filename = true)
            WHERE run_id IN (SELECT unnest($ids::VARCHAR[]))
        """
        for (name,) in _ask(query, {"paths": paths, "ids": ids}):
            yield Path(name).parent.name, Path(name).name.removesuffix(".parquet")


def _ask(query: str, values: dict[str, list[str]]) -> list[tuple[Any, ...]]:
    with duckdb.connect(config={"threads": 1, "memory_limit": "256MB"}) as connection:
        return connection.execute(query, values).fetchall()
