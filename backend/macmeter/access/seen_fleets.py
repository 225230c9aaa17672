"""The fleet that a request names, if the reader may see it, and the reader's role in it."""

from __future__ import annotations

import contextlib
import uuid
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import ADMIN, Member, Role, require_change
from macmeter.access.scope import Asker
from macmeter.access.tokens import FLEET
from macmeter.errors import Problem, not_found
from macmeter.models import Fleet
from macmeter.plain_text import printable


class SeenFleet(NamedTuple):
    """`role` is None for the fleet's uploader, a program."""

    fleet_id: uuid.UUID
    name: str
    visibility: str
    role: Role | None


async def seen_fleet(connection: AsyncConnection, asker: Asker | None, named: str) -> SeenFleet:
    """The fleet of that id or name; 404 alike where there is none and where it is not theirs.

    That its runs are public lets nobody see which of its Macs are silent or without FileVault.
    """
    if printable(named) != named:  # no fleet has such a name, and PostgreSQL no place for it
        raise not_found("fleet")
    is_it: ColumnElement[bool] = Fleet.name == named
    with contextlib.suppress(ValueError):  # it is a name
        is_it = or_(is_it, Fleet.fleet_id == uuid.UUID(named))
    query = select(Fleet.fleet_id, Fleet.name, Fleet.visibility).where(is_it)
    for fleet_id, name, visibility in await connection.execute(query):
        if (role := _role(asker, fleet_id)) is not None:
            return SeenFleet(fleet_id, name, visibility, role or None)
    raise not_found("fleet")


def _role(asker: Asker | None, fleet_id: uuid.UUID) -> Role | Literal[""] | None:
    """Empty for an uploader."""
    if isinstance(asker, Member):
        return asker.roles.get(fleet_id)
    if asker is not None and asker.scope == FLEET and asker.fleet_id == fleet_id:
        return ""
    return None


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
