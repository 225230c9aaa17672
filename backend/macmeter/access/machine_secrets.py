"""A secret by which one Mac enrols again under its id: made by its owner, when its token is lost.

Without it, a Mac outside any fleet whose token is gone could not come back: its id is public and
proves nothing.
"""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta
from secrets import token_urlsafe
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import secret_hash
from macmeter.errors import Problem
from macmeter.models import OneTimeLink, Person

PREFIX = "mme_"
LASTS = timedelta(days=1)
_ENROLMENT = "enrolment"


def is_one(secret: str) -> bool:
    return secret.startswith(PREFIX)


async def create(
    connection: AsyncConnection, machine: Any, made_by: uuid.UUID, now: datetime
) -> tuple[str, datetime]:
    """The secret and when it expires; the ones before it end. 409 for a Mac of a fleet."""
    if machine.fleet_id is not None:
        detail = "This Mac belongs to a fleet. Enrol it with a secret of the fleet."
        raise Problem(409, "machine_of_fleet", "Mac of a fleet", detail)
    secret, expires_at = PREFIX + token_urlsafe(32), now + LASTS
    before = (OneTimeLink.machine_id == machine.machine_id) & (OneTimeLink.purpose == _ENROLMENT)
    await connection.execute(delete(OneTimeLink).where(before))
    await connection.execute(
        insert(OneTimeLink).values(
            link_id=uuid.uuid4(),
            secret_sha256=secret_hash(secret),
            purpose=_ENROLMENT,
            machine_id=machine.machine_id,
            made_by=made_by,
            created_at=now,
            expires_at=expires_at,
        )
    )
    return secret, expires_at


async def use(connection: AsyncConnection, secret: str, machine: Row[Any], now: datetime) -> bool:
    """Whether it is good for this machine, once: who made it still owns the Mac, or the server."""
    admins = select(Person.person_id).where(Person.server_admin)
    used = (
        update(OneTimeLink)
        .where(
            OneTimeLink.secret_sha256 == secret_hash(secret),
            OneTimeLink.purpose == _ENROLMENT,
            OneTimeLink.machine_id == machine.machine_id,
            OneTimeLink.used_at.is_(None),
            OneTimeLink.expires_at > now,
            (OneTimeLink.made_by == machine.claimed_by) | OneTimeLink.made_by.in_(admins),
        )
        .values(used_at=now)
    )
    return (await connection.execute(used)).rowcount > 0
