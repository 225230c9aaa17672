"""The fleet that a request names, if the reader may see it, and the reader's role in it."""

from __future__ import annotations

import uuid
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import ADMIN, Member, Role, require_change
from macmeter.access.scope import Asker
from macmeter.access.tokens import FLEET
from macmeter.errors import Problem, not_found
from macmeter.models import Fleet


class SeenFleet(NamedTuple):
    """`role` is None for the fleet's uploader, a program."""

    fleet_id: uuid.UUID
    name: str
    visibility: str
    role: Role | None


async def seen_fleet(connection: AsyncConnection, asker: Asker | None, named: str) -> SeenFleet:
    """The fleet of that id or name; 404 alike where there is none and where it is not theirs.

    The database has no part in telling the two apart: finding one takes it a moment longer.
    That its runs are public lets nobody see which of its Macs are silent or without FileVault.
    """
    own, role = _own(asker, named)
    query = select(Fleet.name, Fleet.visibility).where(Fleet.fleet_id == own)
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        raise not_found("fleet")
    return SeenFleet(own, found.name, found.visibility, role)


def _own(asker: Asker | None, named: str) -> tuple[uuid.UUID, Role | None]:
    """The asker's fleet of that id or name, and their role in it; 404."""
    if isinstance(asker, Member):
        place = asker.place(named)
        return place.fleet_id, place.role
    fleet_id = asker.fleet_id if asker is not None and asker.scope == FLEET else None
    if asker is None or fleet_id is None or named not in (asker.fleet_name, str(fleet_id)):
        raise not_found("fleet")
    return fleet_id, None


def seen_fleet_ids(asker: Asker | None) -> frozenset[uuid.UUID]:
    """All of which somebody sees the machines."""
    if isinstance(asker, Member):
        return asker.fleet_ids
    if asker is not None and asker.scope == FLEET and asker.fleet_id is not None:
        return frozenset([asker.fleet_id])
    return frozenset()


def require_admin(member: Member, fleet_id: uuid.UUID, does: str, what: str = "fleet") -> None:
    """403 for its viewers, 404 for everybody else; `does` as in "acknowledges an alert"."""
    role = member.roles.get(fleet_id)
    if role is None:
        raise not_found(what)
    require_change(member)
    if role != ADMIN:
        raise Problem(403, "not_admin", "Not an admin", f"Only an admin of the fleet {does}.")
