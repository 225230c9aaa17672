"""All people who have an account, for the server's admins."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access import accounts
from macmeter.access.audit import note
from macmeter.access.memberships import keep_a_server_admin
from macmeter.access.people import Member, Role
from macmeter.errors import Problem, not_found
from macmeter.models import Fleet, Membership, Person, Session, Token


@dataclass(frozen=True, slots=True)
class FleetOfPerson:
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class PersonListed:
    id: str
    name: str
    email: str | None
    server_admin: bool
    fleets: list[FleetOfPerson]
    created_at: str
    last_seen_at: str | None


async def everybody(
    connection: AsyncConnection, limit: int, offset: int
) -> tuple[list[PersonListed], int]:
    """A page, by name, and how many there are: their fleets, and when they were last here."""
    by_session = select(func.max(Session.last_used_at)).where(Session.person_id == Person.person_id)
    by_token = select(func.max(Token.last_used_at)).where(Token.person_id == Person.person_id)
    seen = func.greatest(by_session.scalar_subquery(), by_token.scalar_subquery())
    query = select(Person, seen.label("last_seen_at")).order_by(Person.name, Person.person_id)
    rows = list(await connection.execute(query.limit(limit).offset(offset)))
    fleets = await _fleets(connection, [row.person_id for row in rows])
    total = await connection.scalar(select(func.count()).select_from(Person))
    items = [
        PersonListed(
            id=str(row.person_id),
            name=row.name,
            email=row.email,
            server_admin=row.server_admin,
            fleets=fleets.get(row.person_id, []),
            created_at=row.created_at.isoformat(),
            last_seen_at=row.last_seen_at.isoformat() if row.last_seen_at else None,
        )
        for row in rows
    ]
    return items, total or 0


async def _fleets(
    connection: AsyncConnection, people: list[uuid.UUID]
) -> dict[uuid.UUID, list[FleetOfPerson]]:
    query = (
        select(Membership.person_id, Membership.role, Fleet.name)
        .join(Fleet, Fleet.fleet_id == Membership.fleet_id)
        .where(Membership.person_id.in_(people))
        .order_by(Fleet.name)
    )
    found: dict[uuid.UUID, list[FleetOfPerson]] = {}
    for row in await connection.execute(query):
        found.setdefault(row.person_id, []).append(FleetOfPerson(row.name, row.role))
    return found


async def set_server_admin(
    connection: AsyncConnection, person_id: uuid.UUID, server_admin: bool, by: Member
) -> None:
    """409 where the server would have no admin."""
    name = await _name_now(connection, person_id, by)
    if not server_admin:
        await keep_a_server_admin(connection, person_id)
    changed = update(Person).where(Person.person_id == person_id)
    await connection.execute(changed.values(server_admin=server_admin))
    whose = str(person_id)
    await note(connection, by, "person.server_admin", person=whose, name=name, after=server_admin)


async def remove(connection: AsyncConnection, person_id: uuid.UUID, by: Member) -> None:
    """409 for the last admin of a fleet or of the server."""
    name = await _name_now(connection, person_id, by)
    await accounts.remove(connection, person_id)
    await note(connection, by, "person.remove", person=str(person_id), name=name)


async def _name_now(connection: AsyncConnection, person_id: uuid.UUID, by: Member) -> str:
    """Both locked: of two admins who change each other at once, the later one is none any more."""
    both = select(Person.person_id, Person.name, Person.server_admin)
    both = both.where(Person.person_id.in_({person_id, by.person_id}))
    rows = await connection.execute(both.order_by(Person.person_id).with_for_update())
    known = {row.person_id: row for row in rows}
    if by.person_id not in known or not known[by.person_id].server_admin:
        raise Problem(403, "not_admin", "Not an admin", "You are no longer an admin of the server.")
    if person_id not in known:
        raise not_found("person")
    return str(known[person_id].name)
