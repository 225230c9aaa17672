"""Named versions of the public data set, for statements that anybody can run elsewhere.

    ROOT/versions/<version>/version.json        the moment that it shows
                            <metric>.parquet    every public result of the metric
                            <metric>.json       size and digest of that file, or when it was removed
                  checked.json                  up to where runs that left were looked for, and in
                                                which files

A version is made for a question, has the files of the metrics that were asked for while nothing
changed, and is never changed otherwise. A file goes as soon as one of its runs is withdrawn,
deleted or private: nothing is left of it, and whoever asks for it learns why.

Servers that share ROOT make versions at the same time, without a lock: whatever appears is whole
and stays as it is. Only the server that has the lease (lease.py) removes anything.
"""

import contextlib
import os
import shutil
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from secrets import token_hex
from typing import Any, TypeVar

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
from macmeter.results.dataset.files import BuildingError
from macmeter.results.dataset.sql import listed
from macmeter.results.filters import not_withdrawn

KEPT = timedelta(days=30)
MOST_BYTES = 4 * 2**30
"""Size of all versions at which the next one waits until the oldest ones go."""

_FOLDER = "versions"
_VERSION, _CHECKED = "version.json", "checked.json"
_OUTPUT = "made"
# Whoever makes a file needs less.
_LEFTOVER_AGE = timedelta(hours=1)
_AT_ONCE = 1_000


class File(msgspec.Struct, frozen=True):
    bytes: int
    sha256: str
    gone: datetime | None = None
    """When it was removed because of one of its runs."""


class _Moment(msgspec.Struct, frozen=True, kw_only=True):
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


class _Checked(_Moment, frozen=True, kw_only=True):
    files: frozenset[str]
    """Those that were looked through: `version/metric`."""


class Version(_Moment, frozen=True, kw_only=True):
    name: str
    made_at: datetime
    files: dict[str, File] = {}
    """By metric."""
    gone: dict[str, datetime] = {}
    """When the file of a metric was removed because of one of its runs."""

    @property
    def kept_until(self) -> datetime:
        return self.made_at + KEPT


def path_of(root: Path, version: str, metric: str) -> Path:
    return root / _FOLDER / version / f"{metric}.parquet"


def find(root: Path, name: str) -> Version | None:
    """Return the version of that name, if it is kept."""
    version_path = root / _FOLDER / name / _VERSION
    if (version := _read(version_path, Version)) is None:
        return None
    paths = (path for path in version_path.parent.glob("*.json") if path != version_path)
    files_by_metric = {path.stem: file for path in paths if (file := _read(path, File))}
    return msgspec.structs.replace(
        version,
        files={metric: file for metric, file in files_by_metric.items() if file.gone is None},
        gone={
            metric: file.gone for metric, file in files_by_metric.items() if file.gone is not None
        },
    )


def _all_versions(root: Path) -> list[Version]:
    """Return all versions, newest first."""
    versions = (find(root, path.name) for path in (root / _FOLDER).iterdir() if path.is_dir())
    return sorted(
        filter(None, versions), key=lambda version: (version.made_at, version.name), reverse=True
    )


def _write_json(path: Path, content: msgspec.Struct) -> None:
    new = path.with_name(f"{path.name}.{token_hex(4)}")
    new.touch(0o600)
    new.write_bytes(msgspec.json.encode(content))
    new.replace(path)


T = TypeVar("T")


def _read(path: Path, kind: type[T]) -> T | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
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
    files.make_directory(root / _FOLDER)
    log, versions = await find_log(reading.connection), _all_versions(root)
    newest = next((version for version in versions if {*metrics} <= version.files.keys()), None)
    if newest is not None:
        newer = await _newer(reading, root, newest, log)
        size = sum(file.bytes for version in versions for file in version.files.values())
        if newer is not None and (not newer or now - newest.made_at < pause(size)):
            return newest, newer
    if versions and not versions[0].gone and await _newer(reading, root, versions[0], log) == []:
        return await _with_files(reading, root, versions[0], metrics), []
    name = f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}-{token_hex(2)}"
    version = Version(
        log_id=log.log_id,
        snapshot=log.snapshot,
        public_fleets=log.public_fleets,
        name=name,
        made_at=now,
    )
    return await _with_files(reading, root, version, metrics), []


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
    return None if [*_files_with(_paths(root, [version]), changed - public)] else sorted(public)


