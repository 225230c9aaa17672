"""Ownership of runs, readers' doubts about them, and devices' last uploads."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ScalarSelect, exists, func, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.rights import may_delete
from macmeter.accounts.scope import COMMONS, Principal, scope_of
from macmeter.accounts.visibility import visible
from macmeter.models import QUARANTINE, Doubt, Machine, Run, RunId, Token
from macmeter.platform.errors import Problem, not_found
from macmeter.results.context import ReadContext
from macmeter.results.filters import same_run
from macmeter.results.runs import COLUMNS, StoredRun


class OwnedRun(NamedTuple):
    """A run's machine, whether the reader owns it, and who has withdrawn it."""

    machine_id: uuid.UUID
    own: bool
    withdrawn_by: str | None


async def owned_run(
    connection: AsyncConnection, run_id: uuid.UUID, by: Principal | None, *, lock: bool = False
) -> OwnedRun | None:
    """Return the run; None if `by` can't see it. `by` None is the server's admin, who owns all.

    `lock` locks the run until the transaction ends.
    """
    is_own = may_delete(by) if by is not None else true()
    query = (
        select(Run.machine_id, is_own, Run.withdrawn_by)
        .join(RunId, same_run(RunId))
        .where(RunId.run_id == run_id)
    )
    if by is not None:
        query = query.where(visible(await scope_of(connection, by)))
    if lock:
        query = query.with_for_update(of=Run)
    row = (await connection.execute(query)).one_or_none()
    return OwnedRun._make(row) if row is not None else None


async def own_run(
    connection: AsyncConnection,
    run_id: uuid.UUID,
    by: Principal | None,
    does: str,
    *,
    lock: bool = False,
) -> OwnedRun:
    """Return `owned_run` if the reader owns it; otherwise 403, or 404 if they can't see it.

    `does` is the owner's right, for the refusal: "deletes a run".
    """
    run = await owned_run(connection, run_id, by, lock=lock)
    if run is None:
        raise not_found("run")
    if not run.own:
        detail = f"Only the owner of this run or its fleet {does}."
        raise Problem(403, "not_owner", "Not your run", detail)
    return run


async def machine_of_public_run(connection: AsyncConnection, run_id: uuid.UUID) -> uuid.UUID | None:
    """Return the machine of a public run."""
    query = select(Run.machine_id).join(RunId, same_run(RunId))
    machine_id: uuid.UUID | None = await connection.scalar(
        query.where(RunId.run_id == run_id, visible(COMMONS))
    )
    return machine_id


class Doubted(NamedTuple):
    reason: str
    created_at: datetime
    decision: str | None
    answer: str | None


_OPEN = Doubt.decision.is_(None)
_WAITS = or_(Run.withdrawn_by == QUARANTINE, exists().where(same_run(Doubt), _OPEN))


async def count_doubts(connection: AsyncConnection, run_id: uuid.UUID) -> int:
    """Count the run's unresolved doubts."""
    counted = select(func.count()).select_from(Doubt).where(Doubt.run_id == run_id, _OPEN)
    return int(await connection.scalar(counted) or 0)


async def doubts_of(connection: AsyncConnection, run_id: uuid.UUID) -> list[Doubted]:
    """Return the run's doubts, oldest first."""
    return (await doubts_of_each(connection, [run_id])).get(run_id, [])


async def doubts_of_each(
    connection: AsyncConnection, run_ids: Iterable[uuid.UUID], *, waiting: bool = False
) -> dict[uuid.UUID, list[Doubted]]:
    """Return doubts about each run, oldest first; with `waiting`, only unresolved ones."""
    query = select(Doubt).where(Doubt.run_id.in_([*run_ids]))
    if waiting:
        query = query.where(_OPEN)
    doubts: dict[uuid.UUID, list[Doubted]] = {}
    for row in await connection.execute(query.order_by(Doubt.created_at, Doubt.doubt_id)):
        doubted = Doubted(row.reason, row.created_at, row.decision, row.answer)
        doubts.setdefault(row.run_id, []).append(doubted)
    return doubts


async def waiting_for_review(moment: ReadContext, limit: int) -> tuple[list[StoredRun], int]:
    """Return the runs that are quarantined or have unresolved doubts, oldest first, and the total
    number.
    """
    waits = (visible(moment.scope), _WAITS)
    query = select(*COLUMNS).where(*waits).order_by(Run.received_at, Run.run_id).limit(limit)
    rows = await moment.connection.execute(query)
    counted = select(func.count()).select_from(Run).where(*waits)
    return [StoredRun._make(row) for row in rows], await moment.connection.scalar(counted) or 0


async def kinds_of(connection: AsyncConnection, machine_id: uuid.UUID) -> tuple[set[str], set[str]]:
    """Return the chips and models that a machine's runs name, normally one of each or none."""
    query = select(Run.chip, Run.model).where(Run.machine_id == machine_id).distinct()
    rows = (await connection.execute(query)).all()
    return {row.chip for row in rows if row.chip}, {row.model for row in rows if row.model}


def last_upload() -> ScalarSelect[Any]:
    """Select when the token's newest run was received."""
    newest = select(func.max(Run.received_at)).where(
        Run.machine_id == Machine.machine_id, Run.token_id == Token.token_id
    )
    return newest.correlate(Machine, Token).scalar_subquery()


def last_chip() -> ScalarSelect[Any]:
    """Select the chip of the machine's newest run."""
    chips = select(Run.chip).where(
        Run.machine_id == Machine.machine_id, Run.chip.is_not(None), Run.fleet_id == Token.fleet_id
    )
    newest = chips.order_by(Run.received_at.desc()).limit(1)
    return newest.correlate(Machine, Token).scalar_subquery()


def runs_given() -> ScalarSelect[Any]:
    """Count the runs that a merged machine has passed to the same Mac's present id."""
    theirs = (Run.machine_id == Machine.merged_into) & (Run.uploaded_as == Machine.machine_id)
    return select(func.count()).select_from(Run).where(theirs).correlate(Machine).scalar_subquery()
