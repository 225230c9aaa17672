"""Changes to machines by their owners: name, retire, move between fleets, delete."""

import uuid
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import RunAct, change_runs, note
from macmeter.accounts.binding import know_named, with_merged
from macmeter.accounts.one_time_links import end_claim_links, make_enrolment_secret
from macmeter.accounts.people import Member, Place
from macmeter.accounts.rights import owns_machine
from macmeter.accounts.rotation import with_its_next
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import DEVICE
from macmeter.comparisons.deleting import delete_runs
from macmeter.comparisons.pinned import follow_machines
from macmeter.fleets.retention import lock, spare
from macmeter.fleets.schemas import Forgotten
from macmeter.models import Clone, Machine, Run, Token
from macmeter.platform.errors import Problem, not_found
from macmeter.results.context import begin
from macmeter.results.machines import has_runs


class Changes(NamedTuple):
    """Changes to a machine; None stays as it is. An empty name removes it."""

    name: str | None
    retired: bool | None
    barred: bool | None
    to: Place | None


async def change(
    connection: AsyncConnection, machine_id: uuid.UUID, changes: Changes, by: Member
) -> None:
    """Change a machine as an admin of its fleet, or as the person who has claimed it."""
    machine = await own_machine(connection, machine_id, by)
    values: dict[str, object] = {}
    if changes.name is not None:
        values["name"] = changes.name or None
    if changes.retired is not None:
        values["retired_at"] = func.now() if changes.retired else None
    if changes.barred is not None:
        values["barred_at"] = (machine.barred_at or func.now()) if changes.barred else None
    if values:
        await _set(connection, machine_id, **values)
        told = {name: value is not None for name, value in values.items() if name != "name"}
        named = {"machine_id": str(machine_id), **told}
        await note(connection, by, "machine.change", machine.fleet_id, **named)
    if changes.to is not None and changes.to.fleet_id != machine.fleet_id:
        await _move(connection, machine, changes.to, by)


async def _move(connection: AsyncConnection, machine: Any, to: Place, by: Member) -> None:
    """Move a machine with its token and its runs of the former fleet. Public runs stay public."""
    await lock(connection, to.fleet_id)
    values: dict[str, object] = {"fleet_id": to.fleet_id}
    if machine.fleet_id is None:
        # A machine has one owner, and its name is only theirs to know.
        values |= {"claimed_by": None, "name": None}
        await end_claim_links(connection, machine.machine_id)
    # Includes its former ids, so that its new owner can undo a merge.
    here = update(Machine).where(with_merged(machine.machine_id))
    await connection.execute(here.values(**values))
    of_machine = update(Token).where(with_its_next(machine.bound_token_id))
    await connection.execute(of_machine.values(fleet_id=to.fleet_id))
    await connection.execute(delete(Clone).where(Clone.machine_id == machine.machine_id))
    if machine.fleet_id is not None:
        theirs = (Run.machine_id == machine.machine_id) & (Run.fleet_id == machine.fleet_id)
        named = {"machine_id": str(machine.machine_id)}
        await spare(connection, theirs, RunAct("run.reinstate", by, named))
        act = RunAct("run.move", by, named | {"to": to.fleet_name})
        await follow_machines(connection, with_merged(machine.machine_id), to.fleet_id)
        await change_runs(connection, theirs, {"fleet_id": to.fleet_id}, act)
    told = {"machine_id": str(machine.machine_id), "to": to.fleet_name}
    await note(connection, by, "machine.move", machine.fleet_id, **told)
    await note(connection, by, "machine.join", to.fleet_id, machine_id=str(machine.machine_id))


async def forget(connection: AsyncConnection, machine_id: uuid.UUID, by: Principal) -> Forgotten:
    """Delete a machine with its runs. A device of a fleet retires: its runs are the fleet's."""
    machine = await own_machine(connection, machine_id, by)
    ended = update(Token).where(with_its_next(machine.bound_token_id))
    await connection.execute(ended.values(revoked_at=func.coalesce(Token.revoked_at, func.now())))
    told = {"machine_id": str(machine_id)}
    if not isinstance(by, Member) and by.scope == DEVICE and machine.fleet_id is not None:
        await _set(connection, machine_id, retired_at=func.now())
        await note(connection, by, "machine.retire", machine.fleet_id, **told)
        return {"outcome": "retired", "runs": 0}
    await end_claim_links(connection, machine_id)
    act = RunAct("run.delete", by, told)
    runs = await delete_runs(connection, Run.machine_id == machine_id, act)
    # The rows stay, bound to tokens that have ended, so that nobody else gets its ids.
    gone = update(Machine).where(with_merged(machine_id))
    nothing = {"fleet_id": None, "name": None, "claimed_by": None, "retired_at": None}
    await connection.execute(gone.values(merged_into=None, **nothing))
    await connection.execute(delete(Clone).where(Clone.machine_id == machine_id))
    await note(connection, by, "machine.delete", machine.fleet_id, **told, runs=runs)
    return {"outcome": "deleted", "runs": runs}


async def make_secret(
    connection: AsyncConnection, machine_id: uuid.UUID, by: Member, now: datetime
) -> tuple[str, datetime]:
    """Create a secret for a Mac outside any fleet to enrol again. Return it and when it expires.

    The server's admin can make one for a Mac that is only known as a guest's host.
    """
    if by.server_admin:
        await know_named(connection, machine_id)
    machine = await own_machine(connection, machine_id, by)
    made = await make_enrolment_secret(connection, machine, by.person_id, now)
    await note(connection, by, "machine.secret", machine_id=str(machine_id))
    return made


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


async def _set(connection: AsyncConnection, machine_id: uuid.UUID, **values: Any) -> None:
    own = update(Machine).where(Machine.machine_id == machine_id)
    await connection.execute(own.values(**values))
