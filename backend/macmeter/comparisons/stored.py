"""Stored comparisons: links, states, ownership, and the private fleets that they show."""

import secrets
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Row, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import ADMIN, FleetAccess, Member, find_member
from macmeter.accounts.scope import named_fleets
from macmeter.accounts.tokens import secret_hash
from macmeter.models import Comparison
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.questions.question import Question
from macmeter.schemas.comparisons import OwnComparison, State

ACTIVE, PAUSED, REVOKED, TOMBSTONE = "active", "paused", "revoked", "tombstone"
# State if its private fleet can't be shown any more; not stored, since that may change.
UNSHARED = "unshared"
# State if it depended on a fleet that is no longer public; not stored either.
PRIVATE_NOW = "private"
# Excludes letters and digits that look alike.
_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
# A public link is short enough to read aloud. A private one is its own key: 26 of 31 letters are
# over 128 random bits, beyond any guessing. The length permanently identifies the kind of link.
_PUBLIC_LENGTH, _PRIVATE_LENGTH = 10, 26


def new_slug(private: bool) -> str:
    length = _PRIVATE_LENGTH if private else _PUBLIC_LENGTH
    return "".join(secrets.choice(_ALPHABET) for _ in range(length))


def is_private(slug: str) -> bool:
    """Whether the link is only for those who were given it."""
    return len(slug) >= _PRIVATE_LENGTH


@dataclass(frozen=True)
class Owner:
    """Owner of a comparison: holder of its secret, or the person who created or adopted it."""

    secret: str | None = None
    person_id: uuid.UUID | None = None

    def owns(self, row: Row[Any]) -> bool:
        if self.secret is not None:
            hashed: bytes = row.owner_secret_sha256
            return secrets.compare_digest(secret_hash(self.secret), hashed)
        return self.person_id is not None and bool(row.made_by == self.person_id)


async def find(connection: AsyncConnection, slug: str, *, lock: bool = False) -> Row[Any]:
    """Return the comparison of that slug; 404 also for invalid slugs, such as one with a NUL."""
    row: Row[Any] | None = None
    if set(slug) <= set(_ALPHABET):
        query = select(Comparison).where(Comparison.slug == slug)
        row = (await connection.execute(query.with_for_update() if lock else query)).one_or_none()
    if row is None:
        raise not_found("comparison")
    return row


async def change_comparison(
    connection: AsyncConnection, slug: str, owner: Owner, values: Mapping[str, object]
) -> None:
    """Change title, note, state or expiry as the owner; revoking is permanent."""
    row = await find(connection, slug, lock=True)
    if not owner.owns(row):
        raise not_owner()
    if row.state in (REVOKED, TOMBSTONE):
        raise closed(row.state)
    if values:
        await connection.execute(update(Comparison).where(Comparison.slug == slug).values(**values))


def not_owner() -> Problem:
    detail = "Send the owner secret of this comparison, or sign in as its owner."
    return Problem(403, "not_owner", "Not your comparison", detail)


async def adopt(
    connection: AsyncConnection, slug: str, owner_secret: str, person_id: uuid.UUID
) -> None:
    """Make a person the owner of a comparison: their account then has the secret's rights."""
    row = await find(connection, slug, lock=True)
    if not Owner(owner_secret).owns(row):
        raise not_owner()
    if row.fleet_ids and row.made_by != person_id:
        # It depends on its owner's access.
        detail = "A comparison of a private fleet can't change its owner."
        raise Problem(409, "of_a_fleet", "Of a fleet", detail)
    is_this = Comparison.slug == slug
    await connection.execute(update(Comparison).where(is_this).values(made_by=person_id))


async def comparisons_of(
    connection: AsyncConnection, person_id: uuid.UUID, now: datetime
) -> list[OwnComparison]:
    """Return the comparisons that a person created or adopted, newest first, without figures."""
    names = ("slug", "title", "note", "state", "created_at", "expires_at", "runs", "fleet_ids")
    query = select(*(getattr(Comparison, name) for name in names))
    owned = query.where(Comparison.made_by == person_id)
    newest_first = owned.order_by(Comparison.created_at.desc(), Comparison.slug)
    return [
        {
            "slug": row.slug,
            "title": row.title,
            "note": row.note,
            "private": is_private(row.slug),
            "of_fleet": bool(row.fleet_ids),
            "state": current_state(row.state, row.expires_at, now),
            "created_at": row.created_at.isoformat(),
            "expires_at": row.expires_at.isoformat() if row.expires_at else None,
            "runs": row.runs,
        }
        for row in await connection.execute(newest_first)
    ]


def current_state(state: str, expires_at: datetime | None, now: datetime) -> State:
    if state == ACTIVE and expires_at is not None and expires_at <= now:
        return "expired"
    return cast(State, state)


_REASONS = {
    PRIVATE_NOW: "It showed Macs of a fleet that is no longer public.",
    UNSHARED: "It showed a private fleet that was deleted or has another admin now.",
    PAUSED: "Its owner paused this comparison. It may come back.",
    REVOKED: "Its owner revoked this comparison.",
    "expired": "This comparison has expired.",
    TOMBSTONE: "A run behind this comparison was deleted, and the figures with it.",
}


def closed(state: str) -> Problem:
    return Problem(410, f"comparison_{state}", f"Comparison {state}", _REASONS[state])


# --- links to figures of a private fleet, created with the consent of one of its admins. They show
# only figures of several machines and name none of them. A link is valid as long as the fleet
# exists and the link's owner is an admin of it.

FEWEST_MACHINES = 5
# Dimensions that would identify a machine.
_IDENTIFYING = ("machine", "device")


@dataclass(frozen=True)
class Shared:
    """Fleets that a link shows, with its owner's access."""

    by: Member
    """Owner with membership of those fleets only."""
    fewest_machines: int

    @property
    def fleet_ids(self) -> list[uuid.UUID]:
        return sorted(self.by.fleet_ids)


def named_by(questions: Iterable[Question], reader: Member) -> frozenset[FleetAccess]:
    """Return the reader's private fleets that these questions name."""
    return named_fleets(reader, [question.where for question in questions])


def require_aggregates(questions: Iterable[Question]) -> None:
    """Raise 422 for a question whose answer would identify machines."""
    for question in questions:
        for name in _IDENTIFYING:
            if name in question.by or any(term.dimension == name for term in question.where):
                single = f"A link to a private fleet's figures can't show single Macs: leave {name}"
                raise invalid("/question", f"{single} out.", "names_machines")


def shared(reader: Member, accesses: frozenset[FleetAccess], fewest_machines: int) -> Shared:
    """Share all these fleets as their admin; 422 for anybody else."""
    if any(access.role != ADMIN for access in accesses):
        detail = "Only an admin of the fleet can share its figures."
        raise invalid("/question", detail, "not_fleet_admin")
    return Shared(replace(reader, server_admin=False, fleet_access=accesses), fewest_machines)


async def still_shared(connection: AsyncConnection, row: Row[Any]) -> Shared | None:
    """Return what may be shown; None if a fleet is gone or the owner is no longer its admin."""
    owner = await find_member(connection, row.made_by) if row.made_by is not None else None
    if owner is None or not set(row.fleet_ids) <= owner.administers:
        return None
    accesses = frozenset(
        access for access in owner.fleet_access if access.fleet_id in row.fleet_ids
    )
    return shared(owner, accesses, row.fewest_machines)
