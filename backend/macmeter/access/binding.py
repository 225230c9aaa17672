"""Which token may write which machine's runs.

A machine id is public, so knowing one proves nothing. A device token binds at its first
use: from then on it writes for that machine only, and that machine takes runs from no
other device. A fleet token writes for the machines of its fleet, and takes in new ones.
A machine that has runs and no token is not new: its id goes on only for whoever proves that
it is theirs.
"""

from __future__ import annotations

import uuid

from sqlalchemy import ColumnElement, bindparam, exists, or_, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import DEVICE, Bearer
from macmeter.errors import FieldError, Problem
from macmeter.models import Machine, Run, Token

_POINTER = "/machine/id"
MERGED = (
    "This machine id was merged into another one, as the same Mac. An admin of its fleet, or its "
    "owner, can take that back."
)
TAKEN = (
    "This id is another Mac's, or this Mac's under a token that it no longer shows. Enrol where "
    "the former token is kept, or with a secret for this Mac that its owner or an admin of this "
    "server makes; an admin of its fleet can move it. For a new id, run `macmeter forget`."
)
"""One text for all of them: it doesn't tell a private fleet's Mac from a public one."""


def with_merged(machine_id: uuid.UUID) -> ColumnElement[bool]:
    """The condition on machines: this one, and the ids that were merged into it."""
    return or_(Machine.machine_id == machine_id, Machine.merged_into == machine_id)


def has_runs() -> ColumnElement[bool]:
    """The condition on machines that there is something to take over."""
    return exists().where(Run.machine_id == Machine.machine_id)


# What `_may_write` says of what is bound already, and that the token is good, for a statement that
# knows `tokens` and `machines`.
BOUND = """
    tokens.revoked_at IS NULL AND (tokens.expires_at IS NULL OR tokens.expires_at > now())
    AND NOT machines.reserved AND machines.merged_into IS NULL
    AND CASE tokens.scope
        WHEN 'device' THEN machines.bound_token_id = tokens.token_id
            AND (machines.fleet_id IS NULL OR machines.fleet_id = tokens.fleet_id)
        ELSE machines.fleet_id = tokens.fleet_id
    END
"""
_MACHINE = select(
    *(Machine.bound_token_id, Machine.fleet_id, Machine.reserved, Machine.merged_into),
    has_runs().label("has_runs"),
).where(Machine.machine_id == bindparam("machine_id"))
_LOCKED = _MACHINE.with_for_update()
# Runs refer to tokens: a lock that lets those be stored.
_TOKEN_LOCKED = (
    select(Token.token_id)
    .where(Token.token_id == bindparam("token_id"))
    .with_for_update(key_share=True)
)


async def bind(connection: AsyncConnection, machine_id: uuid.UUID, bearer: Bearer) -> None:
    """Make sure that `bearer` may write this machine's runs, binding both at first use; or 403."""
    if await _may_write(connection, machine_id, bearer, lock=False):
        return
    await connection.execute(
        postgresql.insert(Machine).values(machine_id=machine_id).on_conflict_do_nothing()
    )
    if await _may_write(connection, machine_id, bearer, lock=True):
        return
    values = {"fleet_id": bearer.fleet_id}
    if bearer.scope == DEVICE:
        # Several machines may come with a fresh token at the same moment: one after another.
        await connection.execute(_TOKEN_LOCKED, {"token_id": bearer.token_id})
        if await connection.scalar(
            select(exists().where(Machine.bound_token_id == bearer.token_id))
        ):
            raise _refused(
                "token_bound",
                "This token belongs to another machine. Enrol this machine to get its own.",
            )
        values["bound_token_id"] = bearer.token_id
    await connection.execute(
        update(Machine).where(Machine.machine_id == machine_id).values(**values)
    )


async def require_bound(connection: AsyncConnection, machine_id: uuid.UUID, bearer: Bearer) -> None:
    """403 unless this is the machine's own token; alike where there is no such machine."""
    try:
        is_own = await _may_write(connection, machine_id, bearer, lock=True)
    except Problem:
        is_own = False
    if not is_own:
        raise _refused(
            "machine_bound",
            "Send the Mac's own token. Enrol the Mac, or upload a run with this token first.",
        )


async def reserve(connection: AsyncConnection, machine_ids: set[uuid.UUID]) -> None:
    """Keep these machines for the server's own published figures."""
    if machine_ids:
        await connection.execute(
            postgresql.insert(Machine)
            .values([{"machine_id": machine_id, "reserved": True} for machine_id in machine_ids])
            .on_conflict_do_nothing()
        )


async def _may_write(
    connection: AsyncConnection, machine_id: uuid.UUID, bearer: Bearer, *, lock: bool
) -> bool:
    """True when bound already, False when still free; 403 when somebody else's."""
    query = _LOCKED if lock else _MACHINE
    row = (await connection.execute(query, {"machine_id": machine_id})).one_or_none()
    if row is None:
        return False
    elsewhere = row.reserved or (row.fleet_id is not None and row.fleet_id != bearer.fleet_id)
    if bearer.scope == DEVICE:
        elsewhere = elsewhere or row.bound_token_id not in (None, bearer.token_id)
        bound = row.bound_token_id == bearer.token_id
    else:
        bound = row.fleet_id == bearer.fleet_id
        # A device that enrolled by itself, outside any fleet, stays its owner's.
        elsewhere = elsewhere or (row.bound_token_id is not None and not bound)
    if elsewhere or (row.has_runs and not bound):
        raise _refused("machine_bound", TAKEN)
    if row.merged_into is not None:
        raise _refused("machine_merged", MERGED)
    return bool(bound)


def _refused(code: str, detail: str) -> Problem:
    return Problem(
        403,
        code,
        "Not this machine's token",
        detail,
        [FieldError(_POINTER, code, detail)],
    )
