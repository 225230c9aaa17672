"""Joining fleets and leaving them. A fleet and a server never lose their last admin."""

from __future__ import annotations

import uuid

from sqlalchemy import select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import ADMIN
from macmeter.errors import Problem
from macmeter.models import Fleet, Membership, Person


async def join(
    connection: AsyncConnection, fleet_id: uuid.UUID, person_id: uuid.UUID, role: str
) -> None:
    """An admin who is invited as a viewer stays an admin."""
    joining = postgresql.insert(Membership).values(
        fleet_id=fleet_id, person_id=person_id, role=role
    )
    raised = {"role": ADMIN} if role == ADMIN else {"role": Membership.role}
    await connection.execute(
        joining.on_conflict_do_update(index_elements=["fleet_id", "person_id"], set_=raised)
    )


async def keep_an_admin(
    connection: AsyncConnection, fleet_id: uuid.UUID, without: uuid.UUID
) -> None:
    """409 where a fleet would have no admin `without` them. Locks its admins: of two who remove
    each other at once, the second finds the first gone.
    """
    theirs = (
        select(Membership.person_id)
        .where(Membership.fleet_id == fleet_id, Membership.role == ADMIN)
        .order_by(Membership.person_id)
        .with_for_update()
    )
    if set((await connection.scalars(theirs)).all()) != {without}:
        return
    name = await connection.scalar(select(Fleet.name).where(Fleet.fleet_id == fleet_id))
    raise Problem(
        409,
        "last_admin",
        "Last admin",
        f"{name} would have no admin. Make somebody else its admin first, or delete the fleet.",
    )


async def keep_a_server_admin(connection: AsyncConnection, without: uuid.UUID) -> None:
    """Do for the server what `keep_an_admin` does for a fleet."""
    theirs = (
        select(Person.person_id)
        .where(Person.server_admin)
        .order_by(Person.person_id)
        .with_for_update()
    )
    if set((await connection.scalars(theirs)).all()) == {without}:
        raise Problem(
            409,
            "last_server_admin",
            "Last admin",
            "The server would have no admin. Invite another one first.",
        )
