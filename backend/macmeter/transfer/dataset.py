"""`macmeter-server export --parquet`: the corpus as a data set, a file for each month and suite.

    DIR/month=2026-11/suite=disk/results.parquet
    DIR/_macmeter.json                              up to which change it was written

A repeated export follows the change log and rewrites only files whose runs have changed.
Each is replaced as a whole, so whoever reads meanwhile has a run whole or not at all.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import uuid
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote

from sqlalchemy import exists, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import database
from macmeter.access.scope import COMMONS
from macmeter.access.visibility import visible
from macmeter.changelog import Change, Log, changes_since, find_log
from macmeter.isolation import DOCUMENTS, Isolated
from macmeter.models import Demo, Run
from macmeter.progress import Progress, number_of
from macmeter.queries.corpus_files import as_parquet, metadata_of
from macmeter.reading.corpus import VERSION, Part, pages, unreadable_runs
from macmeter.reading.filters import standing
from macmeter.transfer.errors import InputError, Interrupted

MANIFEST = "_macmeter.json"
FILE = "results.parquet"
# As Hive, Spark and DuckDB call the part of those without a value.
_NONE = "__HIVE_DEFAULT_PARTITION__"
# Where a run was before these is not known any more: everything is looked at.
_ANYWHERE = {"deleted", "rederived"}
# Sees no transaction at all.
_NOTHING = "1:1:"
# Of keys in one question.
_AT_ONCE = 1_000


@dataclass(frozen=True)
class Written:
    """What the manifest says."""

    log_id: uuid.UUID
    snapshot: str
    public_fleets: frozenset[uuid.UUID]
    parts: set[Part]


def check(target: Path) -> None:
    """InputError if a data set can't be written there."""
    _read(target)


def write_dataset(url: str, target: Path) -> int:
    """Make the data set in `target` what the database says, however far it was; how many runs had
    to be left out, whose documents can't be read.
    """
    before = _read(target)
    return asyncio.run(_write(url, target, before))


async def _write(url: str, target: Path, before: Written | None) -> int:
    engine = database.reading_engine(url, pool_size=2, seconds=600)
    runs = Isolated(DOCUMENTS, quiet=True)
    progress = Progress("export", "parts")
    try:
        async with engine.connect() as connection:
            log = await find_log(connection)
            every = await _parts(connection)
            changed = await _changed(connection, log, before, every)
            demo = bool(await connection.scalar(select(exists().select_from(Demo))))
            unreadable = await unreadable_runs(connection)
        target.mkdir(parents=True, exist_ok=True)
        if before is None:
            # From here on it is known for what it is, however far this gets.
            _put(target / MANIFEST, _manifest(replace(log, snapshot=_NOTHING), set()).encode())
        metadata = metadata_of(datetime.now(UTC), unreadable, demo=demo)
        for done, part in enumerate(sorted(changed & every, key=_path_of)):
            progress.show(done, done / len(changed))
            chunks = as_parquet(pages(engine, runs, part), metadata, runs)
            await _write_part(target / _path_of(part), chunks)
        for path in _files(target):
            if _part_of(path.parent.relative_to(target)) not in every:
                _remove(path, target)
        _put(target / MANIFEST, _manifest(log, every).encode())
        progress.say(f"export: {number_of(len(changed & every), 'file')} of {len(every)} written")
        for run, reason in runs.failed.items():
            progress.say(f"export: run {run}: {reason}; left out")
        return len(runs.failed)
    except OSError as error:
        raise Interrupted(
            f"{target}: {error.strerror}. The same command goes on from here."
        ) from None
    finally:
        await engine.dispose()


async def _parts(connection: AsyncConnection) -> set[Part]:
    """Of all that everybody may read."""
    statement = select(Run.month, Run.suite).where(visible(COMMONS), standing()).distinct()
    return {(row.month, row.suite) for row in await connection.execute(statement)}


async def _changed(
    connection: AsyncConnection, log: Log, before: Written | None, every: set[Part]
) -> set[Part]:
    """The parts of which a run has changed since; all of them where that is unknown."""
    if before is None or log.log_id != before.log_id or log.misses(before.snapshot):
        return every
    if log.public_fleets != before.public_fleets:
        # A fleet that opens or closes changes none of its runs.
        return every
    changes = await changes_since(connection, before.snapshot)
    if any(change.kind in _ANYWHERE for change in changes):
        return every
    return every - before.parts | await _parts_of(connection, changes)


async def _parts_of(connection: AsyncConnection, changes: list[Change]) -> set[Part]:
    found: set[Part] = set()
    keys = [*{(change.machine_id, change.run_id) for change in changes}]
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        statement = select(Run.month, Run.suite).where(tuple_(Run.machine_id, Run.run_id).in_(some))
        rows = await connection.execute(statement.distinct())
        found |= {(row.month, row.suite) for row in rows}
    return found


async def _write_part(directory: Path, chunks: AsyncGenerator[bytes]) -> None:
    directory.mkdir(parents=True, exist_ok=True)
    half = directory / f"{FILE}.part"
    try:
        with half.open("wb") as file:
            async with contextlib.aclosing(chunks):
                async for chunk in chunks:
                    file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        half.replace(directory / FILE)
    finally:
        half.unlink(missing_ok=True)


def _read(target: Path) -> Written | None:
    """What was written there; InputError where something else is."""
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} isn't a directory: name one for the data set.")
    try:
        said = json.loads((target / MANIFEST).read_bytes())
        if said["version"] != VERSION:
            return None
        parts = {_part_of(Path(path)) for path in said["parts"]}
        public_fleets = frozenset(map(uuid.UUID, said["public_fleets"]))
        return Written(uuid.UUID(said["log"]), said["snapshot"], public_fleets, parts)
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


def _manifest(log: Log, parts: set[Part]) -> str:
    said = {
        "version": VERSION,
        "log": str(log.log_id),
        "snapshot": log.snapshot,
        "public_fleets": sorted(map(str, log.public_fleets)),
        "parts": sorted(_path_of(part) for part in parts),
    }
    return json.dumps(said, indent=1) + "\n"


def _path_of(part: Part) -> str:
    month, suite = (quote(value, safe="") if value is not None else _NONE for value in part)
    return f"month={month}/suite={suite}"


def _part_of(path: Path) -> Part:
    month, suite = (unquote(name.partition("=")[2]) for name in path.parts)
    return (None if month == _NONE else month, suite)


def _files(target: Path) -> list[Path]:
    return sorted(target.glob(f"month=*/suite=*/{FILE}"))


def _remove(path: Path, target: Path) -> None:
    """A file, and the directories that are empty without it."""
    path.unlink()
    for directory in (path.parent, path.parent.parent):
        with contextlib.suppress(OSError):
            directory.rmdir()


def _put(path: Path, content: bytes) -> None:
    """Counts once it is there."""
    new = path.with_name(f"{path.name}.part")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
