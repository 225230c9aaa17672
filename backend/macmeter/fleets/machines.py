"""Changes to machines by their owners: name, retire, move between fleets, delete."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from pydantic import AfterValidator, StringConstraints
from sqlalchemy import cast, column, delete, func, select, update
from sqlalchemy import values as sql_values
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import NAMES_OF_LEAVING_MACHINES, RunAct, change_runs, note
from macmeter.accounts.binding import insert_named_host, with_merged
from macmeter.accounts.one_time_links import end_claim_links, make_enrolment_secret
from macmeter.accounts.people import FleetAccess, Member
from macmeter.accounts.rights import owns_machine
from macmeter.accounts.rotation import with_its_next
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import DEVICE
from macmeter.comparisons.deleting import delete_runs
from macmeter.comparisons.pinned import move_machines
from macmeter.documents.document import MAX_LABELS
from macmeter.fleets.retention import lock, require_announced, spare
from macmeter.fleets.schemas import Forgotten
from macmeter.models import Clone, Machine, Run, Token
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.plain_text import legible
from macmeter.results.context import begin
from macmeter.results.machines import has_runs

MachineName = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$"),
    AfterValidator(legible),
]
"""Name of a machine; empty for none. Unlike an id it may say whose the machine is, so only readers
of its fleet see it.
"""


# Columns that a machine loses with its owner.
_OWNER_COLUMNS = ("fleet_id", "name", "labels", "claimed_by", "retired_at", "retired_by")


class Changes(NamedTuple):
    """Changes to a machine; None leaves a value as it is.

    An empty name removes the name. A label of None is removed: runs show their own again.
    """

    name: str | None = None
    retired: bool | None = None
    barred: bool | None = None
    labels: Mapping[str, str | None] | None = None


ChangesByMachine = Mapping[uuid.UUID, Changes]
"""Changes by machine id."""


async def change(
    connection: AsyncConnection,
    machine_id: uuid.UUID,
    changes: Changes,
    by: Member,
    *,
    to: FleetAccess | None = None,
) -> None:
    """Change a machine as an admin of its fleet, or as the person who has claimed it."""
    machine = await own_machine(connection, machine_id, by)
    await _change(connection, [machine], {machine_id: changes}, by)
    if to is not None and to.fleet_id != machine.fleet_id:
        await _move(connection, [machine], to, by)


async def change_many(
    connection: AsyncConnection,
    access: FleetAccess,
    changes: ChangesByMachine,
    by: Member,
    *,
    to: FleetAccess | None = None,
) -> ChangesByMachine:
    """Change machines of one fleet, all or none. Return the changes that undo this, without moves.

    Raise 422 if some aren't in the fleet.
    """
    machines = await _lock_in_fleet(connection, access, changes)
    undos = await _change(connection, machines, changes, by)
    if to is not None and to.fleet_id != access.fleet_id:
        await _move(connection, machines, to, by)
    return undos


async def _lock_in_fleet(
    connection: AsyncConnection, access: FleetAccess, ids: Collection[uuid.UUID]
) -> Sequence[Any]:
    """Lock these machines of a fleet. Raise 422 if some aren't in it."""
    in_fleet = Machine.machine_id.in_(ids) & (Machine.fleet_id == access.fleet_id)
    query = select(Machine).where(in_fleet).order_by(Machine.machine_id).with_for_update()
    machines = (await connection.execute(query)).all()
    if missing := len(ids) - len(machines):
        detail = f"{missing} of these {len(ids)} are not in this fleet any more. Nothing changed."
        raise invalid("/machines", detail, "not_in_fleet")
    return machines


async def _change(
    connection: AsyncConnection, machines: Sequence[Any], new: ChangesByMachine, by: Member
) -> ChangesByMachine:
    """Change locked machines of one fleet, with one entry in the audit log. Return the undos."""
    rows_by_id = {row.machine_id: row for row in machines}
    all_undos = {row.machine_id: _undo_of(row, new[row.machine_id]) for row in machines}
    undos = {key: undo for key, undo in all_undos.items() if undo != Changes()}
    names = {key: new[key].name or None for key, undo in undos.items() if undo.name is not None}
    if names:
        await _set_each(connection, Machine.name, names)
    labels = {key: new[key].labels or {} for key, undo in undos.items() if undo.labels is not None}
    if labels:
        merged = {key: _merged(rows_by_id[key].labels, changes) for key, changes in labels.items()}
        await _set_each(connection, Machine.labels, merged)
    if rows := [rows_by_id[key] for key, undo in undos.items() if undo.retired is False]:
        await _retire(connection, rows, by)
    if rows := [rows_by_id[key] for key, undo in undos.items() if undo.retired is True]:
        await _bring_back(connection, rows)
    for bars in (True, False):
        if rows := [rows_by_id[key] for key, undo in undos.items() if undo.barred is (not bars)]:
            await _set(connection, rows, barred_at=func.now() if bars else None)
            if bars:
                await _end_tokens(connection, rows)
    if undos:
        new_values = {
            name: {getattr(new[key], name) for key in undos} for name in ("retired", "barred")
        }
        shared = {
            name: values.pop() for name, values in new_values.items() if values in ({True}, {False})
        }
        renamed = {"renamed": len(names)} if names else {}
        first, *others = labels.values() or [{}]
        labelled = {"labels": first} if first and all(other == first for other in others) else {}
        details = shared | renamed | labelled
        await note(
            connection, by, "machine.change", machines[0].fleet_id, **_id_details(undos), **details
        )
    return undos


