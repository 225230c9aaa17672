"""A fleet's enrolment secrets."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from secrets import token_urlsafe
from typing import Any

from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.enrolment import SECRET_PREFIX
from macmeter.access.people import Member, Place
from macmeter.access.tokens import secret_hash
from macmeter.errors import not_found
from macmeter.fleets.shapes import Secret
from macmeter.models import EnrolmentSecret


@dataclass(frozen=True)
class Limits:
    """None is without that limit."""

    quota: int | None = None
    expires_at: datetime | None = None


async def secrets_of(connection: AsyncConnection, place: Place) -> list[Secret]:
    """The newest first; the secrets themselves are nowhere."""
    rows = await connection.execute(
        select(EnrolmentSecret)
        .where(EnrolmentSecret.fleet_id == place.fleet_id)
        .order_by(EnrolmentSecret.created_at.desc(), EnrolmentSecret.secret_id)
    )
    return [_told(row) for row in rows]


def _told(row: Any) -> Secret:
    return {
        "id": str(row.secret_id),
        "name": row.name,
        "quota": row.quota,
        "used": row.used,
        "created_at": row.created_at.isoformat(),
        "expires_at": row.expires_at.isoformat() if row.expires_at else None,
        "revoked_at": row.revoked_at.isoformat() if row.revoked_at else None,
    }


async def create(
    connection: AsyncConnection, place: Place, name: str, limits: Limits, by: Member | None
) -> tuple[Secret, str]:
    """With the secret itself, never to be had again."""
    secret = SECRET_PREFIX + token_urlsafe(32)
    made = (
        insert(EnrolmentSecret)
        .values(
            secret_id=uuid.uuid4(),
            fleet_id=place.fleet_id,
            secret_sha256=secret_hash(secret),
            name=name,
            quota=limits.quota,
            expires_at=limits.expires_at,
        )
        .returning(EnrolmentSecret)
    )
    row = (await connection.execute(made)).one()
    await note(connection, by, "secret.create", place.fleet_id, name=name, quota=limits.quota)
    return _told(row), secret


async def revoke(
    connection: AsyncConnection, place: Place, secret_id: uuid.UUID, by: Member
) -> None:
    """Nothing enrols with it any more; machines that have stay enrolled."""
    ended = (
        update(EnrolmentSecret)
        .where(
            EnrolmentSecret.secret_id == secret_id,
            EnrolmentSecret.fleet_id == place.fleet_id,
            EnrolmentSecret.revoked_at.is_(None),
        )
        .values(revoked_at=func.now())
        .returning(EnrolmentSecret.name)
    )
    name = await connection.scalar(ended)
    if name is not None:
        await note(connection, by, "secret.revoke", place.fleet_id, name=name)
    elif not await connection.scalar(
        select(EnrolmentSecret.secret_id).where(
            EnrolmentSecret.secret_id == secret_id, EnrolmentSecret.fleet_id == place.fleet_id
        )
    ):
        raise not_found("enrolment secret")
