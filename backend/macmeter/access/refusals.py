"""Runs of a fleet's machines that the server refused, counted for its members."""

from __future__ import annotations

import contextlib
from datetime import datetime

from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.access.tokens import Bearer
from macmeter.errors import Problem
from macmeter.models import Refusal


async def note_refusal(
    engine: AsyncEngine, bearer: Bearer, problem: Problem, now: datetime
) -> None:
    """Record a refusal of a fleet's token, unless the server failed. Never delays the answer."""
    if bearer.fleet_id is None or problem.status >= 500:
        return
    counted = postgresql.insert(Refusal).values(
        fleet_id=bearer.fleet_id,
        token_id=bearer.token_id,
        code=problem.code,
        title=problem.title,
        times=1,
        first_at=now,
        last_at=now,
    )
    once_more = counted.on_conflict_do_update(
        index_elements=["fleet_id", "token_id", "code"],
        set_={"times": Refusal.times + 1, "last_at": now, "title": problem.title},
    )
    with contextlib.suppress(SQLAlchemyError):
        async with engine.begin() as connection:
            await connection.execute(once_more)