async def _with_files(
    reading: Reading, root: Path, version: Version, metrics: Sequence[str]
) -> Version:
    missing = {
        metric: [*reading.data.of_metric(metric)]
        for metric in metrics
        if metric not in version.files
    }
    with downloads.new_directory(root) as directory:
        downloads.freeze(reading.data, COMMONS, (), directory)
        options = downloads.parquet_options(version.made_at, 0, demo=False)
        try:
            await run_in_subprocess_async(
                "macmeter-version", _write_files, directory, options, missing
            )
            new_files = {metric: _publish(directory, root, version, metric) for metric in missing}
        except (OSError, duckdb.Error) as error:  # the disk may be full
            raise BuildingError from error
    return msgspec.structs.replace(version, files=version.files | new_files)


def _publish(directory: Path, root: Path, version: Version, metric: str) -> File:
    """Add a metric's file to a version, unless another server has just done so."""
    path = path_of(root, version.name, metric)
    files.make_directory(path.parent)
    if not (version_path := path.with_name(_VERSION)).exists():
        _write_json(version_path, version)
    with contextlib.suppress(FileExistsError):
        os.link(directory / _OUTPUT / path.name, path)
    file = File(path.stat().st_size, files.digest_of(path))
    _write_json(path.with_suffix(".json"), file)
    return file


def _write_files(directory: Path, options: str, metrics: dict[str, list[int]]) -> None:
    output = directory / _OUTPUT
    files.make_directory(output)
    for metric, series in metrics.items():
        where = f"found.series IN ({listed(series) or '-1'})"
        path = output / f"{metric}.parquet"
        path.touch(0o600)
        downloads.write(directory, path, options, where, (*COLUMNS, EVERY_MACHINE))


# --- leaving


def are_due(root: Path, directory: Path) -> bool:
    """Whether the data set in `directory` is newer than the last look for runs that left."""
    if not (root / _FOLDER).exists():
        return False
    try:
        checked_at = (root / _FOLDER / _CHECKED).stat().st_mtime_ns
    except OSError:
        return True
    written = files.stamp(directory)
    return written is not None and checked_at < written[0]


async def sweep(engine: AsyncEngine, root: Path) -> None:
    """Remove versions that have been kept long enough, and files with runs that aren't public."""
    if not (root / _FOLDER).exists():
        return
    async with engine.connect() as connection:
        log, versions = await find_log(connection), _all_versions(root)
        _remove_leftovers(root, {*_paths(root, versions)})
        pinned = await _pinned_names(connection)
        for version in [*versions]:
            if version.name not in pinned and datetime.now(UTC) > version.kept_until:
                shutil.rmtree(root / _FOLDER / version.name)
                versions.remove(version)
        checked, paths = _read(root / _FOLDER / _CHECKED, _Checked), [*_paths(root, versions)]
        # One look at what the last one had, and one at the new files of each version.
        paths_by_moment = defaultdict[str, list[Path]](list)
        for path in paths:
            paths_by_moment[path.parent.name if _is_new(path, checked) else ""].append(path)
        moments: dict[str, _Moment] = {version.name: version for version in versions}
        if checked is not None:
            moments[""] = checked
        for name, group in paths_by_moment.items():
            for path in await _leaving(connection, moments[name], log, group):
                _remove(path)
        current = _Checked(
            log_id=log.log_id,
            snapshot=log.snapshot,
            public_fleets=log.public_fleets,
            files=frozenset(map(_name, paths)),
        )
        _write_json(root / _FOLDER / _CHECKED, current)


