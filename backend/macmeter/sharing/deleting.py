"""Deleting runs, and figures in saved comparisons that must not outlive them."""

from __future__ import annotations

import uuid
from collections import Counter

from sqlalchemy import ColumnElement, delete, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.run_changes import RunAct, note_runs
from macmeter.access.scope import Asker
from macmeter.models import Run, RunId
from macmeter.sharing.comparisons import bury

_AT_ONCE = 1000


async def delete_run(
    connection: AsyncConnection, machine_id: uuid.UUID, run_id: uuid.UUID, by: Asker
) -> None:
    """Delete one run and write down by whom."""
    this = (Run.machine_id == machine_id) & (Run.run_id == run_id)
    await delete_runs(connection, this, RunAct("run.delete", by, {"run": str(run_id)}))


async def delete_runs(connection: AsyncConnection, which: ColumnElement[bool], act: RunAct) -> int:
    """Delete the runs of this condition, a thousand at a time, and write it down; how many."""
    deleted = Counter[uuid.UUID | None]()
    while True:
        found = select(Run.run_id, Run.fleet_id).where(which).limit(_AT_ONCE)
        rows = (await connection.execute(found)).all()
        if not rows:
            await note_runs(connection, act, deleted)
            return deleted.total()
        run_ids = [row.run_id for row in rows]
        await bury(connection, *run_ids)
        await connection.execute(delete(Run).where(which, Run.run_id.in_(run_ids)))
        await connection.execute(delete(RunId).where(RunId.run_id.in_(run_ids)))
        deleted.update(row.fleet_id for row in rows)
