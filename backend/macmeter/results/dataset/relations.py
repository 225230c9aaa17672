"""The relations of the data set, and what their columns are called and hold.

    setups   all that a run has in common with others: a column for each dimension, and the series
             of which it has a result that counts, or a doubtful one, with their flags
    runs     those that nobody has withdrawn
    results  their medians: ordered by series, machine and value

Setups and machines have numbers that are made of what they are (`number_of`), so files are written
without asking anybody for the next one, and say nothing about what is not in them.

DuckDB runs within the server's process: `connect` says how much of the machine it may take.
"""

from __future__ import annotations

from hashlib import blake2b

import duckdb
from duckdb import DuckDBPyConnection
from sqlalchemy import Integer

from macmeter import catalog
from macmeter.catalog import Dimension, Kind
from macmeter.models import Run

_TYPES = {Kind.NUMBER: "DOUBLE", Kind.BOOLEAN: "BOOLEAN", Kind.TEXT: "VARCHAR"}


def _type(dimension: Dimension) -> str:
    """The type that PostgreSQL gives: a whole number is one, wherever it is read from."""
    if isinstance(Run.__table__.c[dimension.name].type, Integer):
        return "INTEGER"
    return _TYPES[dimension.kind]


# With these in a setup each run, or each month, would have its own.
APART = ("machine", "month")

# What a setup holds besides dimensions.
_OWN = {
    "visibility": "VARCHAR",
    "fleet_id": "UUID",
    "source": "VARCHAR",
    "method": "VARCHAR",
    "method_version": "INTEGER",
    "unspecified": "BOOLEAN",
    "derivation_version": "INTEGER",
    "labels": "MAP(VARCHAR, VARCHAR)",
}
# Which series a run has results of, and what is said of them: most runs of a suite have the same.
MEASURED = {
    "measured": "INTEGER[]",
    "doubted": "INTEGER[]",
    "flags": "VARCHAR[]",  # of the whole run
    "flags_of": "VARCHAR",  # of single results, by their series, as JSON
}
OF_RUN = _OWN | {
    name: _type(dimension)
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "run" and name not in (*_OWN, *APART, "fleet")
}
SETUP = OF_RUN | MEASURED
SETUPS = {"setup": "BIGINT"} | SETUP
_OF_RUNS = {
    "run_id": "UUID",
    "machine": "BIGINT",
    "setup": "BIGINT",
    "month": "INTEGER",  # 202611
    "host_machine_id": "UUID",
}
RUNS = _OF_RUNS | {
    "machine_id": "UUID",
    "device_id": "VARCHAR",
    "holder": "VARCHAR",  # what is stated of the volume below, as JSON
    "received_at": "TIMESTAMPTZ",
    "started_at": "TIMESTAMPTZ",
    "citation": "VARCHAR",  # of a published figure, as JSON
    "printed": "VARCHAR",  # what its article says of single results, by their series, as JSON
}
RESULTS = (
    {"series": "INTEGER"}
    | _OF_RUNS
    # Of the run's drive, and of what is stated of the volume below.
    | {"device_number": "BIGINT", "holder_number": "BIGINT"}
    | {"value": "DOUBLE", "samples": "INTEGER", "doubtful": "BOOLEAN"}
    # Of several samples: percentiles 10 and 90, and the standard deviation.
    | {"low": "FLOAT", "high": "FLOAT", "deviation": "FLOAT"}
    # For downloads, unless its fleet keeps medians alone.
    | {"least": "FLOAT", "p25": "FLOAT", "p75": "FLOAT", "greatest": "FLOAT", "mean": "FLOAT"}
)
RELATIONS = {"setups": SETUPS, "runs": RUNS, "results": RESULTS}


def number_of(content: bytes) -> int:
    """A whole number of 64 bits: two of a billion things share one with a chance below 3%."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big", signed=True)


def month_number(text: str) -> int:
    """Parse "2026-11"; ValueError where that isn't a month."""
    year, month = text.split("-")
    return int(year) * 100 + int(month)


def month_text(number: int) -> str:
    return f"{number // 100:04}-{number % 100:02}"


def columns_of(relation: dict[str, str]) -> str:
    """The columns for CREATE TABLE."""
    return ", ".join(f'"{name}" {kind}' for name, kind in relation.items())


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
