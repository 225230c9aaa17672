"""One-time links. Their secret is in the part of an address that browsers keep to
themselves, so it is in no log and no Referer; the page sends it in the body of a request.
"""

from __future__ import annotations

import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import ColumnElement, delete, exists, false, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from macmeter.access.people import ADMIN, Role
from macmeter.access.tokens import secret_hash
from macmeter.errors import Problem
from macmeter.models import Fleet, Membership, OneTimeLink, Person

Purpose = Literal["first_admin", "invitation", "claim"]
FIRST_ADMIN: Purpose = "first_admin"
INVITATION: Purpose = "invitation"
CLAIM: Purpose = "claim"
PREFIX = "mml_"
# Where the pages are that open them.
PATHS = {FIRST_ADMIN: "/invitations", INVITATION: "/invitations", CLAIM: "/claim"}
LASTS = {FIRST_ADMIN: timedelta(days=1), INVITATION: timedelta(days=7), CLAIM: timedelta(hours=1)}


@dataclass(frozen=True)
class Link:
    """One that is still good."""

    link_id: uuid.UUID
    purpose: Purpose
    fleet_id: uuid.UUID | None
    fleet_name: str | None
    role: Role | None
    email: str | None
    made_by: str | None
    """A person's name."""
    machine_id: uuid.UUID | None
    """That a link to claim it is for."""
    expires_at: datetime
    invites: bool
    """Whether somebody who belongs here vouches for whoever opens it: not for a claim, and not if
    it was made by a person who was never invited to this server themselves."""


def address_of(site: str, secret: str, purpose: Purpose = INVITATION) -> str:
    """`site` is without a slash at its end."""
    return f"{site}{PATHS[purpose]}#{secret}"


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Invitation:
    """To join a fleet, or without one to administer the server."""

    fleet_id: uuid.UUID | None
    role: str
    email: str | None = None
    """Where it is sent, if anywhere."""


async def invite(
    connection: AsyncConnection, invitation: Invitation, by: uuid.UUID, now: datetime
) -> tuple[uuid.UUID, str]:
    """The id and the secret of its link."""
    link_id, secret = uuid.uuid4(), new_secret()
    await connection.execute(
        insert(OneTimeLink).values(
            link_id=link_id,
            secret_sha256=secret_hash(secret),
            purpose=INVITATION,
            fleet_id=invitation.fleet_id,
            role=invitation.role,
            email=invitation.email,
            made_by=by,
            created_at=now,
            expires_at=now + LASTS[INVITATION],
        )
    )
    return link_id, secret


_Maker = aliased(Person)


def stands() -> ColumnElement[bool]:
    """The condition on links: an invitation is good for as long as its sender may invite.

    Whoever is removed from a fleet would otherwise come back by a link of their own.
    """
    in_fleet = exists().where(
        Membership.person_id == OneTimeLink.made_by,
        Membership.fleet_id == OneTimeLink.fleet_id,
        Membership.role == ADMIN,
    )
    of_server = exists().where(_Maker.person_id == OneTimeLink.made_by, _Maker.server_admin)
    return or_(OneTimeLink.purpose != INVITATION, in_fleet, of_server)


_FOUND = (
    select(
        OneTimeLink,
        Fleet.name.label("fleet_name"),
        Person.name.label("maker"),
        stands().label("stands"),
        func.coalesce(Person.uninvited, false()).label("by_uninvited"),
    )
    .outerjoin(Fleet, Fleet.fleet_id == OneTimeLink.fleet_id)
    .outerjoin(Person, Person.person_id == OneTimeLink.made_by)
)


async def find(
    connection: AsyncConnection, secret: str, now: datetime, *, purposes: tuple[str, ...]
) -> Link:
    """404 for a secret that is unknown, 410 for a link that was used or has expired."""
    return await find_hashed(connection, secret_hash(secret), now, purposes=purposes)


async def find_hashed(
    connection: AsyncConnection, sha256: bytes, now: datetime, *, purposes: tuple[str, ...]
) -> Link:
    """Find a link by the hash of its secret, where the secret itself was not to be kept."""
    query = _FOUND.where(OneTimeLink.secret_sha256 == sha256, OneTimeLink.purpose.in_(purposes))
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise Problem(
            404,
            "link_unknown",
            "Unknown link",
            "This server doesn't know this link. Copy all of it, or ask for a new one.",
        )
    if row.used_at is not None:
        raise _gone("link_used", "This link was already used. Ask for a new one.")
    if row.expires_at <= now:
        raise _gone("link_expired", "This link has expired. Ask for a new one.")
    if not row.stands:
        raise _void()
    return Link(
        row.link_id,
        row.purpose,
        row.fleet_id,
        row.fleet_name,
        row.role,
        row.email,
        row.maker,
        row.machine_id,
        row.expires_at,
        row.purpose != CLAIM and not row.by_uninvited,
    )


async def use(connection: AsyncConnection, link: Link, now: datetime) -> None:
    """410 where somebody else was quicker: one of two at once has it."""
    query = select(stands()).where(OneTimeLink.link_id == link.link_id)
    if await connection.scalar(query) is False:
        raise _void()
    used = await connection.execute(
        update(OneTimeLink)
        .where(OneTimeLink.link_id == link.link_id, OneTimeLink.used_at.is_(None))
        .values(used_at=now)
    )
    if used.rowcount == 0:
        raise _gone("link_used", "This link was already used. Ask for a new one.")


async def revoke(connection: AsyncConnection, link_id: uuid.UUID) -> None:
    await connection.execute(delete(OneTimeLink).where(OneTimeLink.link_id == link_id))


def _void() -> Problem:
    return _gone(
        "link_void", "Whoever sent this invitation is no longer an admin. Ask for a new one."
    )


def _gone(code: str, detail: str) -> Problem:
    return Problem(410, code, "Link no longer valid", detail)
