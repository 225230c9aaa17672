"""Who owns a run and may change it."""

from __future__ import annotations

import uuid
from typing import NamedTuple

from sqlalchemy import select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.rights import may_delete
from macmeter.access.scope import COMMONS, Asker, scope_of
from macmeter.access.visibility import visible
from macmeter.errors import Problem, not_found
from macmeter.models import Run, RunId


class Owned(NamedTuple):
    """Where a run is, whether it is the asker's own, and who has withdrawn it."""

    machine_id: uuid.UUID
    own: bool
    withdrawn_by: str | None


_OF_ID = (RunId.machine_id == Run.machine_id) & (RunId.run_id == Run.run_id)


async def owned_run(
    connection: AsyncConnection, run_id: uuid.UUID, by: Asker | None, *, lock: bool = False
) -> Owned | None:
    """None where `by` can't see it; None for `by` is the server's admin, whose all runs are.

    With `lock` it stays as it is until the transaction ends.
    """
    own = may_delete(by) if by is not None else true()
    query = (
        select(Run.machine_id, own, Run.withdrawn_by)
        .join(RunId, _OF_ID)
        .where(RunId.run_id == run_id)
    )
    if by is not None:
        query = query.where(visible(await scope_of(connection, by)))
    if lock:
        query = query.with_for_update(of=Run)
    row = (await connection.execute(query)).one_or_none()
    return Owned._make(row) if row is not None else None


async def own_run(
    connection: AsyncConnection,
    run_id: uuid.UUID,
    by: Asker | None,
    does: str,
    *,
    lock: bool = False,
) -> Owned:
    """The run as `owned_run` finds it, if the asker measured it: else 403, and 404 where they can't
    see it.

    `does` is what only its owner may, for the refusal: "deletes a run".
    """
    run = await owned_run(connection, run_id, by, lock=lock)
    if run is None:
        raise not_found("run")
    if not run.own:
        detail = f"Only the owner of this run or its fleet {does}."
        raise Problem(403, "not_owner", "Not your run", detail)
    return run


async def machine_of_public_run(connection: AsyncConnection, run_id: uuid.UUID) -> uuid.UUID | None:
    """Whose a run is that everybody may read."""
    query = select(Run.machine_id).join(RunId, _OF_ID)
    found: uuid.UUID | None = await connection.scalar(
        query.where(RunId.run_id == run_id, visible(COMMONS))
    )
    return found
