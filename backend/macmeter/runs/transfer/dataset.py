"""`macmeter-server export --parquet`: the corpus as a data set, a file for each month and suite.

    DIR/month=2026-11/suite=disk/results.parquet
    DIR/_macmeter.json                              the last change included

A repeated export follows the change log and rewrites only files whose runs have changed. Each is
replaced atomically, so concurrent readers see complete runs.
"""

import asyncio
import contextlib
import json
import os
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote

from sqlalchemy import exists, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.scope import COMMONS
from macmeter.accounts.visibility import ANYBODY, visible
from macmeter.models import Demo, Run
from macmeter.platform import database
from macmeter.platform.changelog import Change, Log, changes_since, find_log
from macmeter.platform.progress import Progress, number_of
from macmeter.results.context import begin_reading
from macmeter.results.dataset import downloads
from macmeter.results.dataset.corpus import MONTH, VERSION
from macmeter.results.dataset.downloads import freeze, parquet_options, write
from macmeter.results.dataset.files import BuildingError
from macmeter.results.dataset.sql import literal
from macmeter.results.dataset.writer import write_down
from macmeter.results.filters import not_withdrawn
from macmeter.results.matching_runs import count_missing_from_dataset
from macmeter.runs.transfer.files import InputError, Interrupted

Partition = tuple[str | None, str]
"""Month and suite, which one file holds the runs of."""

MANIFEST = "_macmeter.json"
FILE = "results.parquet"
# Name used by Hive, Spark and DuckDB for the partition without a value.
_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
# After such a change, the file that had the run is unknown, so all files are rewritten.
_CHANGES_ANYWHERE = {"deleted", "rederived"}
# A snapshot that sees no transaction.
_EMPTY_SNAPSHOT = "1:1:"
# Keys per query.
_KEYS_PER_QUERY = 1_000


@dataclass(frozen=True)
class Manifest:
    """Content of the manifest."""

    log_id: uuid.UUID
    snapshot: str
    public_fleets: frozenset[uuid.UUID]
    partitions: set[Partition]


def check(target: Path) -> None:
    """Raise InputError if a data set can't be written to `target`."""
    _read_manifest(target)


@dataclass(frozen=True)
class _Source:
    """What to export: rows in `directory`, and the partitions they belong to."""

    directory: Path
    log: Log
    partitions: set[Partition]
    changed: set[Partition]
    left_out: int
    demo: bool


def write_dataset(url: str, target: Path, files: Path | None = None) -> int:
    """Create or update the data set in `target`; return the number of runs left out because they
    can't be read. `files` is the server's own data set, if there is one.
    """
    previous = _read_manifest(target)
    with downloads.new_directory(None) as directory:
        source = asyncio.run(_read_source(url, previous, files, directory))
        try:
            _write_partitions(source, target, is_new=previous is None)
        except OSError as error:
            raise Interrupted(
                f"{target}: {error.strerror}. The same command goes on from here."
            ) from None
    return source.left_out


def _write_partitions(source: _Source, target: Path, *, is_new: bool) -> None:
    progress = Progress("export", "parts")
    target.mkdir(parents=True, exist_ok=True)
    if is_new:
        # Write the manifest first, so that an interrupted export is recognised.
        _replace_file(
            target / MANIFEST,
            _manifest_text(replace(source.log, snapshot=_EMPTY_SNAPSHOT), set()).encode(),
        )
    format_options = parquet_options(datetime.now(UTC), source.left_out, demo=source.demo)
    due = sorted(source.changed & source.partitions, key=_path_of)
    for done, partition in enumerate(due):
        progress.show(done, done / len(due))
        _write_partition(target / _path_of(partition), source.directory, format_options, partition)
    for path in _data_files(target):
        if _partition_of(path.parent.relative_to(target)) not in source.partitions:
            _remove(path, target)
    _replace_file(target / MANIFEST, _manifest_text(source.log, source.partitions).encode())
    progress.say(f"export: {number_of(len(due), 'file')} of {len(source.partitions)} written")
    if source.left_out:
        progress.say(f"export: {number_of(source.left_out, 'run')} can't be read and left out")


async def _read_source(
    url: str, previous: Manifest | None, files: Path | None, directory: Path
) -> _Source:
    """Freeze the rows of the server's data set, or of a new one if that is too far behind."""
    engine = database.reading_engine(url, pool_size=2, seconds=600)
    try:
        if files is not None:
            with contextlib.suppress(BuildingError):
                return await _freeze_source(engine, previous, files, directory / "followed")
        built = directory / "built"
        await write_down(engine, built)
        return await _freeze_source(engine, previous, built, directory / "rows")
    finally:
        await engine.dispose()


