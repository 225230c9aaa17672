"""Deleting many runs, and figures in saved comparisons that must not outlive them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Run, RunId
from macmeter.sharing.comparisons import bury

_AT_ONCE = 1000


async def delete_runs(connection: AsyncConnection, which: ColumnElement[bool]) -> int:
    """Delete the runs of this condition on `runs`, a thousand at a time; how many there were."""
    deleted = 0
    while True:
        found = await connection.execute(select(Run.run_id).where(which).limit(_AT_ONCE))
        run_ids = [row.run_id for row in found]
        if not run_ids:
            return deleted
        await bury(connection, *run_ids)
        await connection.execute(delete(Run).where(which, Run.run_id.in_(run_ids)))
        await connection.execute(delete(RunId).where(RunId.run_id.in_(run_ids)))
        deleted += len(run_ids)
