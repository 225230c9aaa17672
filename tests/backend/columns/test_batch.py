"""What columns are made of is read in batches, each of which costs as much as the first."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from macmeter.columns import batch
from macmeter.database import engine
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection
from support.documents import disk_run
from support.server import Server

COPIES = 300
AT_ONCE = 20
# As the planner reads many runs, also where there are few.
MERGING = ("enable_hashjoin", "enable_nestloop", "enable_seqscan", "enable_bitmapscan")


async def test_a_batch_reads_nothing_of_those_before_it(server: Server) -> None:
    await server.stored(disk_run())
    writing = engine(server.database_url)
    async with writing.begin() as connection:
        await copy(connection)
        keys = [tuple(key) for key in await connection.execute(text("SELECT * FROM run_keys"))]
        assert await read(connection) == keys
        for setting in MERGING:
            await connection.execute(text(f"SET LOCAL {setting} = off"))
        after = dict(zip(("machine_id", "run_id"), keys[COPIES // 2], strict=True))
        explained = text(f"EXPLAIN (ANALYZE, FORMAT JSON) {batch._AFTER}")
        plan = await connection.scalar(explained, after | {"limit": AT_ONCE})
    await writing.dispose()
    (rows,) = [
        node["Actual Rows"]
        for node in nodes(plan[0]["Plan"])
        if node.get("Relation Name") == "run_results"
    ]
    assert AT_ONCE <= rows <= AT_ONCE + 1


async def copy(connection: AsyncConnection) -> None:
    """The run that is there many times over, in some order of ids."""
    for query in (
        "CREATE TEMPORARY VIEW run_keys AS SELECT machine_id, run_id FROM runs ORDER BY 1, 2",
        "INSERT INTO runs SELECT (jsonb_populate_record(runs, id)).* FROM runs CROSS JOIN "
        "(SELECT jsonb_build_object('run_id', gen_random_uuid()) AS id "
        "FROM generate_series(1, :copies)) AS ids",
        "INSERT INTO run_results SELECT (jsonb_populate_record("
        "found, jsonb_build_object('run_id', runs.run_id))).* "
        "FROM run_results AS found JOIN runs USING (machine_id) WHERE runs.run_id <> found.run_id",
    ):
        await connection.execute(text(query), {"copies": COPIES} if ":copies" in query else {})


async def read(connection: AsyncConnection) -> list[tuple[uuid.UUID, uuid.UUID]]:
    found: list[tuple[uuid.UUID, uuid.UUID]] = []
    after = (uuid.UUID(int=0), uuid.UUID(int=0))
    while rows := await batch.read_after(connection, after, AT_ONCE):
        assert all(row.series for row in rows)
        found += [(row.machine_id, row.run_id) for row in rows]
        after = found[-1]
    return found


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from nodes(part)
