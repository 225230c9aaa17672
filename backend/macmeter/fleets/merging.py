"""Merging two ids of one Mac, which gets another id when it is erased: one of them gets all runs.

Documents stay as they were uploaded. A run remembers the id in its document, to undo a merge.
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, literal, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from macmeter.accounts.audit import note
from macmeter.accounts.binding import with_merged
from macmeter.accounts.one_time_links import end_claim_links
from macmeter.accounts.people import FleetAccess, Member
from macmeter.accounts.rotation import with_its_next
from macmeter.alerts.machines import fleet_policy_of, silent_since
from macmeter.catalog.terms import machine_name
from macmeter.fleets.machines import own_machine
from macmeter.fleets.schemas import KnownMac, LikelyMerge, Merged
from macmeter.models import (
    Clone,
    Document,
    Doubt,
    FleetMachine,
    Machine,
    PublishedFigure,
    Run,
    RunId,
    RunResults,
    Token,
)
from macmeter.platform.database import as_json
from macmeter.platform.errors import FieldError, Problem, invalid, not_found
from macmeter.results.ownership import chips_and_models, runs_passed_on

_OF_RUNS = (Document, RunResults, PublishedFigure, Doubt)
_AT_ONCE = 1000


async def merge(
    connection: AsyncConnection, machine_id: uuid.UUID, into: uuid.UUID, by: Member
) -> int:
    """Merge an id `into` another one. Return how many runs were moved.

    Its token ends, and it can't enrol again. Calling this again moves what was being uploaded
    meanwhile.
    """
    if machine_id == into:
        raise invalid("/into", "This is the same id. Give the id that stays.")
    machines = {key: await own_machine(connection, key, by) for key in sorted((machine_id, into))}
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
    uploaded_as = func.coalesce(Run.uploaded_as, Run.machine_id)
    runs = await _give(connection, Run.machine_id == machine_id, into, uploaded_as)
    tokens = update(Token).where(with_its_next(machine.bound_token_id))
    await connection.execute(tokens.values(revoked_at=func.coalesce(Token.revoked_at, func.now())))
    # Ids that were merged into this one go along: each can be taken back by itself.
    group = update(Machine).where(with_merged(machine_id))
    await connection.execute(group.values(merged_into=into, retired_at=func.now(), retired_by=None))
    values = {name: getattr(machine, name) for name in ("name", "labels")}
    if new := {
        name: value for name, value in values.items() if getattr(other, name) is None and value
    }:
        statement = update(Machine).where(Machine.machine_id == into)
        await connection.execute(statement.values(**new))
    await end_claim_links(connection, machine_id)
    await connection.execute(delete(Clone).where(Clone.machine_id == machine_id))
    if machine.merged_into is None or runs:
        details = {"machine_id": str(machine_id), "into": str(into), "runs": runs}
        await note(connection, by, "machine.merge", machine.fleet_id, **details)
    return runs


async def take_back(connection: AsyncConnection, machine_id: uuid.UUID, by: Member) -> int:
    """Undo a merge. Return how many runs were moved back.

    The id gets the other one's fleet and owner, and can enrol again.
    """
    is_merged = Machine.machine_id == machine_id
    into = await connection.scalar(select(Machine.merged_into).where(is_merged))
    ids = sorted({machine_id, into or machine_id})
    machines = {key: await own_machine(connection, key, by) for key in ids}
    if into is None or machines[machine_id].merged_into != into:
        raise not_found("merged machine")
    condition = (Run.machine_id == into) & (Run.uploaded_as == machine_id)
    runs = await _give(connection, condition, machine_id, null())
    other = machines[into]
    owners = {"fleet_id": other.fleet_id, "claimed_by": other.claimed_by}
    statement = update(Machine).where(is_merged).values(merged_into=None, retired_at=None, **owners)
    await connection.execute(statement)
    details = {"machine_id": str(machine_id), "from": str(into), "runs": runs}
    await note(connection, by, "machine.part", other.fleet_id, **details)
    return runs


async def _require_alike(connection: AsyncConnection, *machine_ids: uuid.UUID) -> None:
    """Raise 409 if their runs say that they are different Macs."""
    first, second = [await chips_and_models(connection, machine_id) for machine_id in machine_ids]
    for what, left, right in zip(("chip", "model"), first, second, strict=True):
        if left and right and not left & right:
            detail = (
                f"These are different Macs. By their runs, the {what} of one is "
                f"{', '.join(sorted(left))}, of the other {', '.join(sorted(right))}."
            )
            raise _refused("different_macs", detail)


async def _give(
    connection: AsyncConnection,
    condition: ColumnElement[bool],
    to: uuid.UUID,
    uploaded_as: ColumnElement[Any],
) -> int:
    """Move these runs of one machine to another, a thousand at a time.

    Return how many they were.
    """
    count, values = 0, {"machine_id": literal(to), "uploaded_as": uploaded_as}
    names = [column.name for column in Run.__table__.columns]
    while True:
        keys = select(Run.machine_id, Run.run_id).where(condition).limit(_AT_ONCE).with_for_update()
        runs = (await connection.execute(keys)).all()
        if not runs:
            return count
        run_ids, former = [row.run_id for row in runs], runs[0].machine_id
        is_moved = (Run.machine_id == former) & Run.run_id.in_(run_ids)
        rows = select(*(values.get(name, getattr(Run, name)) for name in names)).where(is_moved)
        # Insert copies: rows that refer to a run name its machine, and need one at any time.
        await connection.execute(insert(Run).from_select(names, rows))
        for model in _OF_RUNS:
            matches = (model.machine_id == former) & model.run_id.in_(run_ids)
            await connection.execute(update(model).where(matches).values(machine_id=to))
        await connection.execute(delete(Run).where(is_moved))
        statement = update(RunId).where(RunId.run_id.in_(run_ids))
        await connection.execute(statement.values(machine_id=to))
        count += len(runs)


def _refused(code: str, detail: str) -> Problem:
    return Problem(409, code, "Can't be merged", detail, [FieldError("/into", code, detail)])


# An erased Mac comes back within this time, and is suggested for as long again.
_AWAY = timedelta(days=30)
_MOST = 50


async def likely_of(
    connection: AsyncConnection, access: FleetAccess, now: datetime
) -> list[LikelyMerge]:
    """Likely merges: one id fell silent, and the only new one of its model and chip came then.

    If several Macs of a model came or went, nobody can tell which is which, so none is suggested.
    """
    former, present = aliased(FleetMachine), aliased(FleetMachine)
    left, came = aliased(Machine), aliased(Machine)
    silent = silent_since(await fleet_policy_of(connection, access.fleet_id), now)
    same_model = (present.fleet_id == former.fleet_id) & (present.model == former.model)
    columns = [
        column.label(f"{which}_{name}")
        for which, facts, machine in (("former", former, left), ("present", present, came))
        for name, column in (
            *((name, getattr(facts, name)) for name in ("machine_id", "model", "chip", "runs")),
            *(("last_at", facts.received_at), ("name", machine.name)),
            ("first_at", machine.first_seen_at),
        )
    ]
    pairs = (
        select(
            *columns,
            func.count().over(partition_by=former.machine_id).label("came"),
            func.count().over(partition_by=present.machine_id).label("went"),
        )
        .join(left, left.machine_id == former.machine_id)
        .join(present, same_model & (present.chip == former.chip))
        .where(present.machine_id != former.machine_id)
        .join(came, came.machine_id == present.machine_id)
        # Virtual machines come and go by the dozen.
        .where(former.fleet_id == access.fleet_id, ~former.virtual, ~present.virtual)
        .where(former.received_at < silent)
        .where(left.retired_at.is_(None), came.retired_at.is_(None))
        .where(came.first_seen_at > now - 2 * _AWAY)
        .where(came.first_seen_at.between(former.received_at, former.received_at + _AWAY))
        .subquery()
    )
    query = select(pairs).where(pairs.c.came == 1, pairs.c.went == 1)
    rows = await connection.execute(query.order_by(pairs.c.present_first_at.desc()).limit(_MOST))
    return [{"former": _mac(row, "former"), "present": _mac(row, "present")} for row in rows]


def _mac(row: Any, which: str) -> KnownMac:
    values = {name.removeprefix(f"{which}_"): value for name, value in row._mapping.items()}
    return {
        "id": str(values["machine_id"]),
        "title": values["name"] or values["model"] or machine_name(values["machine_id"]),
        "chip": values["chip"],
        "runs": values["runs"],
        "first_at": values["first_at"].isoformat(),
        "last_at": values["last_at"].isoformat(),
    }


async def merged_of(connection: AsyncConnection, access: FleetAccess) -> list[Merged]:
    """Ids that were merged into another one, latest first."""
    into = aliased(Machine)
    query = (
        select(
            *(Machine.machine_id, Machine.merged_into.label("into")),
            func.coalesce(func.nullif(into.name, ""), FleetMachine.model).label("title"),
            *(FleetMachine.chip, runs_passed_on().label("runs"), Machine.retired_at.label("at")),
        )
        .join(into, into.machine_id == Machine.merged_into)
        .outerjoin(
            FleetMachine,
            (FleetMachine.machine_id == Machine.merged_into)
            & (FleetMachine.fleet_id == Machine.fleet_id),
        )
        .where(Machine.fleet_id == access.fleet_id)
        .order_by(Machine.retired_at.desc().nulls_last(), Machine.machine_id)
    )
    return [
        as_json(row, title=row.title or machine_name(row.into))
        for row in await connection.execute(query)
    ]
