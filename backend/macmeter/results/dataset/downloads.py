"""Downloads, written from frozen copies of a snapshot, since files and transactions end sooner.

    ROOT/downloads/<random>/    locked by the sending process; removed after use

Files of the data set are hard-linked rather than copied; newer rows are written beside them. DuckDB
reads them in a separate process, so that its memory is not taken from questions, and spills to
disk beyond its limit. Output is sent as it is written.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import secrets
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from datetime import datetime
from pathlib import Path

import numpy as np
from duckdb import DuckDBPyConnection

from macmeter import catalog
from macmeter.accounts.scope import Scope
from macmeter.catalog.terms import Term
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.platform.release import LICENCE
from macmeter.results.dataset.corpus import COLUMNS, OF_SAMPLES, VERSION, Column, rows_statement
from macmeter.results.dataset.files import OutrunError, make_directory
from macmeter.results.dataset.loading import objects
from macmeter.results.dataset.relations import RELATIONS, connect
from macmeter.results.dataset.snapshot import ChosenSetups, Snapshot
from macmeter.results.dataset.sql import listed, literal

_FOLDER = "downloads"
# Time in which a new directory is surely locked.
_LOCK_SECONDS = 60.0
_CHUNK = 64 * 1024
# A row group is held in memory until it is complete.
_ROW_GROUP = 20_480


@contextlib.contextmanager
def new_directory(root: Path | None) -> Iterator[Path]:
    """Yield a new directory below `root`, or a temporary one; remove it at the end."""
    if root is None:
        with tempfile.TemporaryDirectory(prefix="macmeter-") as name:
            yield Path(name)
        return
    path = root / _FOLDER / secrets.token_hex(8)
    make_directory(path)
    lock = os.open(path, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(lock)


def remove_abandoned(root: Path) -> None:
    """Remove directories of processes that have ended for whatever reason."""
    for path in (root / _FOLDER).glob("*"):
        with contextlib.suppress(OSError):  # locked, or gone meanwhile
            if time.time() - path.stat().st_mtime < _LOCK_SECONDS:
                continue
            lock = os.open(path, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)


# A temporary file would have other permissions, and a pipe can't be replaced.
IN_PLACE = "USE_TMP_FILE false"
# CRLF line ends, as in RFC 4180.
CSV_OPTIONS = rf"FORMAT csv, HEADER, NEW_LINE '\r\n', {IN_PLACE}"
_SETTINGS = {
    "memory_limit": "256MB",
    "threads": 1,
    # Keep the join order of statements: see corpus.py.
    "disabled_optimizers": "join_order,build_side_probe_side",
}


def freeze(snapshot: Snapshot, scope: Scope, terms: Sequence[Term], directory: Path) -> None:
    """Copy the readable runs that match filters of setups to `directory`.

    Raises OutrunError if files are gone.
    """
    needed_scope = scope.asked(terms)
    setups = ChosenSetups(snapshot, terms, scope)
    matching_setups = setups.relation()

    def readable(name: str) -> str:
        columns = listed(f'"{column}"' for column in RELATIONS[name])
        source = snapshot.relation(name, columns, needed_scope) if needed_scope.macs else name
        conditions = " AND ".join(setups.conditions())
        join = f"{source} AS {name} JOIN (FROM {matching_setups}) AS matching USING (setup)"
        return f"SELECT {name}.* FROM {join} WHERE {conditions}"

    queries = {
        "setups": f"SELECT setups.* FROM setups SEMI JOIN {matching_setups} USING (setup)",
        "runs": readable("runs"),
        "results": f"{readable('results')} ORDER BY series",
        "hidden": "SELECT run_id FROM changed",
        "series": _series_query(snapshot),
    }
    for name, rows in queries.items():
        path = directory / f"{name}.parquet"
        path.touch(0o600)
        snapshot.rows(f"COPY ({rows}) TO {literal(str(path))} (FORMAT parquet, {IN_PLACE})")
    # For single machines, `results` and `runs` were copied instead: files have others as well.
    for relation in ("runs", "results") if not needed_scope.macs else ():
        for number, (part, file) in enumerate(snapshot.files_of(relation, needed_scope)):
            # Names sort in the order of series, in which they are read.
            name = f"{relation}-{file.least or 0:09}-{number}.parquet"
            _link_or_copy(part.path(file), directory / name)


def _series_query(snapshot: Snapshot) -> str:
    """Return the query of the series behind series numbers."""
    series = {
        number: item for number, item in snapshot.series.items() if item.metric in catalog.METRICS
    }
    columns = {
        "series": np.array([*series], dtype=np.int32),
        "metric": objects(item.metric for item in series.values()),
        "unit": objects(catalog.METRICS[item.metric].unit.value for item in series.values()),
        **{name: objects(item.parameter(name) for item in series.values()) for name in OF_SAMPLES},
    }
    types = {"series": "INTEGER", "metric": "VARCHAR", "unit": "VARCHAR"} | OF_SAMPLES
    select_list = listed(f'"{name}"::{kind} AS "{name}"' for name, kind in types.items())
    return f"SELECT {select_list} FROM {snapshot.register(columns)}"


def _link_or_copy(path: Path, target: Path) -> None:
    try:
        os.link(path, target)
    except FileNotFoundError:
        raise OutrunError from None
    except OSError:  # on another disk
        shutil.copyfile(path, target)


def open_copy(directory: Path) -> DuckDBPyConnection:
    """Open a frozen copy as the views `setups`, `runs`, `results` and `series`."""
    connection = connect()
    for name, value in _SETTINGS.items():
        connection.execute(f"SET {name} = {literal(str(value))}")
    connection.execute(f"SET temp_directory = {literal(str(directory / 'spilled'))}")
    for name in ("setups", "runs", "results", "series"):
        connection.execute(f"DROP TABLE IF EXISTS {name}")
        connection.execute(f"CREATE VIEW {name} AS {_rows_query(directory, name)}")
    return connection


def _rows_query(directory: Path, name: str) -> str:
    new_rows = f"FROM read_parquet({literal(str(directory / name))} || '.parquet')"
    if not (linked := sorted(directory.glob(f"{name}-*.parquet"))):
        return new_rows
    columns = listed(f'"{column}"' for column in RELATIONS[name])
    files = f"read_parquet([{listed(literal(str(path)) for path in linked)}])"
    hidden = f"read_parquet({literal(str(directory / 'hidden.parquet'))})"
    return (
        f"SELECT {columns} FROM {files} WHERE run_id NOT IN (FROM {hidden})"
        f" UNION ALL SELECT {columns} {new_rows}"
    )


def parquet_options(
    made_at: datetime, unreadable_runs: int, *, demo: bool, private: str | None = None
) -> str:
    """Return DuckDB's Parquet options with the file's metadata; `private` as in accounts/scope.py.

    Private data has no licence.
    """
    columns = [
        {"name": column.name, "type": column.type, "unit": column.unit, "about": column.about}
        for column in COLUMNS
    ]
    entries = {
        "macmeter.version": VERSION,
        "macmeter.columns": json.dumps(columns, ensure_ascii=False),
        "macmeter.made_at": made_at.isoformat(timespec="seconds"),
        "macmeter.unreadable_runs": str(unreadable_runs),
    }
    if private is None:
        entries |= {"macmeter.licence": LICENCE["name"], "macmeter.licence_text": LICENCE["text"]}
    else:
        entries["macmeter.private"] = private
    if demo:
        entries["macmeter.demo"] = "true"
    metadata = listed(f"{literal(name)}: {literal(value)}" for name, value in entries.items())
    return (
        f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP}, {IN_PLACE},"
        f" KV_METADATA {{{metadata}}}"
    )


def write(
    directory: Path,
    target: Path,
    options: str,
    where: str = "true",
    columns: Sequence[Column] = COLUMNS,
) -> None:
    """Write the frozen copy in `directory` in the format of `CSV_OPTIONS` or `parquet_options`."""
    with open_copy(directory) as connection:
        rows = rows_statement(as_csv=options == CSV_OPTIONS, where=where, columns=columns)
        connection.execute(f"COPY ({rows}) TO {literal(str(target))} ({options})")


async def stream(directory: Path, options: str) -> AsyncGenerator[bytes]:
    """Yield the output as it is written, through a pipe: a slow reader blocks the writer, and a
    disconnect ends it.
    """
    pipe = directory / "pipe"
    os.mkfifo(pipe, 0o600)
    read_end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    # Keeps the pipe from reporting its end before the writer has opened it.
    write_end = os.open(pipe, os.O_WRONLY)
    writing = asyncio.ensure_future(
        run_in_subprocess_async("macmeter-download", write, directory, pipe, options)
    )
    writing.add_done_callback(lambda _: os.close(write_end))
    reader = asyncio.StreamReader(limit=_CHUNK)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(read_end, "rb")
    )
    try:
        while chunk := await reader.read(_CHUNK):
            yield chunk
        await writing  # a truncated file must not look complete
    finally:
        transport.close()
        writing.add_done_callback(_discard_error)


def _discard_error(writing: asyncio.Future[None]) -> None:
    """Discard errors that occurred after the reader had gone."""
    if not writing.cancelled():
        writing.exception()
