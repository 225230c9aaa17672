"""Personal tokens, for people's own programs. They read or change what their owner may."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from sqlalchemy import or_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member, member_of, of_people
from macmeter.access.tokens import PERSON, require_good, secret_hash
from macmeter.models import Person, Token

READ, MANAGE = "read", "manage"
# Not each request writes when it was.
_NOTED_EVERY = timedelta(hours=1)

_BY_SECRET = of_people(Token.fleet_id, Token.permission, Token.expires_at, Token.revoked_at).join(
    Token, Token.person_id == Person.person_id
)


async def find(connection: AsyncConnection, secret: str, now: datetime) -> Member:
    """Whom a token of that secret speaks for; 401 when it is unknown, expired or revoked."""
    query = _BY_SECRET.where(Token.secret_sha256 == secret_hash(secret), Token.scope == PERSON)
    row = require_good((await connection.execute(query)).one_or_none(), now)
    return member_of(row, only=row.fleet_id, may_change=row.permission == MANAGE)


async def end_all(connection: AsyncConnection, person_id: uuid.UUID, now: datetime) -> int:
    """Revoke a person's tokens; how many that ended."""
    theirs = (Token.person_id == person_id) & (Token.scope == PERSON) & Token.revoked_at.is_(None)
    ended = await connection.execute(update(Token).where(theirs).values(revoked_at=now))
    return ended.rowcount


async def note_use(connection: AsyncConnection, secret: str, now: datetime) -> None:
    """Written down once an hour."""
    long_ago = or_(Token.last_used_at.is_(None), Token.last_used_at < now - _NOTED_EVERY)
    await connection.execute(
        update(Token)
        .where(Token.secret_sha256 == secret_hash(secret), Token.scope == PERSON, long_ago)
        .values(last_used_at=now)
    )