async def has_nonpublic_run(
    connection: AsyncConnection, root: Path, version: Version, metric: str
) -> bool:
    """Whether the file has a run that isn't public any more, and is about to be removed."""
    path, checked = path_of(root, version.name, metric), _read(root / _FOLDER / _CHECKED, _Checked)
    moment = version if checked is None or _is_new(path, checked) else checked
    return bool(await _leaving(connection, moment, await find_log(connection), [path]))


def _is_new(path: Path, checked: _Checked | None) -> bool:
    """Whether it wasn't looked through yet, so that it may have what left since its version."""
    return checked is None or _name(path) not in checked.files


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


async def _leaving(
    connection: AsyncConnection, moment: _Moment, log: Log, paths: Sequence[Path]
) -> list[Path]:
    """Return those of the files that have a run that left since that moment."""
    changed = await moment.changed(connection, log) if paths else set()
    if changed is None:
        query = "SELECT DISTINCT run_id::UUID FROM read_parquet($paths)"
        changed = {run_id for (run_id,) in _ask(query, {"paths": [*map(str, paths)]})}
    return [*_files_with(paths, changed - await _public(connection, changed))]


def _remove_leftovers(root: Path, known_paths: Collection[Path]) -> None:
    """Remove what was begun long ago and is in no version: a process was killed."""
    threshold = (datetime.now(UTC) - _LEFTOVER_AGE).timestamp()
    for path in (root / _FOLDER).iterdir():
        if path.is_dir() and not (path / _VERSION).exists() and path.stat().st_mtime < threshold:
            shutil.rmtree(path)
    for path in (root / _FOLDER).glob("*/*"):
        if path not in known_paths and path.suffix != ".json" and path.stat().st_mtime < threshold:
            path.unlink()


def _remove(path: Path) -> None:
    entry_path = path.with_suffix(".json")
    if (file := _read(entry_path, File)) is not None:
        _write_json(entry_path, msgspec.structs.replace(file, gone=datetime.now(UTC)))
    path.unlink(missing_ok=True)


async def _pinned_names(connection: AsyncConnection) -> set[str]:
    """Return the versions that comparisons name, unless they are closed for good."""
    conditions = Comparison.answer.is_not(None), Comparison.state != "revoked"
    names = select(Comparison.dataset_version).where(*conditions)
    return {name for name in (await connection.execute(names)).scalars() if name is not None}


async def _public(connection: AsyncConnection, run_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Return those of the runs that anybody may read."""
    readable: set[uuid.UUID] = set()
    ids = [*run_ids]
    for start in range(0, len(ids), _AT_ONCE):
        condition = Run.run_id.in_(ids[start : start + _AT_ONCE])
        query = select(Run.run_id).where(condition, visible(COMMONS), not_withdrawn())
        readable.update((await connection.execute(query)).scalars())
    return readable


def _paths(root: Path, versions: Iterable[Version]) -> Iterator[Path]:
    return (path_of(root, version.name, metric) for version in versions for metric in version.files)


def _files_with(paths: Iterable[Path], run_ids: Iterable[uuid.UUID]) -> Iterator[Path]:
    """Yield the files that have one of these runs."""
    ids, names = [*map(str, run_ids)], [*map(str, paths)]
    if ids and names:
        query = """
            SELECT DISTINCT filename FROM read_parquet($paths, filename = true)
            WHERE run_id IN (SELECT unnest($ids::VARCHAR[]))
        """
        for (name,) in _ask(query, {"paths": names, "ids": ids}):
            yield Path(name)


def _ask(query: str, values: dict[str, list[str]]) -> list[tuple[Any, ...]]:
    with duckdb.connect(config={"threads": 1, "memory_limit": "256MB"}) as connection:
        return connection.execute(query, values).fetchall()