def _undo_of(machine: Any, changes: Changes) -> Changes:
    """Return the changes that undo these; None where nothing changes."""
    before = Changes(
        machine.name or "", machine.retired_at is not None, machine.barred_at is not None
    )
    current = machine.labels or {}
    labels = {
        key: current.get(key)
        for key, value in (changes.labels or {}).items()
        if current.get(key) != value
    }
    return Changes(
        name=None if changes.name in (None, before.name) else before.name,
        retired=None if changes.retired in (None, before.retired) else before.retired,
        barred=None if changes.barred in (None, before.barred) else before.barred,
        labels=labels or None,
    )


def _merged(
    former: Mapping[str, str] | None, changes: Mapping[str, str | None]
) -> Mapping[str, str] | None:
    """Return the labels after these changes; None if there are none. Raise 422 for too many."""
    merged = {**(former or {}), **changes}
    labels = {key: value for key, value in merged.items() if value is not None}
    if len(labels) > MAX_LABELS:
        raise invalid("/machines", f"A Mac can have at most {MAX_LABELS} labels.", "too_many")
    return labels or None


async def _set_each(
    connection: AsyncConnection, attribute: Any, values: Mapping[uuid.UUID, object]
) -> None:
    """Set a column of each machine to its own value."""
    ids, cells = column("machine_id", Machine.machine_id.type), column("value", attribute.type)
    rows = sql_values(ids, cells, name="given").data([*values.items()])
    statement = update(Machine).where(Machine.machine_id == rows.c.machine_id)
    await connection.execute(statement.values({attribute: cast(rows.c.value, attribute.type)}))


async def _retire(connection: AsyncConnection, machines: Sequence[Any], by: Member) -> None:
    """Retire machines and end their tokens: their next upload is refused, naming who retired them.

    Macs outside fleets go on uploading.
    """
    if machines[0].fleet_id is None:
        await _set(connection, machines, retired_at=func.now())
        return
    await _set(connection, machines, retired_at=func.now(), retired_by=by.name)
    await _end_tokens(connection, machines)


async def _bring_back(connection: AsyncConnection, machines: Sequence[Any]) -> None:
    """Undo the machines' retirement: only tokens that ended with it become valid again."""
    ids = [machine.machine_id for machine in machines if machine.merged_into is None]
    tokens = (
        update(Token)
        .where(Machine.machine_id.in_(ids), Machine.retired_by.is_not(None))
        .where(Machine.bound_token_id.in_([Token.token_id, Token.replaces]))
        .where(Token.revoked_at == Machine.retired_at)
    )
    await connection.execute(tokens.values(revoked_at=None))
    restored = update(Machine).where(Machine.machine_id.in_(ids))
    await connection.execute(restored.values(retired_at=None, retired_by=None))


async def _end_tokens(connection: AsyncConnection, machines: Sequence[Any]) -> None:
    tokens = update(Token).where(with_its_next(*(machine.bound_token_id for machine in machines)))
    await connection.execute(tokens.values(revoked_at=func.coalesce(Token.revoked_at, func.now())))


def _name_details(machines: Sequence[Any]) -> dict[str, Any]:
    """Return details for the audit log: the names of machines in the fleet that they leave."""
    rows = [row for row in machines if row.fleet_id is not None and row.name is not None]
    names = {str(row.machine_id): row.name for row in rows}
    return {NAMES_OF_LEAVING_MACHINES: names} if names else {}


def _id_details(machine_ids: Collection[uuid.UUID]) -> dict[str, Any]:
    """Return details for the audit log: the id of one machine, or the ids of several."""
    if len(machine_ids) == 1:
        return {"machine_id": str(next(iter(machine_ids)))}
    return {"machine_ids": sorted(map(str, machine_ids))}


