"""DuckDB within the server's process: how much of the machine it may take."""

from __future__ import annotations

import duckdb
from duckdb import DuckDBPyConnection

from macmeter.dataset.relations import RELATIONS, columns_of

# Nothing is fetched from elsewhere, and nothing reads files but what we name.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "256MB",
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def connect() -> DuckDBPyConnection:
    """A database in memory with the relations as empty tables, and the ids of runs that are hidden
    in files because they have changed since.
    """
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    connection.execute("SET parquet_metadata_cache = true")
    for name, columns in RELATIONS.items():
        connection.execute(f"CREATE TABLE {name} ({columns_of(columns)})")
    connection.execute("CREATE TABLE changed (run_id UUID)")
    return connection
