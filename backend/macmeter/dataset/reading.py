"""Runs and their results as they are read from PostgreSQL, some thousand at a time."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.dataset.relations import OF_RUN

_RUN = (
    *("machine_id", "run_id", "received_at", "month", "device_id", "holder"),
    *("host_machine_id", "flags", "citation"),
)
_COLUMNS = ", ".join(f"runs.{name}" for name in (*_RUN, *OF_RUN))
# Arrays come as the wire has them, without their heads: length and value of each element.
_READ = f"""
    SELECT {_COLUMNS}, runs.withdrawn_at IS NOT NULL AS withdrawn,
        CASE WHEN runs.started_at BETWEEN '0001-01-02' AND '9999-12-30' THEN runs.started_at END
            AS started_at,
        substring(array_send(found.series), 21) AS series,
        substring(array_send(found.medians), 21) AS medians,
        substring(array_send(found.counts), 21) AS counts,
        found.doubtful, found.said, found.steps,
        EXISTS (
            SELECT FROM documents AS kept WHERE kept.machine_id = runs.machine_id
                AND kept.run_id = runs.run_id AND kept.compressed IS NOT NULL
        ) AS has_samples
    FROM runs LEFT JOIN run_results AS found
        ON found.machine_id = runs.machine_id AND found.run_id = runs.run_id
"""
# Said of both tables: otherwise each batch reads all the results that came before it.
_AFTER = text(f"""
    {_READ} AND (found.machine_id, found.run_id) > (:machine_id, :run_id)
    WHERE (runs.machine_id, runs.run_id) > (:machine_id, :run_id)
    ORDER BY runs.machine_id, runs.run_id LIMIT :limit
""")
_THESE = text(
    f"{_READ} WHERE (runs.machine_id, runs.run_id) IN (SELECT * FROM "
    "unnest(CAST(:machine_ids AS uuid[]), CAST(:run_ids AS uuid[])))"
)

_ANY_WITHDRAWN = text("SELECT EXISTS (SELECT FROM runs WHERE withdrawn_at IS NOT NULL)")
_PRINTED = text("SELECT DISTINCT metric FROM published_figures")

Key = tuple[uuid.UUID, uuid.UUID]
"""Machine and run."""


async def read_after(connection: AsyncConnection, after: Key, limit: int) -> list[Any]:
    """The next runs in the order of machine and run, withdrawn ones too."""
    keys = {"machine_id": after[0], "run_id": after[1], "limit": limit}
    return list(await connection.execute(_AFTER, keys))


async def read_these(connection: AsyncConnection, keys: Collection[Key]) -> list[Any]:
    """Those of `keys` that are there; the others are gone."""
    asked = {"machine_ids": [key[0] for key in keys], "run_ids": [key[1] for key in keys]}
    return list(await connection.execute(_THESE, asked))


class Aside(NamedTuple):
    """What there is beside the relations: nobody asks for it where there is none."""

    has_withdrawn: bool = False
    """Whether any run is withdrawn."""
    printed_metrics: frozenset[str] = frozenset()
    """Of which articles print ratios or ranges."""


NOTHING_ASIDE = Aside()


async def read_aside(connection: AsyncConnection) -> Aside:
    withdrawn = await connection.scalar(_ANY_WITHDRAWN)
    printed = (await connection.execute(_PRINTED)).scalars()
    return Aside(bool(withdrawn), frozenset(printed))
