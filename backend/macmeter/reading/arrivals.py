"""Recently stored runs.

`received_at` is when a transaction began, so one that began earlier may be committed later: whoever
looks goes back a little each time, and leaves out what it has seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import catalog
from macmeter.access.visibility import visible
from macmeter.models import Result, Run, Series
from macmeter.reading.filters import matches, undoubted
from macmeter.reading.moment import Moment
from macmeter.reading.runs import COLUMNS, StoredRun
from macmeter.terms import Filters

# Longer than a transaction that stores a run takes.
OVERLAP = timedelta(seconds=10)


async def arrived(
    moment: Moment, asked: Iterable[Filters], since: datetime, limit: int
) -> list[StoredRun]:
    """The runs that arrived from `since` on and match one of those, oldest first."""
    matching = or_(*(and_(visible(moment.scope.asked(one.where)), _matches(one)) for one in asked))
    query = (
        select(*COLUMNS)
        .where(matching, Run.received_at >= since)
        .order_by(Run.received_at, Run.run_id)
        .limit(limit)
    )
    return [StoredRun._make(row) for row in await moment.connection.execute(query)]


async def now_of(connection: AsyncConnection) -> datetime:
    """The clock by which runs are received."""
    now: datetime = (await connection.execute(select(func.now()))).scalar_one()
    return now


class Clock:
    """Read from the database once for all who want to know at the same time.

    Those who ask while it is being asked share the next time: that one began before they came.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._asking: asyncio.Task[datetime] | None = None
        self._next: asyncio.Task[datetime] | None = None

    async def now(self) -> datetime:
        """The clock by which runs are received; not before this call."""
        if self._next is None:
            self._next = asyncio.create_task(self._ask(self._asking))
        return await asyncio.shield(self._next)

    async def _ask(self, before: asyncio.Task[datetime] | None) -> datetime:
        if before is not None:
            await asyncio.wait([before])
        self._asking, self._next = self._next, None
        async with self._engine.connect() as connection:
            return await now_of(connection)


def _matches(asked: Filters) -> Any:
    of_runs = [term for term in asked.where if not catalog.is_of_sample(term.dimension)]
    if not asked.metrics:
        return matches(of_runs)
    of_samples = [term for term in asked.where if catalog.is_of_sample(term.dimension)]
    result = exists().where(
        and_(
            Result.machine_id == Run.machine_id,
            Result.run_id == Run.run_id,
            Result.series_id == Series.series_id,
            Series.metric.in_(asked.metrics),
            matches(of_samples, Series.parameters),
            undoubted(asked.flagged),
        )
    )
    return and_(matches(of_runs), result)
