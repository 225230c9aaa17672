"""Does what fleets' retention says, in the process that also keeps their pages."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from datetime import UTC, datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import database
from macmeter.errors import ItemError, Problem
from macmeter.fleets import retention
from macmeter.isolation import (
    RETENTION,
    Isolated,
    due_again,
    forever,
    held_back,
    record,
    settle,
)

POLL_SECONDS = 300.0
RETRY_SECONDS = 30.0
# A fleet that takes longer is tried again beside the others, with all the time that it needs.
FIRST_SECONDS = 20.0
# One process at a time on a database, whichever server's: for first attempts, and for others.
_ALONE = text("SELECT pg_try_advisory_xact_lock(:key)")
_KEYS = {False: 7306163, True: 7306165}


async def follow(url: str) -> None:
    """Forever: PostgreSQL may come and go meanwhile."""
    writing = database.engine(url, pool_size=2, options="-c statement_timeout=600s")

    async def first() -> None:
        await once(writing, datetime.now(UTC))

    async def again() -> None:
        await once(writing, datetime.now(UTC), again=True)

    await asyncio.gather(
        forever("retention goes on", first, POLL_SECONDS, RETRY_SECONDS),
        forever("retention that failed goes on", again, RETRY_SECONDS, RETRY_SECONDS),
    )


async def once(writing: AsyncEngine, now: datetime, *, again: bool = False) -> None:
    """Each fleet in a transaction of its own: what is cut short is not begun.

    `again` are those that failed, as soon as they are to be tried again.
    """
    async with writing.begin() as connection:
        later = await held_back(connection, RETENTION, now)
        failed = {*await due_again(connection, RETENTION, now)}
        due = await retention.due(connection, now) if failed or not again else []
        fleets = [one for one in due if str(one) not in later and (str(one) in failed) == again]
    isolated = Isolated(RETENTION)
    for fleet_id in fleets:
        with isolated.item(fleet_id):
            await _act(writing, fleet_id, now, again=again)
    async with writing.begin() as connection:
        went_well = [fleet_id for fleet_id in fleets if str(fleet_id) not in isolated.failed]
        await settle(connection, RETENTION, went_well)
        await record(connection, RETENTION, isolated.failed, now)


async def _act(writing: AsyncEngine, fleet_id: uuid.UUID, now: datetime, *, again: bool) -> None:
    # A fleet that was deleted meanwhile has nothing to keep.
    with contextlib.suppress(Problem):
        try:
            async with (
                asyncio.timeout(None if again else FIRST_SECONDS),
                writing.begin() as connection,
            ):
                if await connection.scalar(_ALONE, {"key": _KEYS[again]}):
                    await retention.act(connection, fleet_id, now)
        except TimeoutError:
            raise ItemError("It takes long, and is done beside the other fleets") from None
