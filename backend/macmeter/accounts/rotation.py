"""Renewal of a Mac's token. The old one ends when the new one is first used.

If the answer is lost or the Mac is switched off in between, the token that it kept still works.
Everything that changes a machine's tokens locks its row first.
"""

import secrets
import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, false, func, insert, literal, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts import tokens
from macmeter.accounts.audit import note
from macmeter.accounts.tokens import DEVICE, PREFIX, TokenPrincipal, secret_hash
from macmeter.models import Machine, Token
from macmeter.platform.errors import Problem

# Age at which a token is renewed, after so long on a disk, in backups and in transit.
OLD = timedelta(days=90)


def is_old(bearer: TokenPrincipal, now: datetime) -> bool:
    """Return whether the Mac should renew this token."""
    made_at = bearer.created_at
    return bearer.scope == DEVICE and made_at is not None and made_at < now - OLD


async def rotate(connection: AsyncConnection, bearer: TokenPrincipal, now: datetime) -> str:
    """Create a token that replaces this one at its first use. Raise 403 if this isn't a Mac's.

    Delete an earlier replacement that was never used: its answer was lost, or another request made
    it meanwhile.
    """
    machine = await _locked(connection, bearer.token_id)
    # It may have ended before the lock was acquired.
    await tokens.find_again(connection, bearer, now)
    if machine is None:
        detail = "Only a Mac's own token is changed like this, after its first run."
        raise Problem(403, "not_a_mac", "Not a Mac's token", detail)
    await connection.execute(delete(Token).where(Token.replaces == bearer.token_id))
    inherited = ("fleet_id", "secret_id", "machine_id", "name", "expires_at")
    secret = PREFIX[DEVICE] + secrets.token_urlsafe(32)
    fresh = select(
        func.gen_random_uuid(),
        literal(secret_hash(secret)),
        Token.scope,
        Token.token_id,
        *(getattr(Token, name) for name in inherited),
    ).where(Token.token_id == bearer.token_id)
    columns = ["token_id", "secret_sha256", "scope", "replaces", *inherited]
    await connection.execute(insert(Token).from_select(columns, fresh))
    return secret


async def in_use(engine: AsyncEngine, bearer: TokenPrincipal, now: datetime) -> TokenPrincipal:
    """Put a replacement in its predecessor's place. Raise 401 if both have ended meanwhile."""
    if bearer.replaces is None:
        return bearer
    async with engine.begin() as connection:
        machine = await _locked(connection, bearer.replaces)
        bearer = await tokens.find_again(connection, bearer, now)
        if bearer.replaces is None:
            return bearer  # another request was faster
        if machine is None:
            raise tokens.unauthorised("This token was revoked. Enrol again.", "token_revoked")
        former, fresh = (Token.token_id == token for token in (bearer.replaces, bearer.token_id))
        await connection.execute(update(Token).where(former).values(revoked_at=now))
        await connection.execute(update(Token).where(fresh).values(last_used_at=now))
        statement = update(Machine).where(Machine.machine_id == machine.machine_id)
        await connection.execute(statement.values(bound_token_id=bearer.token_id))
        machine_id = str(machine.machine_id)
        await note(connection, bearer, "token.renew", bearer.fleet_id, machine_id=machine_id)
    return replace(bearer, replaces=None)


def with_its_next(*token_ids: uuid.UUID | None) -> ColumnElement[bool]:
    """Condition on tokens: these and their replacements. None is of a machine without a token."""
    ids = [token_id for token_id in token_ids if token_id is not None]
    return or_(Token.token_id.in_(ids), Token.replaces.in_(ids)) if ids else false()


async def successors(connection: AsyncConnection, token_id: uuid.UUID) -> list[uuid.UUID]:
    """Return this token and its replacements, past and pending. Lock its machine, if it has one.

    Somebody who ends a token that they saw a moment ago means the Mac that had it.
    """
    chain = select(Token.token_id).where(Token.token_id == token_id).cte(recursive=True)
    chain = chain.union(select(Token.token_id).join(chain, Token.replaces == chain.c.token_id))
    # One statement, so that it reads one snapshot.
    query = select(Machine.machine_id).join(chain, Machine.bound_token_id == chain.c.token_id)
    machine_id = await connection.scalar(query)
    if machine_id is not None:
        is_machine = Machine.machine_id == machine_id
        await connection.execute(select(Machine.machine_id).where(is_machine).with_for_update())
    return list(await connection.scalars(select(chain.c.token_id)))


async def _locked(connection: AsyncConnection, token_id: uuid.UUID) -> Any:
    """Lock the machine bound to this token until the transaction ends, and return its row."""
    query = select(Machine.machine_id).where(Machine.bound_token_id == token_id)
    return (await connection.execute(query.with_for_update())).one_or_none()
