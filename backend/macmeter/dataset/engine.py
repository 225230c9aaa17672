"""DuckDB within the server's process: how much of the machine it may take."""

from __future__ import annotations

import duckdb
from duckdb import DuckDBPyConnection

from macmeter.dataset.relations import RELATIONS, columns_of

# Nothing is fetched from elsewhere, and nothing reads files but what we name.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "256MB",
    # What statements needed goes back to the system: it kept up to 60 MB otherwise.
    "allocator_background_threads": True,
    "temp_directory": "",  # what doesn't fit is refused, and not written beside the program
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def connect() -> DuckDBPyConnection:
    """A database in memory with the relations as empty tables, and the ids of runs that are hidden
    in files because they have changed since.
    """
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    connection.execute("SET parquet_metadata_cache = true")
    # Grouping by setup before setups are joined costs 4 times as much: each machine has many.
    connection.execute("SET disabled_optimizers = 'partial_aggregate_pushdown'")
    for name, columns in RELATIONS.items():
        connection.execute(f"CREATE TABLE {name} ({columns_of(columns)})")
    connection.execute("CREATE TABLE changed (run_id UUID)")
    return connection
