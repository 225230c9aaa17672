"""Rows on their way from PostgreSQL to files: collected as they are read, then written in order.

During a complete rebuild they are spooled to disk, so that neither memory nor a restart limits the
amount. Each write of a part makes a set of files.
"""

import secrets
import shutil
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
from duckdb import DuckDBPyConnection

from macmeter.results.dataset import files
from macmeter.results.dataset.files import FORMAT, PRIVATE, PUBLIC, File, Part, Set
from macmeter.results.dataset.loading import FIRST, Key
from macmeter.results.dataset.relations import RELATIONS, columns_of, connect, number_of
from macmeter.results.dataset.sql import literal

# Rows per file of results, which must be sorted; a single series is never divided.
_FILE_ROWS = 1_000_000
_FEW_MACHINES = 32
_ORDER = "ORDER BY series, machine, value"
_PARQUET = "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)"

MEMORY = ":memory:"
_SCOPE = f"""
    CASE WHEN visibility = '{PUBLIC}' THEN '{PUBLIC}'
        ELSE coalesce(fleet_id::VARCHAR, '{PRIVATE}') END AS scope
"""
# Ordered, so that reading one scope or series skips the others.
_STORE = f"""
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
    """Open tables for new rows, and those of `spool`, with a scope, for rows already spooled."""
    spilled = directory / "spilled"
    shutil.rmtree(spilled, ignore_errors=True)
    with connect() as tables:
        tables.execute(f"SET temp_directory = {literal(str(spilled))}")
        tables.execute(f"ATTACH {literal(str(path))} AS spool")
        for name, columns in RELATIONS.items():
            by_scope = columns_of({"scope": "VARCHAR"} | columns)
            tables.execute(f"CREATE TABLE IF NOT EXISTS spool.{name} ({by_scope})")
        tables.execute(
            "CREATE TABLE IF NOT EXISTS spool.progress"
            " (format VARCHAR, snapshot VARCHAR, machine_id UUID, run_id UUID)"
        )
        yield tables
    shutil.rmtree(spilled, ignore_errors=True)


def store(tables: DuckDBPyConnection, snapshot: str = "", last: Key = FIRST) -> None:
    """Spool the collected rows and record that these are all runs up to `last`."""
    tables.begin()
    tables.execute(_STORE)
    tables.execute("INSERT INTO spool.progress VALUES (?, ?, ?, ?)", [FORMAT, snapshot, *last])
    tables.commit()
    for name in RELATIONS:
        tables.execute(f"TRUNCATE {name}")


def forget(tables: DuckDBPyConnection, run_ids: Collection[uuid.UUID]) -> None:
    """Remove the spooled rows of these runs."""
    for name in ("runs", "results"):
        condition = "run_id IN (SELECT unnest(?::UUID[]))"
        tables.execute(f"DELETE FROM spool.{name} WHERE {condition}", [[*run_ids]])


def progress(tables: DuckDBPyConnection) -> tuple[str | None, Key]:
    """Return the snapshot as of which reading began, and the last run that was read."""
    query = "SELECT snapshot, machine_id, run_id FROM spool.progress WHERE format = ?"
    row = tables.execute(query, [FORMAT]).fetchone()
    return (None, FIRST) if row is None else (row[0], (row[1], row[2]))


# By set, the runs whose rows in it are obsolete.
Hits = Mapping[Set, set[uuid.UUID]]


def old_rows(tables: DuckDBPyConnection, parts: Iterable[Part], keys: Collection[Key]) -> Hits:
    """Find the sets with rows of these runs, and hide the rows from later reads."""
    machines = {number_of(machine_id.bytes) for machine_id, _ in keys}
    sets_by_path: dict[str, Set] = {}
    for part in parts:
        for file_set in part.sets:
            if not file_set.machines or not machines.isdisjoint(file_set.machines):
                for file in file_set.of("runs"):
                    files.check(part.path(file), file)
                    sets_by_path[str(part.path(file))] = file_set
    tables.execute("INSERT INTO changed SELECT unnest(?::UUID[])", [[key[1] for key in keys]])
    hits: dict[Set, set[uuid.UUID]] = defaultdict(set)
    if sets_by_path:
        query = "FROM read_parquet(?, filename = true) SEMI JOIN changed USING (run_id)"
        rows = tables.execute(f"SELECT filename, run_id {query}", [[*sets_by_path]])
        for name, run_id in rows.fetchall():
            hits[sets_by_path[name]].add(run_id)
    return hits


class NewRows(NamedTuple):
    """Spooled rows of a scope: upper bounds of what will be written."""

    runs: int = 0
    machines: Collection[int] = ()
    results: int | None = None
    least: int | None = None
    """The first series, and `greatest` the last one."""
    greatest: int | None = None


_NEW = """
    FROM (SELECT scope, count(*), list(DISTINCT machine) FROM spool.runs GROUP BY scope)
    LEFT JOIN (SELECT scope, count(*), min(series), max(series) FROM spool.results GROUP BY scope)
        USING (scope)
