"""Single-use challenges that a browser must return signed within ten minutes."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.models import Challenge
from macmeter.platform.errors import Problem

LIFETIME = timedelta(minutes=10)


async def begin(connection: AsyncConnection, purpose: str, now: datetime, **details: Any) -> bytes:
    """Create a challenge and store its hash. `take` returns `details`."""
    challenge = secrets.token_bytes(32)
    await store(connection, purpose, challenge, details, now)
    return challenge


async def store(
    connection: AsyncConnection, purpose: str, challenge: bytes, details: Json, now: datetime
) -> None:
    """Store the hash of a challenge with its details, and delete expired challenges."""
    await connection.execute(delete(Challenge).where(Challenge.expires_at <= now))
    await connection.execute(
        insert(Challenge).values(
            challenge_sha256=hashlib.sha256(challenge).digest(),
            purpose=purpose,
            details=details,
            expires_at=now + LIFETIME,
        )
    )


async def take(connection: AsyncConnection, purpose: str, challenge: bytes, now: datetime) -> Json:
    """Consume a challenge and return its details. Raise 403 if it is unknown, used or expired."""
    is_valid = (Challenge.purpose == purpose) & (Challenge.expires_at > now)
    matches = Challenge.challenge_sha256 == hashlib.sha256(challenge).digest()
    statement = delete(Challenge).where(is_valid, matches).returning(Challenge.details)
    details: Json | None = await connection.scalar(statement)
    if details is None:
        detail = "More than ten minutes have passed, or this was already used. Start again."
        raise Problem(403, "challenge_over", "Took too long", detail)
    return details
