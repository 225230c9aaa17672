"""Problems that readers reported: shown to the run's owner, counted for whoever may see it."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Doubt


class Doubted(NamedTuple):
    reason: str
    created_at: datetime


async def count_doubts(connection: AsyncConnection, run_id: uuid.UUID) -> int:
    counted = select(func.count()).select_from(Doubt).where(Doubt.run_id == run_id)
    return int(await connection.scalar(counted) or 0)


async def doubts_of(connection: AsyncConnection, run_id: uuid.UUID) -> list[Doubted]:
    """Oldest first."""
    query = (
        select(Doubt.reason, Doubt.created_at)
        .where(Doubt.run_id == run_id)
        .order_by(Doubt.created_at, Doubt.doubt_id)
    )
    return [Doubted._make(row) for row in await connection.execute(query)]
