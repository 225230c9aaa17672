"""Challenges that a browser has to return signed. Each works once, within a few minutes."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, insert
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.models import Challenge
from macmeter.platform.errors import Problem

LASTS = timedelta(minutes=10)


async def begin(connection: AsyncConnection, purpose: str, now: datetime, **details: Any) -> bytes:
    """A new challenge; `details` come back with it. Only its hash is kept."""
    challenge = secrets.token_bytes(32)
    await keep(connection, purpose, challenge, details, now)
    return challenge


async def keep(
    connection: AsyncConnection, purpose: str, challenge: bytes, details: Json, now: datetime
) -> None:
    """For what has to be asked for before it is known with what it comes back."""
    await connection.execute(delete(Challenge).where(Challenge.expires_at <= now))
    await connection.execute(
        insert(Challenge).values(
            challenge_sha256=hashlib.sha256(challenge).digest(),
            purpose=purpose,
            details=details,
            expires_at=now + LASTS,
        )
    )


async def take(connection: AsyncConnection, purpose: str, challenge: bytes, now: datetime) -> Json:
    """What it was begun with; from now on it is good no more. 403 where it isn't any."""
    good = (Challenge.purpose == purpose) & (Challenge.expires_at > now)
    this = Challenge.challenge_sha256 == hashlib.sha256(challenge).digest()
    taken = delete(Challenge).where(good, this).returning(Challenge.details)
    details: Json | None = await connection.scalar(taken)
    if details is None:
        detail = "More than ten minutes have passed, or this was already used. Start again."
        raise Problem(403, "challenge_over", "Took too long", detail)
    return details
