"""Who is behind a session or a personal token, their roles in fleets, and who joins and leaves."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, case, func, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Fleet, Membership, Person
from macmeter.platform.errors import Problem, not_found

Role = Literal["viewer", "admin"]
VIEWER: Literal["viewer"] = "viewer"
ADMIN: Literal["admin"] = "admin"
# Of a fleet that everybody with an account reads, who didn't make it alone.
MEMBERS = "members"


@dataclass(frozen=True)
class Place:
    """What somebody is in a fleet."""

    fleet_id: uuid.UUID
    fleet_name: str
    role: Role
    public: bool = False
    """Whether everybody reads it."""


@dataclass(frozen=True)
class Member:
    """A person who is signed in, or a token of theirs. Equal ones see and may do the same."""

    person_id: uuid.UUID
    name: str
    server_admin: bool
    places: frozenset[Place]
    """Whoever administers the server is an admin of every fleet."""
    may_change: bool = True
    """False for a token that only reads."""
    in_one_fleet: bool = False
    """True for a token that is good for one fleet: nothing outside of it is theirs."""

    def has_claimed(self, claimed_by: uuid.UUID | None) -> bool:
        """Whether a Mac outside any fleet is theirs, by whoever has claimed it."""
        return not self.in_one_fleet and claimed_by == self.person_id

    @property
    def fleet_ids(self) -> frozenset[uuid.UUID]:
        """The fleets whose runs they may read."""
        return frozenset(place.fleet_id for place in self.places)

    @property
    def administers(self) -> frozenset[uuid.UUID]:
        """The fleets in which they may change things."""
        return frozenset(place.fleet_id for place in self.places if place.role == ADMIN)

    @property
    def roles(self) -> dict[uuid.UUID, Role]:
        """Their role by fleet; where they are nothing in one, for them there is no such fleet."""
        return {place.fleet_id: place.role for place in self.places}

    def place(self, fleet: str) -> Place:
        """Their place in the fleet of this id or name; 404, alike, for no such fleet and for one in
        which they are nothing. Decided without the database: in the same time as well.
        """
        for place in self.places:
            if fleet in (place.fleet_name, str(place.fleet_id)):
                return place
        raise not_found("fleet")

    def administered(self, fleet: str) -> Place:
        """The fleet as `place` finds it; 403 for a viewer."""
        place = self.place(fleet)
        if place.role != ADMIN:
            detail = "Only an admin of this fleet can do that."
            raise Problem(403, "not_admin", "Not an admin", detail)
        return place

    def changed(self, fleet: str) -> Place:
        """The fleet as `administered` finds it; 403 for a token that only reads."""
        place = self.administered(fleet)
        require_change(self)
        return place


def of_people(*columns: Any) -> Select[Any]:
    """Selects these columns and what `member_of` needs, FROM people."""
    place = func.jsonb_build_object(
        *("fleet_id", Fleet.fleet_id, "fleet_name", Fleet.name),
        # A fleet for members shows itself to everybody who was given an account here.
        "role",
        case((Person.server_admin, ADMIN), else_=func.coalesce(Membership.role, VIEWER)),
        *("public", Fleet.visibility == "public"),
    )
    theirs = (Membership.fleet_id == Fleet.fleet_id) & (Membership.person_id == Person.person_id)
    places = (
        select(func.jsonb_agg(place))
        .select_from(Fleet)
        .outerjoin(Membership, theirs)
        .where(
            Person.server_admin
            | Membership.role.is_not(None)
            | ((Fleet.visibility == MEMBERS) & ~Person.uninvited)
        )
        .correlate(Person)
        .scalar_subquery()
        .label("places")
    )
    return select(*columns, Person.person_id, Person.name, Person.server_admin, places)


def member_of(row: Any, *, only: uuid.UUID | None = None, may_change: bool = True) -> Member:
    """`row` is of `of_people`; `only` is the one fleet that a token is good for."""
    places = frozenset(
        Place(uuid.UUID(one["fleet_id"]), one["fleet_name"], one["role"], one["public"])
        for one in row.places or ()
        if only is None or one["fleet_id"] == str(only)
    )
    server_admin = row.server_admin and only is None
    return Member(row.person_id, row.name, server_admin, places, may_change, only is not None)


async def find_member(connection: AsyncConnection, person_id: uuid.UUID) -> Member | None:
    """The account as it is now; None where it is gone."""
    row = (await connection.execute(of_people().where(Person.person_id == person_id))).one_or_none()
    return None if row is None else member_of(row)


def require_change(member: Member) -> None:
    """403 for a token that only reads."""
    if not member.may_change:
        detail = "This token can only read. Use one that can manage, or sign in."
        raise Problem(403, "read_only", "Read-only token", detail)


# --- joining fleets and leaving them: a fleet and a server never lose their last admin


async def join(
    connection: AsyncConnection, fleet_id: uuid.UUID, person_id: uuid.UUID, role: str
) -> None:
    """An admin who is invited as a viewer stays an admin."""
    values = {"fleet_id": fleet_id, "person_id": person_id, "role": role}
    joining = postgresql.insert(Membership).values(values)
    raised = ADMIN if role == ADMIN else Membership.role
    await connection.execute(
        joining.on_conflict_do_update(
            index_elements=["fleet_id", "person_id"], set_={"role": raised}
        )
    )


async def keep_an_admin(
    connection: AsyncConnection, fleet_id: uuid.UUID, without: uuid.UUID
) -> None:
    """409 where a fleet would have no admin `without` them. Locks its admins: of two who remove
    each other at once, the second finds the first gone.
    """
    admins = (Membership.fleet_id == fleet_id) & (Membership.role == ADMIN)
    if not await _is_alone(connection, Membership.person_id, admins, without):
        return
    name = await connection.scalar(select(Fleet.name).where(Fleet.fleet_id == fleet_id))
    instead = "Make somebody else its admin first, or delete the fleet."
    raise Problem(409, "last_admin", "Last admin", f"{name} would have no admin. {instead}")


async def keep_a_server_admin(connection: AsyncConnection, without: uuid.UUID) -> None:
    """Do for the server what `keep_an_admin` does for a fleet."""
    if await _is_alone(connection, Person.person_id, Person.server_admin.is_(True), without):
        detail = "The server would have no admin. Invite another one first."
        raise Problem(409, "last_server_admin", "Last admin", detail)


async def _is_alone(
    connection: AsyncConnection, person_id: Any, are_admins: ColumnElement[bool], who: uuid.UUID
) -> bool:
    """Whether nobody else is among the admins, who are locked."""
    admins = select(person_id).where(are_admins).order_by(person_id).with_for_update()
    return {*await connection.scalars(admins)} == {who}
