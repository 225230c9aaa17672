"""Runs and their results as they are read from PostgreSQL, some thousand at a time."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.columns.names import SETUP

_RUN = (
    *("machine_id", "run_id", "received_at", "started_at", "month", "device_id", "holder"),
    *("host_machine_id", "token_id", "flags"),
)
_COLUMNS = ", ".join(f"runs.{name}" for name in dict.fromkeys((*_RUN, *SETUP)))
_READ = f"""
    SELECT {_COLUMNS}, runs.withdrawn_at IS NOT NULL AS withdrawn, found.*
    FROM runs LEFT JOIN LATERAL (
        SELECT array_agg(series_id ORDER BY series_id) AS series,
            string_agg(float8send(median), ''::bytea ORDER BY series_id) AS medians,
            array_agg(cardinality(samples) ORDER BY series_id) AS counts,
            array_agg(doubtful ORDER BY series_id) AS doubtful,
            string_agg(substring(array_send(samples), 21), ''::bytea ORDER BY series_id) AS samples,
            jsonb_object_agg(series_id, flags) FILTER (WHERE flags IS NOT NULL) AS result_flags
        FROM results
        WHERE results.machine_id = runs.machine_id AND results.run_id = runs.run_id
    ) AS found ON true
"""  # noqa: S608 - made of our own names
_AFTER = text(
    f"{_READ} WHERE (runs.machine_id, runs.run_id) > (:machine_id, :run_id) "
    "ORDER BY runs.machine_id, runs.run_id LIMIT :limit"
)
_THESE = text(
    f"{_READ} WHERE (runs.machine_id, runs.run_id) IN (SELECT * FROM "  # noqa: S608
    "unnest(CAST(:machine_ids AS uuid[]), CAST(:run_ids AS uuid[])))"
)

Key = tuple[uuid.UUID, uuid.UUID]


class Series(NamedTuple):
    """A metric under one set of parameters."""

    metric: str
    parameters: dict[str, Any]


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
