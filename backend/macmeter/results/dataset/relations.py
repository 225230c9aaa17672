"""The relations of the data set and their columns.

    setups   what a run shares with others: a column for each dimension, the series for which it
             has results that count or doubtful ones, and their flags
    runs     runs that aren't withdrawn
    results  their medians, ordered by series, machine and value

Setups and machines are numbered by hash (`number_of`), so that files can be written without
coordination, and numbers reveal nothing about what isn't in them.

DuckDB runs within the server's process: `connect` sets its limits.
"""

from hashlib import blake2b

import duckdb
from duckdb import DuckDBPyConnection
from sqlalchemy import Integer

from macmeter import catalog
from macmeter.catalog import Dimension, Kind
from macmeter.models import Run

_TYPES = {Kind.NUMBER: "DOUBLE", Kind.BOOLEAN: "BOOLEAN", Kind.TEXT: "VARCHAR"}


def _type(dimension: Dimension) -> str:
    """Return the column type, with integers where PostgreSQL has them."""
    if isinstance(Run.__table__.c[dimension.name].type, Integer):
        return "INTEGER"
    return _TYPES[dimension.kind]


# Dimensions of single runs, not of setups: otherwise each machine or month would have its own.
PER_RUN_DIMENSIONS = ("machine", "month")

# Columns of setups besides dimensions.
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
# Series with results and their flags: most runs of a suite have the same.
MEASURED = {
    "measured": "INTEGER[]",
    "doubted": "INTEGER[]",
    "flags": "VARCHAR[]",  # of the whole run
    "flags_of": "VARCHAR",  # of single results, by series, as JSON
}
OF_RUN = _OWN | {
    name: _type(dimension)
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "run" and name not in (*_OWN, *PER_RUN_DIMENSIONS, "fleet")
}
SETUP = OF_RUN | MEASURED
SETUPS = {"setup": "BIGINT"} | SETUP
_RUN_KEYS = {
    "run_id": "UUID",
    "machine": "BIGINT",
    "setup": "BIGINT",
    "month": "INTEGER",  # 202611
    "host_machine_id": "UUID",
}
RUNS = _RUN_KEYS | {
    "machine_id": "UUID",
    "device_id": "VARCHAR",
    "holder": "VARCHAR",  # stated properties of the volume that holds the image, as JSON
    "received_at": "TIMESTAMPTZ",
    "started_at": "TIMESTAMPTZ",
    "citation": "VARCHAR",  # of a published figure, as JSON
    "printed": "VARCHAR",  # printed digits and their qualifiers by series, as JSON
}
RESULTS = (
    {"series": "INTEGER"}
    | _RUN_KEYS
    # Hashes of the run's drive and of the properties of the volume that holds the image.
    | {"device_number": "BIGINT", "holder_number": "BIGINT"}
    | {"value": "DOUBLE", "samples": "INTEGER", "doubtful": "BOOLEAN"}
    # For several samples: percentiles 10 and 90, and the standard deviation.
    | {"low": "FLOAT", "high": "FLOAT", "deviation": "FLOAT"}
    # For downloads; NULL if the fleet keeps medians only.
    | {"least": "FLOAT", "p25": "FLOAT", "p75": "FLOAT", "greatest": "FLOAT", "mean": "FLOAT"}
)
RELATIONS = {"setups": SETUPS, "runs": RUNS, "results": RESULTS}


def number_of(content: bytes) -> int:
    """Hash to 64 bits; among a billion items the chance of any collision is below 3%."""
    return int.from_bytes(blake2b(content, digest_size=8).digest(), "big", signed=True)


def month_number(text: str) -> int:
    """Parse "2026-11"; ValueError if that isn't a month."""
    year, month = text.split("-")
    return int(year) * 100 + int(month)


def month_text(number: int) -> str:
    return f"{number // 100:04}-{number % 100:02}"


def columns_of(relation: dict[str, str]) -> str:
    """Return the column definitions for CREATE TABLE."""
    return ", ".join(f'"{name}" {kind}' for name, kind in relation.items())


# Nothing is downloaded, and only files that we name are read.
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 2,
    "memory_limit": "256MB",
    # Returns memory to the system; otherwise up to 60 MB would be retained.
    "allocator_background_threads": True,
    "temp_directory": "",  # refuse what doesn't fit rather than spill into the working directory
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


def connect() -> DuckDBPyConnection:
    """Create an in-memory database with empty relations, and the table `changed` of runs whose rows
    in files are hidden.
    """
    connection = duckdb.connect(":memory:", config=_SETTINGS)
    connection.execute("SET parquet_metadata_cache = true")
    # Aggregating by setup before the join costs 4 times as much: each machine has many setups.
    connection.execute("SET disabled_optimizers = 'partial_aggregate_pushdown'")
    for name, columns in RELATIONS.items():
        connection.execute(f"CREATE TABLE {name} ({columns_of(columns)})")
    connection.execute("CREATE TABLE changed (run_id UUID)")
    return connection