async def _move(
    connection: AsyncConnection, machines: Sequence[Any], to: FleetAccess, by: Member
) -> None:
    """Move machines of one owner with their tokens and their runs of the former fleet. Public runs
    stay public.
    """
    await lock(connection, to.fleet_id)
    ids, former = [machine.machine_id for machine in machines], machines[0].fleet_id
    values: dict[str, object] = {"fleet_id": to.fleet_id}
    if former is None:
        # A machine has one owner, and its name is only theirs to know.
        values |= {"claimed_by": None, "name": None}
        for machine_id in ids:
            await end_claim_links(connection, machine_id)
    # Includes former ids, so that the new owner can undo a merge.
    statement = update(Machine).where(with_merged(*ids))
    await connection.execute(statement.values(**values))
    tokens = update(Token).where(with_its_next(*(machine.bound_token_id for machine in machines)))
    await connection.execute(tokens.values(fleet_id=to.fleet_id))
    await connection.execute(delete(Clone).where(Clone.machine_id.in_(ids)))
    entry = _id_details(ids)
    if former is not None:
        condition = Run.machine_id.in_(ids) & (Run.fleet_id == former)
        await spare(connection, condition, RunAct("run.reinstate", by, entry))
        act = RunAct("run.move", by, entry | {"to": to.fleet_name})
        await move_machines(connection, with_merged(*ids), to.fleet_id)
        await change_runs(connection, condition, {"fleet_id": to.fleet_id}, act)
    leaving = entry | _name_details(machines)
    await note(connection, by, "machine.move", former, **leaving, to=to.fleet_name)
    await note(connection, by, "machine.join", to.fleet_id, **entry)


async def forget(connection: AsyncConnection, machine_id: uuid.UUID, by: Principal) -> Forgotten:
    """Delete a machine with its runs. A device of a fleet retires: its runs are the fleet's."""
    machine = await own_machine(connection, machine_id, by)
    if not isinstance(by, Member) and by.scope == DEVICE and machine.fleet_id is not None:
        await _end_tokens(connection, [machine])
        details = {"machine_id": str(machine_id)}
        await _set(connection, [machine], retired_at=func.now(), retired_by=None)
        await note(connection, by, "machine.retire", machine.fleet_id, **details)
        return {"outcome": "retired", "runs": 0}
    return {"outcome": "deleted", "runs": await _delete(connection, [machine], by)}


async def delete_many(
    connection: AsyncConnection,
    access: FleetAccess,
    machine_ids: Collection[uuid.UUID],
    by: Member,
    announced: int | None,
) -> int:
    """Delete machines of one fleet with their runs, all or none. Return the number of runs.

    Nothing is deleted without `announced`, the number of runs that somebody has agreed to. Raise
    409 if it has changed, and 422 if some machines aren't in the fleet.
    """
    machines = await _lock_in_fleet(connection, access, machine_ids)
    query = select(func.count()).select_from(Run).where(Run.machine_id.in_(machine_ids))
    runs = await connection.scalar(query) or 0
    if announced is not None:
        require_announced(runs, announced)
        await _delete(connection, machines, by)
    return runs


async def _delete(connection: AsyncConnection, machines: Sequence[Any], by: Principal) -> int:
    """Delete locked machines of one owner with their runs. Return the number of these."""
    ids = [machine.machine_id for machine in machines]
    await _end_tokens(connection, machines)
    for machine_id in ids:
        await end_claim_links(connection, machine_id)
    entry = _id_details(ids)
    runs = await delete_runs(connection, Run.machine_id.in_(ids), RunAct("run.delete", by, entry))
    # The rows stay, bound to tokens that have ended, so that nobody else gets its ids.
    statement = update(Machine).where(with_merged(*ids))
    cleared = dict.fromkeys(_OWNER_COLUMNS)
    await connection.execute(statement.values(merged_into=None, **cleared))
    await connection.execute(delete(Clone).where(Clone.machine_id.in_(ids)))
    leaving = entry | _name_details(machines)
    await note(connection, by, "machine.delete", machines[0].fleet_id, **leaving, runs=runs)
    return runs


async def make_secret(
    connection: AsyncConnection, machine_id: uuid.UUID, by: Member, now: datetime
) -> tuple[str, datetime]:
    """Create a secret for a Mac outside any fleet to enrol again. Return it and when it expires.

    The server's admin can make one for a Mac that is only known as a guest's host.
    """
    if by.server_admin:
        await insert_named_host(connection, machine_id)
    machine = await own_machine(connection, machine_id, by)
    secret = await make_enrolment_secret(connection, machine, by.person_id, now)
    await note(connection, by, "machine.secret", machine_id=str(machine_id))
    return secret


async def own_machine(connection: AsyncConnection, machine_id: uuid.UUID, by: Principal) -> Any:
    """Lock a machine and return its row.

    Raise 403 if it is somebody else's, 404 if they can't see it.
    """
    query = select(Machine).where(Machine.machine_id == machine_id).with_for_update()
    machine = (await connection.execute(query)).one_or_none()
    if machine is not None and not machine.reserved and owns_machine(machine, by):
        return machine
    if await has_runs(await begin(connection, by), machine_id):
        detail = "Only the owner of a machine, or an admin of its fleet, can change it."
        raise Problem(403, "not_owner", "Not your machine", detail)
    raise not_found("machine")


async def _set(connection: AsyncConnection, machines: Sequence[Any], **values: Any) -> None:
    statement = update(Machine).where(Machine.machine_id.in_([row.machine_id for row in machines]))
    await connection.execute(statement.values(**values))
