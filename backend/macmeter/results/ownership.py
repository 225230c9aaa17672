"""Ownership of runs, readers' reports of problems with them, and devices' last uploads."""

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


class ReadableRun(NamedTuple):
    """A run's machine, whether the reader owns it, and who has withdrawn it."""

    machine_id: uuid.UUID
    is_own: bool
    withdrawn_by: str | None


async def readable_run(
    connection: AsyncConnection, run_id: uuid.UUID, by: Principal | None, *, lock: bool = False
) -> ReadableRun | None:
    """Return the run; None if `by` can't read it. `by` None is the server's admin, who owns all.

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
    return ReadableRun._make(row) if row is not None else None


async def require_own_run(
    connection: AsyncConnection,
    run_id: uuid.UUID,
    by: Principal | None,
    right: str,
    *,
    lock: bool = False,
) -> ReadableRun:
    """Return the run if the reader owns it; otherwise raise 403, or 404 if they can't read it.

    `right` is what only the owner does, for the refusal: "deletes a run".
    """
    run = await readable_run(connection, run_id, by, lock=lock)
    if run is None:
        raise not_found("run")
    if not run.is_own:
        detail = f"Only the owner of this run or its fleet {right}."
        raise Problem(403, "not_owner", "Not your run", detail)
    return run


async def machine_of_public_run(connection: AsyncConnection, run_id: uuid.UUID) -> uuid.UUID | None:
    """Return the machine of a public run."""
    query = select(Run.machine_id).join(RunId, same_run(RunId))
    machine_id: uuid.UUID | None = await connection.scalar(
        query.where(RunId.run_id == run_id, visible(COMMONS))
    )
    return machine_id


class Report(NamedTuple):
    """A reader's report of a problem with a run, and what was decided about it."""

    reason: str
    created_at: datetime
    decision: str | None
    answer: str | None


_OPEN = Doubt.decision.is_(None)
_WAITS_FOR_REVIEW = or_(Run.withdrawn_by == QUARANTINE, exists().where(same_run(Doubt), _OPEN))


async def count_open_reports(connection: AsyncConnection, run_id: uuid.UUID) -> int:
    """Count the run's unresolved doubts."""
    counted = select(func.count()).select_from(Doubt).where(Doubt.run_id == run_id, _OPEN)
    return int(await connection.scalar(counted) or 0)


async def doubts_of(connection: AsyncConnection, run_id: uuid.UUID) -> list[Report]:
    """Return the run's doubts, oldest first."""
    return (await doubts_of_each(connection, [run_id])).get(run_id, [])


async def doubts_of_each(
    connection: AsyncConnection, run_ids: Iterable[uuid.UUID], *, waiting: bool = False
) -> dict[uuid.UUID, list[Report]]:
    """Return doubts about each run, oldest first; with `waiting`, only unresolved ones."""
    query = select(Doubt).where(Doubt.run_id.in_([*run_ids]))
    if waiting:
        query = query.where(_OPEN)
    doubts: dict[uuid.UUID, list[Report]] = {}
    for row in await connection.execute(query.order_by(Doubt.created_at, Doubt.doubt_id)):
        report = Report(row.reason, row.created_at, row.decision, row.answer)
        doubts.setdefault(row.run_id, []).append(report)
    return doubts


async def waiting_for_review(context: ReadContext, limit: int) -> tuple[list[StoredRun], int]:
    """Return the runs that are quarantined or have unresolved doubts, oldest first, and the total
    number.
    """
    conditions = (visible(context.scope), _WAITS_FOR_REVIEW)
    query = select(*COLUMNS).where(*conditions).order_by(Run.received_at, Run.run_id).limit(limit)
    rows = await context.connection.execute(query)
    counted = select(func.count()).select_from(Run).where(*conditions)
    return [StoredRun._make(row) for row in rows], await context.connection.scalar(counted) or 0


async def chips_and_models(
    connection: AsyncConnection, machine_id: uuid.UUID
) -> tuple[set[str], set[str]]:
    """Return the chips and models that a machine's runs name, normally one of each or none."""
    query = select(Run.chip, Run.model).where(Run.machine_id == machine_id).distinct()
    rows = (await connection.execute(query)).all()
    return {row.chip for row in rows if row.chip}, {row.model for row in rows if row.model}


def last_upload() -> ScalarSelect[Any]:
    """Select when the token's newest run was received."""
    received_at = select(func.max(Run.received_at)).where(
        Run.machine_id == Machine.machine_id, Run.token_id == Token.token_id
    )
    return received_at.correlate(Machine, Token).scalar_subquery()


def last_chip() -> ScalarSelect[Any]:
    """Select the chip of the machine's newest run."""
    chips = select(Run.chip).where(
        Run.machine_id == Machine.machine_id, Run.chip.is_not(None), Run.fleet_id == Token.fleet_id
    )
    newest = chips.order_by(Run.received_at.desc()).limit(1)
    return newest.correlate(Machine, Token).scalar_subquery()


def runs_passed_on() -> ScalarSelect[Any]:
    """Count the runs that a merged machine has passed to the same Mac's present id."""
    passed_on = (Run.machine_id == Machine.merged_into) & (Run.uploaded_as == Machine.machine_id)
    return (
        select(func.count()).select_from(Run).where(passed_on).correlate(Machine).scalar_subquery()
    )