async def _freeze_source(
    engine: AsyncEngine, previous: Manifest | None, files: Path, directory: Path
) -> _Source:
    directory.mkdir()
    frozen = engine.execution_options(isolation_level="REPEATABLE READ", dataset=files)
    async with frozen.connect() as connection:
        reading = await begin_reading(connection, ANYBODY)
        freeze(reading.data, reading.scope, (), directory)
        log = await find_log(connection)
        partitions = await _public_partitions(connection)
        return _Source(
            directory,
            log,
            partitions,
            await _changed_partitions(connection, log, previous, partitions),
            await count_missing_from_dataset(reading),
            bool(await connection.scalar(select(exists().select_from(Demo)))),
        )


async def _public_partitions(connection: AsyncConnection) -> set[Partition]:
    """Return the partitions with public runs."""
    statement = select(Run.month, Run.suite).where(visible(COMMONS), not_withdrawn()).distinct()
    return {(row.month, row.suite) for row in await connection.execute(statement)}


async def _changed_partitions(
    connection: AsyncConnection, log: Log, previous: Manifest | None, partitions: set[Partition]
) -> set[Partition]:
    """Return the partitions with changed runs; all if that is unknown."""
    if previous is None or log.log_id != previous.log_id or log.misses(previous.snapshot):
        return partitions
    if log.public_fleets != previous.public_fleets:
        # A fleet's change of visibility isn't logged as a change of its runs.
        return partitions
    changes = await changes_since(connection, previous.snapshot)
    if any(change.kind in _CHANGES_ANYWHERE for change in changes):
        return partitions
    return partitions - previous.partitions | await _partitions_of(connection, changes)


async def _partitions_of(connection: AsyncConnection, changes: list[Change]) -> set[Partition]:
    partitions: set[Partition] = set()
    keys = [*{(change.machine_id, change.run_id) for change in changes}]
    for start in range(0, len(keys), _KEYS_PER_QUERY):
        batch = keys[start : start + _KEYS_PER_QUERY]
        statement = select(Run.month, Run.suite).where(
            tuple_(Run.machine_id, Run.run_id).in_(batch)
        )
        rows = await connection.execute(statement.distinct())
        partitions |= {(row.month, row.suite) for row in rows}
    return partitions


def _write_partition(
    target: Path, directory: Path, format_options: str, partition: Partition
) -> None:
    month, suite = partition
    target.mkdir(parents=True, exist_ok=True)
    partial = target / f"{FILE}.part"
    in_month = f"{MONTH} = {literal(month)}" if month is not None else f"{MONTH} IS NULL"
    try:
        write(directory, partial, format_options, f"{in_month} AND setups.suite = {literal(suite)}")
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target / FILE)
    finally:
        partial.unlink(missing_ok=True)


def _read_manifest(target: Path) -> Manifest | None:
    """Read the manifest; InputError if the directory holds something else."""
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} isn't a directory: name one for the data set.")
    try:
        manifest = json.loads((target / MANIFEST).read_bytes())
        if manifest["version"] != VERSION:
            return None
        partitions = {_partition_of(Path(path)) for path in manifest["parts"]}
        public_fleets = frozenset(map(uuid.UUID, manifest["public_fleets"]))
        return Manifest(uuid.UUID(manifest["log"]), manifest["snapshot"], public_fleets, partitions)
    except FileNotFoundError:
        if target.is_dir() and any(target.iterdir()):
            raise InputError(
                f"{target} holds something else ({MANIFEST} is missing): name a new directory."
            ) from None
        return None
    except (ValueError, KeyError, TypeError):
        raise InputError(
            f"{target / MANIFEST} is damaged: delete it with all that is beside it."
        ) from None


def _manifest_text(log: Log, partitions: set[Partition]) -> str:
    manifest = {
        "version": VERSION,
        "log": str(log.log_id),
        "snapshot": log.snapshot,
        "public_fleets": sorted(map(str, log.public_fleets)),
        "parts": sorted(_path_of(partition) for partition in partitions),
    }
    return json.dumps(manifest, indent=1) + "\n"


def _path_of(partition: Partition) -> str:
    month, suite = (
        quote(value, safe="") if value is not None else _NO_VALUE for value in partition
    )
    return f"month={month}/suite={suite}"


def _partition_of(path: Path) -> Partition:
    month, suite = (unquote(name.partition("=")[2]) for name in path.parts)
    return (None if month == _NO_VALUE else month, suite)


def _data_files(target: Path) -> list[Path]:
    return sorted(target.glob(f"month=*/suite=*/{FILE}"))


def _remove(path: Path, target: Path) -> None:
    """Remove a file, and directories that are then empty."""
    path.unlink()
    for directory in (path.parent, path.parent.parent):
        with contextlib.suppress(OSError):
            directory.rmdir()


def _replace_file(path: Path, content: bytes) -> None:
    """Replace a file atomically."""
    new = path.with_name(f"{path.name}.part")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
