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
from macmeter.results.chosen import left_out
from macmeter.results.context import begin_reading
from macmeter.results.dataset import downloads
from macmeter.results.dataset.corpus import MONTH, VERSION
from macmeter.results.dataset.downloads import freeze, parquet, write
from macmeter.results.dataset.files import BuildingError
from macmeter.results.dataset.wording import literal
from macmeter.results.dataset.writer import write_down
from macmeter.results.filters import standing
from macmeter.runs.transfer.files import InputError, Interrupted

Part = tuple[str | None, str]
"""Month and suite of a file."""

MANIFEST = "_macmeter.json"
FILE = "results.parquet"
# Name used by Hive, Spark and DuckDB for the partition without a value.
_NONE = "__HIVE_DEFAULT_PARTITION__"
# The previous file of such a run is unknown, so all files are rewritten.
_ANYWHERE = {"deleted", "rederived"}
# A snapshot that sees no transaction.
_NOTHING = "1:1:"
# Keys per query.
_AT_ONCE = 1_000


@dataclass(frozen=True)
class Written:
    """Content of the manifest."""

    log_id: uuid.UUID
    snapshot: str
    public_fleets: frozenset[uuid.UUID]
    parts: set[Part]


def check(target: Path) -> None:
    """Raise InputError if a data set can't be written there."""
    _read(target)


@dataclass(frozen=True)
class _State:
    """State of the database, with its rows in `directory`."""

    directory: Path
    log: Log
    parts: set[Part]
    changed: set[Part]
    left_out: int
    demo: bool


def write_dataset(url: str, target: Path, files: Path | None = None) -> int:
    """Create or update the data set in `target`; return the number of runs left out because they
    can't be read. `files` is the server's own data set, if there is one.
    """
    previous = _read(target)
    with downloads.directory(None) as directory:
        state = asyncio.run(_find(url, previous, files, directory))
        try:
            _write(state, target, is_new=previous is None)
        except OSError as error:
            raise Interrupted(
                f"{target}: {error.strerror}. The same command goes on from here."
            ) from None
    return state.left_out


def _write(state: _State, target: Path, *, is_new: bool) -> None:
    progress = Progress("export", "parts")
    target.mkdir(parents=True, exist_ok=True)
    if is_new:
        # Write the manifest first, so that an interrupted export is recognised.
        _put(target / MANIFEST, _manifest(replace(state.log, snapshot=_NOTHING), set()).encode())
    how = parquet(datetime.now(UTC), state.left_out, demo=state.demo)
    due = sorted(state.changed & state.parts, key=_path_of)
    for done, part in enumerate(due):
        progress.show(done, done / len(due))
        _write_part(target / _path_of(part), state.directory, how, part)
    for path in _files(target):
        if _part_of(path.parent.relative_to(target)) not in state.parts:
            _remove(path, target)
    _put(target / MANIFEST, _manifest(state.log, state.parts).encode())
    progress.say(f"export: {number_of(len(due), 'file')} of {len(state.parts)} written")
    if state.left_out:
        progress.say(f"export: {number_of(state.left_out, 'run')} can't be read and left out")


async def _find(url: str, previous: Written | None, files: Path | None, directory: Path) -> _State:
    """Read the state from existing files, or from new ones if these are too far behind."""
    engine = database.reading_engine(url, pool_size=2, seconds=600)
    try:
        if files is not None:
            with contextlib.suppress(BuildingError):
                return await _frozen_state(engine, previous, files, directory / "followed")
        built = directory / "built"
        await write_down(engine, built)
        return await _frozen_state(engine, previous, built, directory / "rows")
    finally:
        await engine.dispose()


