"""Downloads: what a snapshot sees is put by, since they take longer than files and snapshots stay.

    ROOT/downloads/<random>/    locked by whoever sends what is in it; it doesn't outlive its use

Files of the data set are linked there, so nothing of them is copied; what is newer is written
beside them. DuckDB reads it in a process of its own, with memory for which no question waits, and
spills what needs more; what it writes is sent meanwhile.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from duckdb import DuckDBPyConnection

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Term
from macmeter.platform.licence import LICENCE
from macmeter.platform.processes.process import apart_meanwhile
from macmeter.results.dataset.corpus import COLUMNS, OF_SAMPLES, VERSION, lines
from macmeter.results.dataset.files import OutrunError, make_directory
from macmeter.results.dataset.loading import objects
from macmeter.results.dataset.relations import RELATIONS, connect
from macmeter.results.dataset.snapshot import ChosenSetups, Snapshot
from macmeter.results.dataset.wording import listed, literal

_BELOW = "downloads"
_CHUNK = 64 * 1024
# A group of rows is held until it is whole.
_ROW_GROUP = 20_480


@contextlib.contextmanager
def directory(root: Path | None) -> Iterator[Path]:
    """A new one below `root`, or where programs put what is temporary; removed in the end."""
    if root is None:
        with tempfile.TemporaryDirectory(prefix="macmeter-") as name:
            yield Path(name)
        return
    with _locked(root) as below:
        path = below / secrets.token_hex(8)
        make_directory(path)
        lock = os.open(path, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


@contextlib.contextmanager
def _locked(root: Path) -> Iterator[Path]:
    """While nobody else makes one or removes any."""
    make_directory(root / _BELOW)
    lock = os.open(root / _BELOW, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield root / _BELOW
    finally:
        os.close(lock)


def sweep(root: Path) -> None:
    """Remove those of processes that have ended, however they did."""
    if not (root / _BELOW).exists():
        return
    with _locked(root) as below:
        for path in below.iterdir():
            lock = os.open(path, os.O_RDONLY)
            try:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


# Another file would have other rights, and a pipe can't be replaced.
IN_PLACE = "USE_TMP_FILE false"
# Lines end as RFC 4180 says.
CSV = rf"FORMAT csv, HEADER, NEW_LINE '\r\n', {IN_PLACE}"
_SETTINGS = {
    "memory_limit": "256MB",
    "threads": 1,
    # Tables are joined as statements say: see corpus.py.
    "disabled_optimizers": "join_order,build_side_probe_side",
}


def freeze(snapshot: Snapshot, scope: Scope, terms: Sequence[Term], directory: Path) -> None:
    """Put by in `directory` the runs that match filters of setups and may be read in `scope`, which
    is not that of a machine. OutrunError where files are gone.
    """
    chosen = f"SEMI JOIN {ChosenSetups(snapshot, terms, scope).relation()} USING (setup)"
    own = {
        "setups": f"SELECT setups.* FROM setups {chosen}",
        "runs": f"SELECT runs.* FROM runs {chosen}",
        "results": f"SELECT results.* FROM results {chosen} ORDER BY series",
        "hidden": "SELECT run_id FROM changed",
        "series": _series(snapshot),
    }
    for name, rows in own.items():
        path = directory / f"{name}.parquet"
        path.touch(0o600)
        snapshot.rows(f"COPY ({rows}) TO {literal(str(path))} (FORMAT parquet, {IN_PLACE})")
    asked = scope.asked(terms)
    for relation in ("runs", "results"):
        for number, (part, file) in enumerate(snapshot.files_of(relation, asked)):
            # In the order of series, in which they are read.
            name = f"{relation}-{file.least or 0:09}-{number}.parquet"
            _link(part.path(file), directory / name)


def _series(snapshot: Snapshot) -> str:
    """What their numbers stand for."""
    known = {number: of for number, of in snapshot.series.items() if of.metric in catalog.METRICS}
    columns = {
        "series": np.array([*known], dtype=np.int32),
        "metric": objects(of.metric for of in known.values()),
        "unit": objects(catalog.METRICS[of.metric].unit.value for of in known.values()),
        **{name: objects(of.parameter(name) for of in known.values()) for name in OF_SAMPLES},
    }
    types = {"series": "INTEGER", "metric": "VARCHAR", "unit": "VARCHAR"} | OF_SAMPLES
    told = listed(f'"{name}"::{kind} AS "{name}"' for name, kind in types.items())
    return f"SELECT {told} FROM {snapshot.register(columns)}"


def _link(path: Path, to: Path) -> None:
    try:
        os.link(path, to)
    except FileNotFoundError:
        raise OutrunError from None
    except OSError:  # on another disk
        shutil.copyfile(path, to)


def opened(directory: Path) -> DuckDBPyConnection:
    """What is put by there as the views `setups`, `runs`, `results` and `series`."""
    connection = connect()
    for name, value in _SETTINGS.items():
        connection.execute(f"SET {name} = {literal(str(value))}")
    connection.execute(f"SET temp_directory = {literal(str(directory / 'spilled'))}")
    for name in ("setups", "runs", "results", "series"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE VIEW {name} AS {_rows(directory, name)}")
    return connection


def _rows(directory: Path, name: str) -> str:
    own = f"FROM read_parquet({literal(str(directory / name))} || '.parquet')"
    if not (linked := sorted(directory.glob(f"{name}-*.parquet"))):
        return own
    columns = listed(f'"{column}"' for column in RELATIONS[name])
    files = f"read_parquet([{listed(literal(str(path)) for path in linked)}])"
    hidden = f"read_parquet({literal(str(directory / 'hidden.parquet'))})"
    return (
        f"SELECT {columns} FROM {files} WHERE run_id NOT IN (FROM {hidden})"
        f" UNION ALL SELECT {columns} {own}"
    )


def parquet(made_at: datetime, left_out: int, *, demo: bool, private: str | None = None) -> str:
    """How DuckDB writes Parquet, with the metadata of the file; `private` as in accounts/scope.py.

    What is private is under no licence.
    """
    columns = [
        {"name": one.name, "type": one.type, "unit": one.unit, "about": one.about}
        for one in COLUMNS
    ]
    said = {
        "macmeter.version": VERSION,
        "macmeter.columns": json.dumps(columns, ensure_ascii=False),
        "macmeter.made_at": made_at.isoformat(timespec="seconds"),
        "macmeter.unreadable_runs": str(left_out),
    }
    if private is None:
        said |= {"macmeter.licence": LICENCE["name"], "macmeter.licence_text": LICENCE["text"]}
    else:
        said["macmeter.private"] = private
    if demo:
        said["macmeter.demo"] = "true"
    metadata = listed(f"{literal(name)}: {literal(value)}" for name, value in said.items())
    return (
        f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP}, {IN_PLACE},"
        f" KV_METADATA {{{metadata}}}"
    )


def write(directory: Path, to: Path, how: str, where: str = "true") -> None:
    """Write what `freeze` put by in `directory`, as `CSV` or `parquet` says."""
    with opened(directory) as connection:
        rows = lines(as_csv=how == CSV, where=where)
        connection.execute(f"COPY ({rows}) TO {literal(str(to))} ({how})")


async def sent(directory: Path, how: str) -> AsyncGenerator[bytes]:
    """The same as it is written: a pipe holds the writer up while the reader is slow, and breaks
    under it when the reader has gone.
    """
    pipe = directory / "pipe"
    os.mkfifo(pipe, 0o600)
    source = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    # As long as this end is open a writer that has not begun yet is not one that has ended.
    end = os.open(pipe, os.O_WRONLY)
    writing = asyncio.ensure_future(
        apart_meanwhile("macmeter-download", write, directory, pipe, how)
    )
    writing.add_done_callback(lambda _: os.close(end))
    reader = asyncio.StreamReader(limit=_CHUNK)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb")
    )
    try:
        while chunk := await reader.read(_CHUNK):
            yield chunk
        await writing  # a file that broke off must not look like one that ended
    finally:
        transport.close()
        writing.add_done_callback(_forget)


def _forget(writing: asyncio.Future[None]) -> None:
    """What failed after its reader had gone is nobody's concern."""
    if not writing.cancelled():
        writing.exception()
