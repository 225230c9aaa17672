"""Runs and their results as they are read from PostgreSQL, some thousand at a time."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.columns.names import SETUP
from macmeter.terms import Value

_RUN = (
    *("machine_id", "run_id", "received_at", "started_at", "month", "device_id", "holder"),
    *("host_machine_id", "token_id", "flags"),
)
_COLUMNS = ", ".join(f"runs.{name}" for name in dict.fromkeys((*_RUN, *SETUP)))
# Arrays come as the wire has them, without their heads: length and value of each element.
_READ = f"""
    SELECT {_COLUMNS}, runs.withdrawn_at IS NOT NULL AS withdrawn,
        substring(array_send(found.series), 21) AS series,
        substring(array_send(found.medians), 21) AS medians,
        substring(array_send(found.counts), 21) AS counts,
        found.doubtful, found.steps, found.said
    FROM runs LEFT JOIN run_results AS found
        ON found.machine_id = runs.machine_id AND found.run_id = runs.run_id
"""  # noqa: S608 - made of our own names
# Said of both tables: otherwise each batch reads all the results that came before it.
_AFTER = text(f"""
    {_READ} AND (found.machine_id, found.run_id) > (:machine_id, :run_id)
    WHERE (runs.machine_id, runs.run_id) > (:machine_id, :run_id)
    ORDER BY runs.machine_id, runs.run_id LIMIT :limit
""")
_THESE = text(
    f"{_READ} WHERE (runs.machine_id, runs.run_id) IN (SELECT * FROM "  # noqa: S608
    "unnest(CAST(:machine_ids AS uuid[]), CAST(:run_ids AS uuid[])))"
)

Key = tuple[uuid.UUID, uuid.UUID]


class Series(NamedTuple):
    """A metric under one set of parameters."""

    metric: str
    parameters: dict[str, Value]


async def read_after(connection: AsyncConnection, after: Key, limit: int) -> list[Any]:
    """The next runs in the order of machine and run."""
    keys = {"machine_id": after[0], "run_id": after[1], "limit": limit}
    return list(await connection.execute(_AFTER, keys))


async def read_these(connection: AsyncConnection, keys: Collection[Key]) -> list[Any]:
    """Those of `keys` that are there; the others are gone."""
    asked = {"machine_ids": [key[0] for key in keys], "run_ids": [key[1] for key in keys]}
    return list(await connection.execute(_THESE, asked))


async def read_series(connection: AsyncConnection, numbers: Collection[int]) -> dict[int, Series]:
    """What these numbers of series stand for; they are never changed."""
    query = text("SELECT series_id, metric, parameters FROM series WHERE series_id = ANY(:numbers)")
    rows = await connection.execute(query, {"numbers": list(numbers)})
    return {row.series_id: Series(row.metric, row.parameters) for row in rows}
