"""The files of the data set, to compare with the tables."""

from __future__ import annotations

import atexit
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
from macmeter.platform.database import reading_engine
from macmeter.results.dataset import files, writer
from macmeter.results.dataset.files import Manifest
from macmeter.results.dataset.relations import RELATIONS
from sqlalchemy import text

from support.databases import transaction

Rows = dict[str, list[Any]]
"""Rows by scope."""

# Independent of the writer's own query.
_TABLES = text("""
    SELECT CASE WHEN visibility = 'public' THEN 'public'
            ELSE coalesce(fleet_id::text, 'private') END AS scope,
        runs.run_id, series_id, median, n, results.doubtful
    FROM runs LEFT JOIN results USING (machine_id, run_id)
    WHERE withdrawn_at IS NULL AND runs.run_id <> ALL(:without)
""")


async def written(url: str, root: Path) -> Manifest:
    """Write the data set, then read it as a reader that has just started."""
    engine = reading_engine(url, pool_size=1)
    try:
        await writer.write_down(
            engine, root, max(map(files.epoch_of, root.glob(f"*/{files.MANIFESTS}")), default=0)
        )
    finally:
        await engine.dispose()
    manifest = read(root)
    assert manifest is not None
    return manifest


def read(root: Path) -> Manifest | None:
    files._checked.clear()
    return next((files.read(path) for path in root.glob("*-*")), None)


def directory_below(root: Path) -> Path:
    (directory,) = root.glob("*-*")
    return directory


def rows_of(manifest: Manifest, relation: str, columns: str) -> Rows:
    """Rows of all parts, as a reader sees them."""
    return {
        part.scope: sorted(rows(part.files(relation), columns, manifest), key=repr)
        for part in manifest.parts
    }


def rows(paths: Iterable[Path], columns: str, manifest: Manifest) -> list[tuple[Any, ...]]:
    if not (names := [str(path) for path in paths]):
        return []
    hidden = "WHERE run_id NOT IN (SELECT unnest($gone::UUID[]))" if manifest.gone else ""
    query = f"SELECT {columns} FROM read_parquet($names) {hidden}"  # noqa: S608
    parameters = {"names": names} | ({"gone": manifest.gone} if hidden else {})
    with one_duckdb().cursor() as connection:
        return connection.execute(query, parameters).fetchall()


@cache
def one_duckdb() -> duckdb.DuckDBPyConnection:
    """One connection for all tests: creating it takes longer than reading all files. It caches no
    files, as tests damage them.
    """
    connection = duckdb.connect(config={"enable_external_file_cache": False})
    atexit.register(connection.close)
    return connection


def everything(manifest: Manifest) -> dict[str, Rows]:
    """Every column of every relation, of a data set without missing parts."""
    assert not manifest.gone
    return {relation: rows_of(manifest, relation, "columns(*)::VARCHAR") for relation in RELATIONS}


def by_tables(url: str, manifest: Manifest) -> tuple[Rows, Rows]:
    """Runs and results from the tables, without those that are left to PostgreSQL."""
    runs, results = defaultdict(set), defaultdict(list)
    with transaction(url) as connection:
        for scope, run_id, *result in connection.execute(_TABLES, {"without": manifest.gone}):
            runs[scope].add((run_id,))
            if result[0] is not None:
                results[scope].append((run_id, *result))
    in_order = {scope: sorted(rows, key=repr) for scope, rows in runs.items()}
    return in_order, {scope: sorted(rows, key=repr) for scope, rows in results.items()}


def assert_as_tables(url: str, manifest: Manifest) -> None:
    runs, results = by_tables(url, manifest)
    results_found = rows_of(manifest, "results", "run_id, series, value, samples, doubtful")
    assert {scope: rows for scope, rows in results_found.items() if rows} == results
    runs_found = rows_of(manifest, "runs", "run_id")
    assert {scope: rows for scope, rows in runs_found.items() if rows} == runs
    setups = {scope: {row[0] for row in table} for scope, table in rows_of_setups(manifest).items()}
    used = {
        scope: {row[0] for row in of} for scope, of in rows_of(manifest, "runs", "setup").items()
    }
    assert all(used[scope] <= setups[scope] for scope in used)


def rows_of_setups(manifest: Manifest) -> Rows:
    with one_duckdb().cursor() as connection:
        query = "SELECT setup FROM read_parquet(?)"
        return {
            part.scope: connection.execute(query, [[*map(str, part.files("setups"))]]).fetchall()
            for part in manifest.parts
        }