"""


def new_rows(tables: DuckDBPyConnection) -> dict[str, NewRows]:
    """Return the new rows of all scopes in one query: there may be thousands."""
    return {scope: NewRows(*values) for scope, *values in tables.execute(_NEW).fetchall()}


def write_set(
    tables: DuckDBPyConnection, part: Part, new: NewRows, epoch: int, paths: list[Path]
) -> list[Set]:
    """Write one set with the part's new rows and what remains of its sets; none if that is empty.

    Appends the files to `paths`, so that the caller can remove them after a failure.
    """
    for file_set in part.sets:
        for file in file_set.files:
            files.check(part.path(file), file)
    directory, name = Path(part.root, part.scope), f"epoch{epoch}-{secrets.token_hex(8)}"
    files.make_directory(directory)

    def copy_to_file(relation: str, rows: str, *series: int) -> File:
        path = (
            directory / f"{relation}-{name}{''.join(f'-{number}' for number in series[:1])}.parquet"
        )
        paths.append(path)
        row = tables.execute(f"COPY ({rows}) TO {literal(str(path))} {_PARQUET}").fetchone()
        assert row is not None
        path.chmod(0o600)
        files.sync(path)
        digest, status = files.digest_of(path), path.stat()
        file = File(relation, path.name, row[0], status.st_size, digest, *series)
        return msgspec.structs.replace(file, inode=status.st_ino, modified=status.st_mtime_ns)

    runs = copy_to_file("runs", f"{_rows(part, 'runs')} ORDER BY machine, run_id")
    if not runs.rows:
        return []
    runs_source = f"read_parquet({literal(str(paths[-1]))})"
    setups_query = f"({_rows(part, 'setups')}) SEMI JOIN {runs_source} USING (setup)"
    setups = copy_to_file(
        "setups", f"SELECT DISTINCT ON (setup) * FROM {setups_query} ORDER BY setup"
    )
    source = f"FROM ({_rows(part, 'results')})"
    results = [
        copy_to_file(
            "results",
            f"SELECT * {source} WHERE series BETWEEN {least} AND {greatest} {_ORDER}",
            least,
            greatest,
        )
        for least, greatest in _ranges(tables, part, new, source)
    ]
    files.sync(directory)
    machines = {*new.machines, *(number for file_set in part.sets for number in file_set.machines)}
    has_few = len(machines) <= _FEW_MACHINES and all(file_set.machines for file_set in part.sets)
    return [
        Set(
            runs.rows,
            sum(file.rows for file in results),
            (runs, setups, *results),
            tuple(machines) if has_few else (),
        )
    ]


def _rows(part: Part, relation: str) -> str:
    """Return the query for the part's new rows and what remains of its sets."""
    columns = ", ".join(f'"{name}"' for name in RELATIONS[relation])
    rows = f"SELECT {columns} FROM spool.{relation} WHERE scope = '{part.scope}'"
    if paths := part.files(relation):
        exclusion = "" if relation == "setups" else "ANTI JOIN changed USING (run_id)"
        names = ", ".join(literal(str(path)) for path in paths)
        rows += f" UNION ALL SELECT {columns} FROM read_parquet([{names}]) {exclusion}"
    return rows


def _ranges(
    tables: DuckDBPyConnection, part: Part, new: NewRows, source: str
) -> list[tuple[int, int]]:
    """Return first and last series of each file, whose rows must fit in memory for sorting."""
    if (new.results or 0) + part.results <= _FILE_ROWS:
        old = (file for file_set in part.sets for file in file_set.of("results"))
        bounds = [
            new.least,
            new.greatest,
            *(bound for file in old for bound in (file.least, file.greatest)),
        ]
        known_bounds = [bound for bound in bounds if bound is not None]
        return [(min(known_bounds), max(known_bounds))] if known_bounds else []
    ranges: list[tuple[int, int]] = []
    rows = 0
    query = f"SELECT series, count(*) {source} GROUP BY ALL ORDER BY ALL"
    for series, count in tables.execute(query).fetchall():
        if ranges and rows + count <= _FILE_ROWS:
            ranges[-1] = (ranges[-1][0], series)
            rows += count
        else:
            ranges.append((series, series))
            rows = count
    return ranges
