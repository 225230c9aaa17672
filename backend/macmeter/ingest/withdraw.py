"""Doubts about runs, and runs that are withdrawn: they stay, and answers leave them out."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.access.visibility import ANYBODY, may_delete, visible
from macmeter.errors import Problem, not_found
from macmeter.models import Doubt, Run, RunId

OWNER, SERVER = "owner", "server"
# More on one run would tell nobody more.
MOST_DOUBTS = 100


@dataclass(frozen=True)
class Place:
    """Where a run is, and who has withdrawn it."""

    machine_id: uuid.UUID
    withdrawn_by: str | None


async def doubt(connection: AsyncConnection, run_id: uuid.UUID, reason: str) -> None:
    """Keep a reader's reason to doubt a public run."""
    machine_id = await connection.scalar(
        select(Run.machine_id)
        .join(RunId, (RunId.machine_id == Run.machine_id) & (RunId.run_id == Run.run_id))
        .where(RunId.run_id == run_id, visible(ANYBODY))
    )
    if machine_id is None:
        raise not_found("run")
    if await count_doubts(connection, run_id) >= MOST_DOUBTS:
        raise Problem(
            409,
            "doubted_enough",
            "Doubted enough",
            f"{MOST_DOUBTS} doubts about this run wait for whoever can judge them.",
        )
    await connection.execute(
        insert(Doubt).values(
            doubt_id=uuid.uuid4(), machine_id=machine_id, run_id=run_id, reason=reason
        )
    )


async def count_doubts(connection: AsyncConnection, run_id: uuid.UUID) -> int:
    counted = select(func.count()).select_from(Doubt).where(Doubt.run_id == run_id)
    return int(await connection.scalar(counted) or 0)


async def withdraw(
    connection: AsyncConnection, run_id: uuid.UUID, reason: str, by: Bearer | None, now: datetime
) -> None:
    """As its owner, or with None as the server's admin, whose word stands over an owner's."""
    place = await _own(connection, run_id, by)
    if by is not None and place.withdrawn_by == SERVER:
        raise _by_server()
    await _set(
        connection,
        place.machine_id,
        run_id,
        withdrawn_at=now,
        withdrawn_by=SERVER if by is None else OWNER,
        withdrawn_reason=reason,
    )


async def reinstate(connection: AsyncConnection, run_id: uuid.UUID, by: Bearer | None) -> None:
    """Let a run stand again."""
    place = await _own(connection, run_id, by)
    if by is not None and place.withdrawn_by == SERVER:
        raise _by_server()
    nothing = {"withdrawn_at": None, "withdrawn_by": None, "withdrawn_reason": None}
    await _set(connection, place.machine_id, run_id, **nothing)


async def _own(connection: AsyncConnection, run_id: uuid.UUID, by: Bearer | None) -> Place:
    """404 for a run that `by` can't see, 403 for one that is somebody else's."""
    query = (
        select(Run.machine_id, Run.withdrawn_by)
        .join(RunId, (RunId.machine_id == Run.machine_id) & (RunId.run_id == Run.run_id))
        .where(RunId.run_id == run_id)
        .with_for_update(of=Run)
    )
    if by is not None:
        query = query.where(visible(by)).add_columns(may_delete(by).label("own"))
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("run")
    if by is not None and not row.own:
        raise Problem(
            403, "not_owner", "Not your run", "Only its owner or its fleet withdraws a run."
        )
    return Place(row.machine_id, row.withdrawn_by)


async def _set(
    connection: AsyncConnection,
    machine_id: uuid.UUID,
    run_id: uuid.UUID,
    **values: datetime | str | None,
) -> None:
    of_run = (Run.machine_id == machine_id) & (Run.run_id == run_id)
    await connection.execute(update(Run).where(of_run).values(**values))


def _by_server() -> Problem:
    return Problem(
        403,
        "withdrawn_by_server",
        "Withdrawn by the server",
        "The server's admin has withdrawn this run and alone can change that.",
    )
