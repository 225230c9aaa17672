"""Does what fleets' retention says, in the process that also keeps their pages."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import database
from macmeter.errors import Problem
from macmeter.fleets import retention
from macmeter.isolation import RETENTION, Isolated, forever, held_back, record, settle

POLL_SECONDS = 300.0
RETRY_SECONDS = 30.0
# One process at a time on a database, whichever server's.
_ALONE = text("SELECT pg_try_advisory_xact_lock(7306163)")


async def follow(url: str) -> None:
    """Forever: PostgreSQL may come and go meanwhile."""
    writing = database.engine(url, pool_size=1, options="-c statement_timeout=600s")

    async def now() -> None:
        await once(writing, datetime.now(UTC))

    await forever("retention goes on", now, POLL_SECONDS, RETRY_SECONDS)


async def once(writing: AsyncEngine, now: datetime) -> None:
    """Each fleet in a transaction of its own: what is cut short is not begun."""
    async with writing.begin() as connection:
        later = await held_back(connection, RETENTION, now)
        due = await retention.due(connection, now)
        fleets = [fleet_id for fleet_id in due if str(fleet_id) not in later]
    isolated = Isolated(RETENTION)
    for fleet_id in fleets:
        # A fleet that was deleted meanwhile has nothing to keep.
        with isolated.item(fleet_id), contextlib.suppress(Problem):
            async with writing.begin() as connection:
                if await connection.scalar(_ALONE):
                    await retention.act(connection, fleet_id, now)
    async with writing.begin() as connection:
        went_well = [fleet_id for fleet_id in fleets if str(fleet_id) not in isolated.failed]
        await settle(connection, RETENTION, went_well)
        await record(connection, RETENTION, isolated.failed, now)
