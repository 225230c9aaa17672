"""Sessions: a secret in a browser's cookie, and its SHA-256 in the database."""

import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, insert, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member, member_of, of_people
from macmeter.accounts.tokens import secret_hash
from macmeter.models import Person, Session

# Sessions expire after this long without a visit.
KEPT = timedelta(days=30)
# Limits how often a session's last use is written.
_NOTED_EVERY = timedelta(hours=1)
_MAX_BROWSER = 200


@dataclass(frozen=True)
class SignedIn:
    session_id: uuid.UUID
    member: Member
    last_used_at: datetime


async def start(
    connection: AsyncConnection, person_id: uuid.UUID, browser: str, now: datetime
) -> str:
    """Create a session and return the secret for its cookie. Any earlier cookie is ignored."""
    secret = secrets.token_urlsafe(32)
    await connection.execute(
        insert(Session).values(
            session_id=uuid.uuid4(),
            person_id=person_id,
            secret_sha256=secret_hash(secret),
            browser=browser[:_MAX_BROWSER],
            created_at=now,
            last_used_at=now,
            expires_at=now + KEPT,
        )
    )
    return secret


_BY_SECRET = of_people(Session.session_id, Session.last_used_at).join(
    Session, Session.person_id == Person.person_id
)


async def find(connection: AsyncConnection, secret: str, now: datetime) -> SignedIn | None:
    """Find a session by its secret. Return None if it is unknown, ended or expired."""
    query = _BY_SECRET.where(Session.secret_sha256 == secret_hash(secret), Session.expires_at > now)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        return None
    return SignedIn(row.session_id, member_of(row), row.last_used_at)


async def note_use(connection: AsyncConnection, session: SignedIn, now: datetime) -> None:
    """Extend the session from now, at most once an hour."""
    if now - session.last_used_at > _NOTED_EVERY:
        statement = update(Session).where(Session.session_id == session.session_id)
        await connection.execute(statement.values(last_used_at=now, expires_at=now + KEPT))


async def end(connection: AsyncConnection, person_id: uuid.UUID, session_id: uuid.UUID) -> bool:
    """End one of the person's sessions. Return whether it existed."""
    result = await connection.execute(
        delete(Session).where(Session.session_id == session_id, Session.person_id == person_id)
    )
    return result.rowcount > 0


async def end_all(
    connection: AsyncConnection, person_id: uuid.UUID, *, but: uuid.UUID | None = None
) -> int:
    """Sign a person out everywhere, except for the session `but`.

    Return the number of ended sessions.
    """
    statement = delete(Session).where(Session.person_id == person_id)
    if but is not None:
        statement = statement.where(Session.session_id != but)
    return (await connection.execute(statement)).rowcount