async def _frozen_state(
    engine: AsyncEngine, previous: Written | None, files: Path, directory: Path
) -> _State:
    directory.mkdir()
    frozen = engine.execution_options(isolation_level="REPEATABLE READ", dataset=files)
    async with frozen.connect() as connection:
        reading = await begin_reading(connection, ANYBODY)
        freeze(reading.data, reading.scope, (), directory)
        log = await find_log(connection)
        parts = await _parts(connection)
        return _State(
            directory,
            log,
            parts,
            await _changed(connection, log, previous, parts),
            await left_out(reading),
            bool(await connection.scalar(select(exists().select_from(Demo)))),
        )


async def _parts(connection: AsyncConnection) -> set[Part]:
    """Return the parts with public runs."""
    statement = select(Run.month, Run.suite).where(visible(COMMONS), standing()).distinct()
    return {(row.month, row.suite) for row in await connection.execute(statement)}


async def _changed(
    connection: AsyncConnection, log: Log, previous: Written | None, parts: set[Part]
) -> set[Part]:
    """Return the parts with changed runs; all if that is unknown."""
    if previous is None or log.log_id != previous.log_id or log.misses(previous.snapshot):
        return parts
    if log.public_fleets != previous.public_fleets:
        # A fleet's change of visibility isn't logged as a change of its runs.
        return parts
    changes = await changes_since(connection, previous.snapshot)
    if any(change.kind in _ANYWHERE for change in changes):
        return parts
    return parts - previous.parts | await _parts_of(connection, changes)


async def _parts_of(connection: AsyncConnection, changes: list[Change]) -> set[Part]:
    parts: set[Part] = set()
    keys = [*{(change.machine_id, change.run_id) for change in changes}]
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        statement = select(Run.month, Run.suite).where(tuple_(Run.machine_id, Run.run_id).in_(some))
        rows = await connection.execute(statement.distinct())
        parts |= {(row.month, row.suite) for row in rows}
    return parts


def _write_part(target: Path, directory: Path, how: str, part: Part) -> None:
    month, suite = part
    target.mkdir(parents=True, exist_ok=True)
    half = target / f"{FILE}.part"
    in_month = f"{MONTH} = {literal(month)}" if month is not None else f"{MONTH} IS NULL"
    try:
        write(directory, half, how, f"{in_month} AND setups.suite = {literal(suite)}")
        with half.open("rb") as file:
            os.fsync(file.fileno())
        half.replace(target / FILE)
    finally:
        half.unlink(missing_ok=True)


def _read(target: Path) -> Written | None:
    """Read the manifest; InputError if the directory holds something else."""
    if target.exists() and not target.is_dir():
        raise InputError(f"{target} isn't a directory: name one for the data set.")
    try:
        manifest = json.loads((target / MANIFEST).read_bytes())
        if manifest["version"] != VERSION:
            return None
        parts = {_part_of(Path(path)) for path in manifest["parts"]}
        public_fleets = frozenset(map(uuid.UUID, manifest["public_fleets"]))
        return Written(uuid.UUID(manifest["log"]), manifest["snapshot"], public_fleets, parts)
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
    manifest = {
        "version": VERSION,
        "log": str(log.log_id),
        "snapshot": log.snapshot,
        "public_fleets": sorted(map(str, log.public_fleets)),
        "parts": sorted(_path_of(part) for part in parts),
    }
    return json.dumps(manifest, indent=1) + "\n"


def _path_of(part: Part) -> str:
    month, suite = (quote(value, safe="") if value is not None else _NONE for value in part)
    return f"month={month}/suite={suite}"


def _part_of(path: Path) -> Part:
    month, suite = (unquote(name.partition("=")[2]) for name in path.parts)
    return (None if month == _NONE else month, suite)


def _files(target: Path) -> list[Path]:
    return sorted(target.glob(f"month=*/suite=*/{FILE}"))


def _remove(path: Path, target: Path) -> None:
    """Remove a file, and directories that are then empty."""
    path.unlink()
    for directory in (path.parent, path.parent.parent):
        with contextlib.suppress(OSError):
            directory.rmdir()


def _put(path: Path, content: bytes) -> None:
    """Replace a file atomically."""
    new = path.with_name(f"{path.name}.part")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
