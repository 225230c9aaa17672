"""Two ids of one Mac, which got another id when it was erased: one of them gets all runs.

Documents stay as they were uploaded. A run remembers the id in its document, to go back by.
"""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, literal, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.binding import with_merged
from macmeter.access.claims import end_links
from macmeter.access.people import Member
from macmeter.access.rotation import with_its_next
from macmeter.errors import FieldError, Problem, invalid, not_found
from macmeter.fleets.machines import own_machine
from macmeter.models import (
    Clone,
    Document,
    Doubt,
    Machine,
    PublishedFigure,
    Run,
    RunId,
    RunResults,
    Token,
)
from macmeter.reading.owning import kinds_of

_OF_RUNS = (Document, RunResults, PublishedFigure, Doubt)
_AT_ONCE = 1000


async def merge(
    connection: AsyncConnection, machine_id: uuid.UUID, into: uuid.UUID, by: Member
) -> int:
    """How many runs are `into`'s now. The other id's token ends, and it can't enrol again.

    Asking again takes over what was being uploaded meanwhile.
    """
    if machine_id == into:
        raise invalid("/into", "This is the same id. Give the id that stays.")
    machines = {one: await own_machine(connection, one, by) for one in sorted((machine_id, into))}
    machine, other = machines[machine_id], machines[into]
    if (machine.fleet_id, machine.claimed_by) != (other.fleet_id, other.claimed_by):
        raise _refused(
            "other_owner", "Both ids must be in the same fleet, or be yours. Move one first."
        )
    if other.merged_into is not None:
        detail = f"That id was merged itself. Merge into {other.merged_into}."
        raise _refused("merged_itself", detail)
    if machine.merged_into not in (None, into):
        detail = f"This id was merged into {machine.merged_into}. Take that back first."
        raise _refused("machine_merged", detail)
    await _require_alike(connection, machine_id, into)
    runs = await _give(
        connection,
        Run.machine_id == machine_id,
        into,
        func.coalesce(Run.uploaded_as, Run.machine_id),
    )
    ended = update(Token).where(with_its_next(machine.bound_token_id))
    await connection.execute(ended.values(revoked_at=func.coalesce(Token.revoked_at, func.now())))
    # What was merged into this id goes with it: each can be taken back by itself.
    gone = update(Machine).where(with_merged(machine_id))
    await connection.execute(gone.values(merged_into=into, retired_at=func.now()))
    if other.name is None and machine.name is not None:
        named = update(Machine).where(Machine.machine_id == into)
        await connection.execute(named.values(name=machine.name))
    await end_links(connection, machine_id)
    await connection.execute(delete(Clone).where(Clone.machine_id == machine_id))
    if machine.merged_into is None or runs:
        told = {"machine_id": str(machine_id), "into": str(into), "runs": runs}
        await note(connection, by, "machine.merge", machine.fleet_id, **told)
    return runs


async def take_back(connection: AsyncConnection, machine_id: uuid.UUID, by: Member) -> int:
    """How many runs are this id's again. It is where the other one is now, and enrols again."""
    into = await connection.scalar(
        select(Machine.merged_into).where(Machine.machine_id == machine_id)
    )
    ids = sorted({machine_id, into or machine_id})
    machines = {one: await own_machine(connection, one, by) for one in ids}
    if into is None or machines[machine_id].merged_into != into:
        raise not_found("merged machine")
    theirs = (Run.machine_id == into) & (Run.uploaded_as == machine_id)
    runs = await _give(connection, theirs, machine_id, null())
    other = machines[into]
    values = {"merged_into": None, "retired_at": None}
    owners = {"fleet_id": other.fleet_id, "claimed_by": other.claimed_by}
    this = update(Machine).where(Machine.machine_id == machine_id)
    await connection.execute(this.values(**values, **owners))
    told = {"machine_id": str(machine_id), "from": str(into), "runs": runs}
    await note(connection, by, "machine.part", other.fleet_id, **told)
    return runs


async def _require_alike(connection: AsyncConnection, *machine_ids: uuid.UUID) -> None:
    """409 where their runs say that they are unlike Macs."""
    one, other = [await kinds_of(connection, machine_id) for machine_id in machine_ids]
    for what, these, those in zip(("chip", "model"), one, other, strict=True):
        if these and those and not these & those:
            detail = (
                f"These are different Macs. By their runs, the {what} of one is "
                f"{', '.join(sorted(these))}, of the other {', '.join(sorted(those))}."
            )
            raise _refused("different_macs", detail)


async def _give(
    connection: AsyncConnection,
    which: ColumnElement[bool],
    to: uuid.UUID,
    uploaded_as: ColumnElement[Any],
) -> int:
    """Give these runs of one machine to another, a thousand at a time; how many they were."""
    given, values = 0, {"machine_id": literal(to), "uploaded_as": uploaded_as}
    names = [column.name for column in Run.__table__.columns]
    while True:
        found = select(Run.machine_id, Run.run_id).where(which).limit(_AT_ONCE).with_for_update()
        runs = (await connection.execute(found)).all()
        if not runs:
            return given
        run_ids, former = [row.run_id for row in runs], runs[0].machine_id
        theirs = (Run.machine_id == former) & Run.run_id.in_(run_ids)
        rows = select(*(values.get(name, getattr(Run, name)) for name in names)).where(theirs)
        # A new row each: what hangs on a run names its machine, and can't be without it meanwhile.
        await connection.execute(insert(Run).from_select(names, rows))
        for model in _OF_RUNS:
            of_runs = (model.machine_id == former) & model.run_id.in_(run_ids)
            await connection.execute(update(model).where(of_runs).values(machine_id=to))
        await connection.execute(delete(Run).where(theirs))
        moved = update(RunId).where(RunId.run_id.in_(run_ids))
        await connection.execute(moved.values(machine_id=to))
        given += len(runs)


def _refused(code: str, detail: str) -> Problem:
    return Problem(409, code, "Can't be merged", detail, [FieldError("/into", code, detail)])
