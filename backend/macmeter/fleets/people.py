"""Who is in a fleet, and as what."""

from __future__ import annotations

import uuid
from typing import Any

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.audit import note
from macmeter.access.memberships import keep_an_admin
from macmeter.access.people import ADMIN, Member, Place
from macmeter.errors import Problem, not_found
from macmeter.fleets.fleets import lock
from macmeter.fleets.shapes import PersonInFleet
from macmeter.models import Membership, Person


async def people_in(connection: AsyncConnection, place: Place) -> list[PersonInFleet]:
    """People by name. Addresses are for admins."""
    rows = await connection.execute(
        select(Person.person_id, Person.name, Person.email, Membership.role, Membership.since)
        .join(Membership, Membership.person_id == Person.person_id)
        .where(Membership.fleet_id == place.fleet_id)
        .order_by(Person.name, Person.person_id)
    )
    return [
        {
            "id": str(row.person_id),
            "name": row.name,
            "email": row.email if place.role == ADMIN else None,
            "role": row.role,
            "since": row.since.isoformat(),
        }
        for row in rows
    ]


async def set_role(
    connection: AsyncConnection, place: Place, person_id: uuid.UUID, role: str, by: Member
) -> None:
    """404 for whoever is not in the fleet, 409 where no admin would be left."""
    before = await _role_now(connection, place, person_id, by)
    if before == ADMIN and role != ADMIN:
        await keep_an_admin(connection, place.fleet_id, without=person_id)
    await connection.execute(update(Membership).where(_of(place, person_id)).values(role=role))
    await note(
        connection,
        by,
        "member.role",
        place.fleet_id,
        person=str(person_id),
        before=before,
        after=role,
    )


async def remove(
    connection: AsyncConnection, place: Place, person_id: uuid.UUID, by: Member
) -> None:
    """Remove somebody under the rules of `set_role`. Everybody may leave."""
    if await _role_now(connection, place, person_id, by) == ADMIN:
        await keep_an_admin(connection, place.fleet_id, without=person_id)
    await connection.execute(delete(Membership).where(_of(place, person_id)))
    await note(connection, by, "member.remove", place.fleet_id, person=str(person_id))


async def _role_now(
    connection: AsyncConnection, place: Place, person_id: uuid.UUID, by: Member
) -> str:
    """What they are, with the fleet locked; and `by` is still an admin, or it is them who leave.

    Two admins may demote each other at once: the later one is none any more.
    """
    await lock(connection, place)
    if not by.server_admin and by.person_id != person_id:
        mine = select(Membership.role).where(_of(place, by.person_id))
        if await connection.scalar(mine) != ADMIN:
            raise Problem(
                403, "not_admin", "Not an admin", "You are no longer an admin of this fleet."
            )
    role: str | None = await connection.scalar(select(Membership.role).where(_of(place, person_id)))
    if role is None:
        raise not_found("person in this fleet")
    return role


def _of(place: Place, person_id: uuid.UUID) -> Any:
    return (Membership.fleet_id == place.fleet_id) & (Membership.person_id == person_id)
