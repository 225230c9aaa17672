"""Problems that readers reported: shown to the run's owner, counted for whoever may see it."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.visibility import visible
from macmeter.models import QUARANTINE, Doubt, Run
from macmeter.reading.moment import Moment
from macmeter.reading.runs import COLUMNS, StoredRun


class Doubted(NamedTuple):
    reason: str
    created_at: datetime
    decision: str | None
    answer: str | None


_OPEN = Doubt.decision.is_(None)
_OF_RUN = (Doubt.machine_id == Run.machine_id) & (Doubt.run_id == Run.run_id)
_WAITS = or_(Run.withdrawn_by == QUARANTINE, exists().where(_OF_RUN, _OPEN))


async def count_doubts(connection: AsyncConnection, run_id: uuid.UUID) -> int:
    """Those that nobody has judged yet."""
    counted = select(func.count()).select_from(Doubt).where(Doubt.run_id == run_id, _OPEN)
    return int(await connection.scalar(counted) or 0)


async def doubts_of(connection: AsyncConnection, run_id: uuid.UUID) -> list[Doubted]:
    """Oldest first."""
    return (await doubts_of_each(connection, [run_id])).get(run_id, [])


async def doubts_of_each(
    connection: AsyncConnection, run_ids: Iterable[uuid.UUID], *, waiting: bool = False
) -> dict[uuid.UUID, list[Doubted]]:
    """Doubts about each run, oldest first; all of them, or those that nobody has judged yet."""
    query = select(Doubt).where(Doubt.run_id.in_([*run_ids]))
    if waiting:
        query = query.where(_OPEN)
    found: dict[uuid.UUID, list[Doubted]] = {}
    for row in await connection.execute(query.order_by(Doubt.created_at, Doubt.doubt_id)):
        doubted = Doubted(row.reason, row.created_at, row.decision, row.answer)
        found.setdefault(row.run_id, []).append(doubted)
    return found


async def waiting_for_review(moment: Moment, limit: int) -> tuple[list[StoredRun], int]:
    """The runs that are quarantined or doubted and not judged, those longest here first; of how
    many.
    """
    waits = (visible(moment.scope), _WAITS)
    query = select(*COLUMNS).where(*waits).order_by(Run.received_at, Run.run_id).limit(limit)
    rows = await moment.connection.execute(query)
    counted = select(func.count()).select_from(Run).where(*waits)
    return [StoredRun._make(row) for row in rows], await moment.connection.scalar(counted) or 0
