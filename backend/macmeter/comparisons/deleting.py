"""Deletion of runs, and of saved figures that must not outlive them."""

import uuid
from collections import Counter

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import RunAct, note_runs
from macmeter.accounts.scope import Principal
from macmeter.comparisons.kinds import KINDS
from macmeter.comparisons.stored import TOMBSTONE
from macmeter.models import Comparison, Run, RunId
from macmeter.platform.isolation import Isolated

_BATCH_SIZE = 1000


async def delete_run(
    connection: AsyncConnection, machine_id: uuid.UUID, run_id: uuid.UUID, by: Principal
) -> None:
    """Delete one run, recording by whom."""
    is_run = (Run.machine_id == machine_id) & (Run.run_id == run_id)
    await delete_runs(connection, is_run, RunAct("run.delete", by, {"run": str(run_id)}))


async def delete_runs(
    connection: AsyncConnection, condition: ColumnElement[bool], act: RunAct
) -> int:
    """Delete matching runs in batches and record it in the audit log; return their number."""
    deleted = Counter[uuid.UUID | None]()
    while True:
        query = select(Run.run_id, Run.fleet_id).where(condition).limit(_BATCH_SIZE)
        rows = (await connection.execute(query)).all()
        if not rows:
            await note_runs(connection, act, deleted)
            return deleted.total()
        run_ids = [row.run_id for row in rows]
        await add_tombstones(connection, *run_ids)
        await connection.execute(delete(Run).where(condition, Run.run_id.in_(run_ids)))
        await connection.execute(delete(RunId).where(RunId.run_id.in_(run_ids)))
        deleted.update(row.fleet_id for row in rows)


async def add_tombstones(connection: AsyncConnection, *run_ids: uuid.UUID) -> None:
    """Turn comparisons that would still show one of these deleted runs into tombstones."""
    rows = await connection.execute(
        select(Comparison.slug, Comparison.format, Comparison.answer, Comparison.names_few)
        .add_columns(Comparison.told_of)
        .where(Comparison.told_of.overlap(list(run_ids)), Comparison.answer.is_not(None))
        .with_for_update()
    )
    isolated = Isolated("deleting figures")
    for row in rows:
        deleted_ids = {*row.told_of} & {*run_ids}
        # An unreadable comparison may show them, and must not prevent their deletion.
        still_shows = True
        with isolated.item("a comparison"):
            reveals = KINDS[row.format].reveals
            still_shows = row.names_few or any(
                reveals(row.answer, str(run_id)) for run_id in deleted_ids
            )
        if still_shows:
            await connection.execute(
                update(Comparison)
                .where(Comparison.slug == row.slug)
                .values(answer=None, told_of=[], state=TOMBSTONE)
            )
