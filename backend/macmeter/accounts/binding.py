"""Rules for which token may write which machine's runs.

A machine id is public, so knowing one proves nothing. A device token binds at first use: from then
on it writes for that machine only, and the machine takes runs from no other device. A fleet token
writes for its fleet's machines and adds new ones.

A machine with runs and no token isn't new: its id goes only to whoever proves that it is theirs.
Nor is one that a guest names as its host: it belongs to the fleet that named it first.
"""

import uuid
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, bindparam, exists, func, or_, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.tokens import DEVICE, TokenPrincipal
from macmeter.models import Machine, Run, Token
from macmeter.platform.errors import FieldError, Problem

MERGED = (
    "This machine id was merged into another one, as the same Mac. An admin of its fleet, or its "
    "owner, can take that back."
)
TAKEN = (
    "This id is another Mac's, or this Mac's under a token that it no longer shows. Enrol where "
    "the former token is kept, or with a secret for this Mac that its owner or an admin of this "
    "server makes; an admin of its fleet can move it. For a new id, run `macmeter forget`."
)
"""One text for all cases, so that it doesn't tell a private fleet's Mac from a public one."""


def with_merged(*machine_ids: uuid.UUID) -> ColumnElement[bool]:
    """Condition on machines: these, and the ids that were merged into them."""
    return or_(Machine.machine_id.in_(machine_ids), Machine.merged_into.in_(machine_ids))


def has_runs() -> ColumnElement[bool]:
    """Condition on machines that have runs."""
    return exists().where(Run.machine_id == Machine.machine_id)


def first_named_by(fleet_id: ColumnElement[Any]) -> ScalarSelect[bool | None]:
    """Whether this fleet's run was the first to name a machine as its host; null if no run does.

    A guest's document is public, and so is the id in it.
    """
    in_fleet = func.coalesce(Run.fleet_id == fleet_id, False)
    query = select(in_fleet).where(Run.host_machine_id == Machine.machine_id)
    return query.order_by(Run.received_at, Run.run_id).limit(1).scalar_subquery()


async def insert_named_host(connection: AsyncConnection, machine_id: uuid.UUID) -> None:
    """Insert a machine that is only known as the host of a guest, if a guest names it."""
    query = select(Run.host_machine_id).where(Run.host_machine_id == machine_id).limit(1)
    new = postgresql.insert(Machine).from_select(["machine_id"], query)
    await connection.execute(new.on_conflict_do_nothing())


# SQL condition on `tokens` and `machines`: the token is valid and bound to the machine. It decides
# as `_is_bound_to` does.
IS_BOUND_SQL = """
    tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    AND NOT machines.reserved AND machines.merged_into IS NULL
    AND CASE tokens.scope
        WHEN 'device' THEN machines.bound_token_id = tokens.token_id
            AND (machines.fleet_id IS NULL OR machines.fleet_id = tokens.fleet_id)
        ELSE machines.fleet_id = tokens.fleet_id
    END
"""
_SELECT_MACHINE = select(
    *(Machine.bound_token_id, Machine.fleet_id, Machine.reserved, Machine.merged_into),
    has_runs().label("has_runs"),
    first_named_by(bindparam("fleet_id", type_=Run.fleet_id.type)).label("first_named_by_fleet"),
).where(Machine.machine_id == bindparam("machine_id"))
_LOCK_MACHINE = _SELECT_MACHINE.with_for_update()
# A lock that still lets runs be stored, which refer to tokens.
_LOCK_TOKEN = (
    select(Token.token_id)
    .where(Token.token_id == bindparam("token_id"))
    .with_for_update(key_share=True)
)


async def bind(connection: AsyncConnection, machine_id: uuid.UUID, bearer: TokenPrincipal) -> None:
    """Check that `bearer` may write this machine's runs, binding both at first use.

    Raise 403 if not.
    """
    if await _is_bound_to(connection, machine_id, bearer, lock=False):
        return
    new = postgresql.insert(Machine).values(machine_id=machine_id)
    await connection.execute(new.on_conflict_do_nothing())
    if await _is_bound_to(connection, machine_id, bearer, lock=True):
        return
    values = {"fleet_id": bearer.fleet_id}
    if bearer.scope == DEVICE:
        # Several machines may come with a fresh token at once: one after another.
        await connection.execute(_LOCK_TOKEN, {"token_id": bearer.token_id})
        has_machine = exists().where(Machine.bound_token_id == bearer.token_id)
        if await connection.scalar(select(has_machine)):
            detail = "This token belongs to another machine. Enrol this machine to get its own."
            raise _refused("token_bound", detail)
        values["bound_token_id"] = bearer.token_id
    is_machine = Machine.machine_id == machine_id
    await connection.execute(update(Machine).where(is_machine).values(**values))


async def require_bound(
    connection: AsyncConnection, machine_id: uuid.UUID, bearer: TokenPrincipal
) -> None:
    """Raise 403 unless this is the machine's own token, or if there is no such machine."""
    try:
        is_own = await _is_bound_to(connection, machine_id, bearer, lock=True)
    except Problem:
        is_own = False
    if not is_own:
        detail = "Send the Mac's own token. Enrol the Mac, or upload a run with this token first."
        raise _refused("machine_bound", detail)


async def reserve(connection: AsyncConnection, machine_ids: set[uuid.UUID]) -> None:
    """Reserve these machines for the server's own published figures."""
    if machine_ids:
        rows = [{"machine_id": machine_id, "reserved": True} for machine_id in machine_ids]
        statement = postgresql.insert(Machine).values(rows)
        await connection.execute(statement.on_conflict_do_nothing())


async def _is_bound_to(
    connection: AsyncConnection, machine_id: uuid.UUID, bearer: TokenPrincipal, *, lock: bool
) -> bool:
    """Return whether the machine is bound to the bearer; False if it is still free.

    Raise 403 if it is somebody else's.
    """
    query = _LOCK_MACHINE if lock else _SELECT_MACHINE
    parameters = {"machine_id": machine_id, "fleet_id": bearer.fleet_id}
    row = (await connection.execute(query, parameters)).one_or_none()
    if row is None:
        return False
    elsewhere = row.reserved or (row.fleet_id is not None and row.fleet_id != bearer.fleet_id)
    if bearer.scope == DEVICE:
        elsewhere = elsewhere or row.bound_token_id not in (None, bearer.token_id)
        bound = row.bound_token_id == bearer.token_id
    else:
        bound = row.fleet_id == bearer.fleet_id
        # A device that enrolled outside any fleet stays its owner's.
        elsewhere = elsewhere or (row.bound_token_id is not None and not bound)
    if elsewhere or ((row.has_runs or row.first_named_by_fleet is False) and not bound):
        raise _refused("machine_bound", TAKEN)
    if row.merged_into is not None:
        raise _refused("machine_merged", MERGED)
    return bool(bound)


def _refused(code: str, detail: str) -> Problem:
    field = FieldError("/machine/id", code, detail)
    return Problem(403, code, "Not this machine's token", detail, [field])
