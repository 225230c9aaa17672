"""Rows on their way from PostgreSQL to files: taken as they are read, then put by in order.

Where everything is read they are put by in a file, so that neither memory nor the end of a process
bounds how much that may be.
"""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from duckdb import DuckDBPyConnection

from macmeter.dataset.engine import connect
from macmeter.dataset.files import FORMAT, PRIVATE, PUBLIC
from macmeter.dataset.reading import Key
from macmeter.dataset.relations import RELATIONS, columns_of

MEMORY = ":memory:"
_FIRST = (uuid.UUID(int=0), uuid.UUID(int=0))
_SCOPE = f"""
    CASE WHEN visibility = '{PUBLIC}' THEN '{PUBLIC}'
        ELSE coalesce(fleet_id::VARCHAR, '{PRIVATE}') END AS scope
"""
# In order, so that who looks for one scope or series need not read all.
_PUT_BY = f"""
    INSERT INTO spool.setups
        SELECT {_SCOPE}, setups.* FROM setups ANTI JOIN spool.setups USING (setup);
    INSERT INTO spool.runs
        SELECT {_SCOPE}, runs.* FROM runs JOIN setups USING (setup) ORDER BY scope;
    INSERT INTO spool.results
        SELECT {_SCOPE}, results.* FROM results JOIN setups USING (setup)
        ORDER BY scope, series;
    DELETE FROM spool.progress;
"""


@contextmanager
def opened(directory: Path, path: Path | str = MEMORY) -> Iterator[DuckDBPyConnection]:
    """Tables for rows as they are read; those of `spool`, with a scope each, have been put by."""
    spilled = directory / "spilled"
    shutil.rmtree(spilled, ignore_errors=True)
    with connect() as tables:
        tables.execute(f"SET temp_directory = {quoted(spilled)}")
        tables.execute(f"ATTACH {quoted(path)} AS spool")
        for name, columns in RELATIONS.items():
            by_scope = columns_of({"scope": "VARCHAR"} | columns)
            tables.execute(f"CREATE TABLE IF NOT EXISTS spool.{name} ({by_scope})")
        tables.execute(
            "CREATE TABLE IF NOT EXISTS spool.progress"
            " (format VARCHAR, snapshot VARCHAR, machine_id UUID, run_id UUID)"
        )
        yield tables
    shutil.rmtree(spilled, ignore_errors=True)


def put_by(tables: DuckDBPyConnection, snapshot: str = "", after: Key = _FIRST) -> None:
    """What was taken, and that this is all up to the run `after`."""
    tables.begin()
    tables.execute(_PUT_BY)
    tables.execute("INSERT INTO spool.progress VALUES (?, ?, ?, ?)", [FORMAT, snapshot, *after])
    tables.commit()
    for name in RELATIONS:
        tables.execute(f"TRUNCATE {name}")


def forget(tables: DuckDBPyConnection, run_ids: Collection[uuid.UUID]) -> None:
    """Take back what was put by of these runs."""
    for name in ("runs", "results"):
        these = "run_id IN (SELECT unnest(?::UUID[]))"
        tables.execute(f"DELETE FROM spool.{name} WHERE {these}", [[*run_ids]])


def progress(tables: DuckDBPyConnection) -> tuple[str | None, Key]:
    """The snapshot as of which reading was begun, and the last run that was read."""
    query = "SELECT snapshot, machine_id, run_id FROM spool.progress WHERE format = ?"
    found = tables.execute(query, [FORMAT]).fetchone()
    return (None, _FIRST) if found is None else (found[0], (found[1], found[2]))


def quoted(path: Path | str) -> str:
    """A path as SQL writes text."""
    return "'" + str(path).replace("'", "''") + "'"
