"""Doubts about runs, and runs that are withdrawn: they stay, and answers leave them out."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import Bearer
from macmeter.errors import Problem, not_found
from macmeter.models import Doubt, Run
from macmeter.reading.owning import Owned, machine_of_public_run, owned_run

OWNER, SERVER = "owner", "server"
# More on one run would tell nobody more.
MOST_DOUBTS = 100


async def doubt(connection: AsyncConnection, run_id: uuid.UUID, reason: str) -> None:
    """Keep a reader's reason to doubt a public run."""
    machine_id = await machine_of_public_run(connection, run_id)
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
    run = await _own(connection, run_id, by)
    if by is not None and run.withdrawn_by == SERVER:
        raise _by_server()
    await _set(
        connection,
        run.machine_id,
        run_id,
        withdrawn_at=now,
        withdrawn_by=SERVER if by is None else OWNER,
        withdrawn_reason=reason,
    )


async def reinstate(connection: AsyncConnection, run_id: uuid.UUID, by: Bearer | None) -> None:
    """Let a run stand again."""
    run = await _own(connection, run_id, by)
    if by is not None and run.withdrawn_by == SERVER:
        raise _by_server()
    nothing = {"withdrawn_at": None, "withdrawn_by": None, "withdrawn_reason": None}
    await _set(connection, run.machine_id, run_id, **nothing)


async def _own(connection: AsyncConnection, run_id: uuid.UUID, by: Bearer | None) -> Owned:
    """404 for a run that `by` can't see, 403 for one that is somebody else's."""
    run = await owned_run(connection, run_id, by, lock=True)
    if run is None:
        raise not_found("run")
    if not run.own:
        raise Problem(
            403, "not_owner", "Not your run", "Only its owner or its fleet withdraws a run."
        )
    return run


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
