"""Does what fleets' retention says, in the process that also keeps their pages."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import database
from macmeter.errors import Problem
from macmeter.fleets import retention
from macmeter.observing.logs import say

POLL_SECONDS = 300.0
RETRY_SECONDS = 30.0
# One process at a time on a database, whichever server's.
_ALONE = text("SELECT pg_try_advisory_xact_lock(7306163)")


async def follow(url: str) -> None:
    """Forever: PostgreSQL may come and go meanwhile."""
    writing = database.engine(url, pool_size=1, options="-c statement_timeout=600s")
    while True:
        try:
            await once(writing, datetime.now(UTC))
            await asyncio.sleep(POLL_SECONDS)
        except (DBAPIError, OSError) as error:
            say(f"retention goes on later: {getattr(error, 'orig', None) or error}")
            await asyncio.sleep(RETRY_SECONDS)


async def once(writing: AsyncEngine, now: datetime) -> None:
    """Each fleet in a transaction of its own: what is cut short is not begun."""
    async with writing.begin() as connection:
        fleets = await retention.due(connection, now)
    for fleet_id in fleets:
        try:
            async with writing.begin() as connection:
                if await connection.scalar(_ALONE):
                    await retention.act(connection, fleet_id, now)
        except Problem:
            continue  # deleted meanwhile
