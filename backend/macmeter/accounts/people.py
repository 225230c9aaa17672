"""People: the person behind a session or a personal token, roles in fleets, joining and leaving."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any, Literal

from sqlalchemy import ColumnElement, Select, and_, case, func, literal, null, or_, select
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import Op, Term
from macmeter.models import Fleet, Machine, Membership, Person
from macmeter.platform.errors import Problem, not_found

Role = Literal["viewer", "admin"]
Group = Mapping[str, str]
"""The one label, as admins gave it, of the Macs that a role is limited to."""
VIEWER: Literal["viewer"] = "viewer"
ADMIN: Literal["admin"] = "admin"
# Visibility of a fleet that everybody with an account reads, if somebody invited them.
MEMBERS = "members"


@dataclass(frozen=True)
class FleetAccess:
    """A person's access to a fleet: their role, in all of it or in a group."""

    fleet_id: uuid.UUID
    fleet_name: str
    role: Role
    public: bool = False
    """Whether everybody can read the fleet."""
    naming: int = 0
    """Version of the names of its machines; 0 if none has ever had one."""
    where: str = ""
    """Filter of the group that the role is limited to; empty for the whole fleet."""
    machines: bytes | None = None
    """Ids of the machines in that group now, 16 bytes each, ascending; None for the whole fleet."""

    @property
    def machine_ids(self) -> frozenset[uuid.UUID] | None:
        """Machines in that group now; None for the whole fleet."""
        return None if self.machines is None else _unpacked(self.machines)

    @property
    def machines_sha256(self) -> str | None:
        """Short name of `machines` for keys of caches."""
        return None if self.machines is None else sha256(self.machines).hexdigest()


# Each request of a limited reader has its group, of maybe thousands.
@lru_cache(maxsize=64)
def _unpacked(ids: bytes) -> frozenset[uuid.UUID]:
    return frozenset(uuid.UUID(bytes=ids[at : at + 16]) for at in range(0, len(ids), 16))


@dataclass(frozen=True)
class Member:
    """A signed-in person, or a token of theirs. Equal ones see and may do the same."""

    person_id: uuid.UUID
    name: str
    server_admin: bool
    fleet_access: frozenset[FleetAccess]
    """A server admin is an admin of every fleet."""
    may_change: bool = True
    """False for a token that only reads."""
    in_one_fleet: bool = False
    """True for a token that is limited to one fleet: nothing outside it is theirs."""

    def has_claimed(self, claimed_by: uuid.UUID | None) -> bool:
        """Return whether a Mac outside any fleet is theirs, given who has claimed it."""
        return not self.in_one_fleet and claimed_by == self.person_id

    @property
    def fleet_ids(self) -> frozenset[uuid.UUID]:
        """Fleets that they see whole."""
        return frozenset(self.roles)

    @property
    def administers(self) -> frozenset[uuid.UUID]:
        """Fleets that they administer."""
        return frozenset(access.fleet_id for access in self.fleet_access if access.role == ADMIN)

    @property
    def roles(self) -> dict[uuid.UUID, Role]:
        """Role by fleet that they see whole."""
        return {
            access.fleet_id: access.role
            for access in self.fleet_access
            if access.machine_ids is None
        }

    def access_to(self, fleet: str) -> FleetAccess:
        """Return their access to the fleet of this id or name.

        Raise 404 as `any_place` does, and 403 if their role is limited to a group.
        """
        access = self.any_access_to(fleet)
        if access.machine_ids is not None:
            detail = f"Your role in this fleet is limited to {access.where}."
            raise Problem(403, "limited_role", "Limited role", detail)
        return access

    def any_access_to(self, fleet: str) -> FleetAccess:
        """Return their access to the fleet of this id or name, limited to a group or not.

        Raise 404 both if there is no such fleet and if they can't see it. Decided without the
        database, so that both take the same time.
        """
        for access in self.fleet_access:
            if fleet in (access.fleet_name, str(access.fleet_id)):
                return access
        raise not_found("fleet")

    def administered_fleet(self, fleet: str) -> FleetAccess:
        """Return their access to a fleet as `access_to` does. Raise 403 for a viewer."""
        access = self.access_to(fleet)
        if access.role != ADMIN:
            detail = "Only an admin of this fleet can do that."
            raise Problem(403, "not_admin", "Not an admin", detail)
        return access

    def changeable_fleet(self, fleet: str) -> FleetAccess:
        """Return their access to a fleet as `administered_fleet` does.

        Raise 403 for a token that only reads.
        """
        access = self.administered_fleet(fleet)
        require_change(self)
        return access


def of_people(*columns: Any) -> Select[Any]:
    """Select these columns, and what `member_of` needs, from people."""
    limited_to = case((~Person.server_admin, Membership.limited_to))
    labelled = and_(Machine.fleet_id == Fleet.fleet_id, Machine.labels.contains(limited_to))
    # As bytes, of which thousands of ids are read faster than of JSON.
    ordered = aggregate_order_by(literal(b""), Machine.machine_id)
    ids = func.string_agg(func.uuid_send(Machine.machine_id), ordered)
    macs = select(func.encode(ids, "hex")).where(labelled)
    macs_of_role = macs.correlate(Fleet, Membership, Person).scalar_subquery()
    access = func.jsonb_build_object(
        *("fleet_id", Fleet.fleet_id, "fleet_name", Fleet.name),
        # A fleet for members is visible to everybody who was invited to this server.
        "role",
        case((Person.server_admin, ADMIN), else_=func.coalesce(Membership.role, VIEWER)),
        *("public", Fleet.visibility == "public", "naming", Fleet.naming),
        *("limited_to", limited_to, "machines", case((limited_to.is_not(None), macs_of_role))),
    )
    is_member = (Membership.fleet_id == Fleet.fleet_id) & (Membership.person_id == Person.person_id)
    accesses = (
        select(func.jsonb_agg(access))
        .select_from(Fleet)
        .outerjoin(Membership, is_member)
        .where(
            Person.server_admin
            | Membership.role.is_not(None)
            | ((Fleet.visibility == MEMBERS) & ~Person.uninvited)
        )
        .correlate(Person)
        .scalar_subquery()
        .label("fleet_access")
    )
    return select(*columns, Person.person_id, Person.name, Person.server_admin, accesses)


def member_of(row: Any, *, only: uuid.UUID | None = None, may_change: bool = True) -> Member:
    """Build a Member from a row of `of_people`. `only` is the fleet that a token is limited to."""
    accesses = frozenset(
        _access(**raw)
        for raw in row.fleet_access or ()
        if only is None or raw["fleet_id"] == str(only)
    )
    server_admin = row.server_admin and only is None
    return Member(row.person_id, row.name, server_admin, accesses, may_change, only is not None)


def _access(
    fleet_id: str, limited_to: Group | None, machines: str | None, **fields: Any
) -> FleetAccess:
    if limited_to is None:
        return FleetAccess(uuid.UUID(fleet_id), **fields)
    macs = bytes.fromhex(machines or "")
    return FleetAccess(uuid.UUID(fleet_id), **fields, where=where_of(limited_to), machines=macs)


def where_of(limited_to: Group | None) -> str:
    """Filter of the group that a role is limited to; empty for the whole fleet."""
    return "".join(
        str(Term(LABEL_PREFIX + key, Op.IS, value)) for key, value in (limited_to or {}).items()
    )


async def find_member(connection: AsyncConnection, person_id: uuid.UUID) -> Member | None:
    """Reload an account. Return None if it is gone."""
    row = (await connection.execute(of_people().where(Person.person_id == person_id))).one_or_none()
    return None if row is None else member_of(row)


def require_change(member: Member) -> None:
    """Raise 403 for a token that only reads."""
    if not member.may_change:
        detail = "This token can only read. Use one that can manage, or sign in."
        raise Problem(403, "read_only", "Read-only token", detail)


# --- joining fleets and leaving them: a fleet and a server never lose their last admin


async def join(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    person_id: uuid.UUID,
    role: str,
    limited_to: Group | None = None,
) -> None:
    """Add a member or raise their role. An admin who is invited as a viewer stays an admin, and
    whoever sees the whole fleet still does.
    """
    values = {"fleet_id": fleet_id, "person_id": person_id, "role": role, "limited_to": limited_to}
    joining = postgresql.insert(Membership).values(values)
    whole = or_(Membership.limited_to.is_(None), joining.excluded.limited_to.is_(None))
    changes = {
        "role": ADMIN if role == ADMIN else Membership.role,
        "limited_to": case((whole, null()), else_=joining.excluded.limited_to),
    }
    await connection.execute(
        joining.on_conflict_do_update(index_elements=["fleet_id", "person_id"], set_=changes)
    )


async def require_another_admin(
    connection: AsyncConnection, fleet_id: uuid.UUID, without: uuid.UUID
) -> None:
    """Raise 409 if a fleet would have no admin `without` them.

    Locks its admins: of two who remove each other at once, the second finds the first gone.
    """
    admins = (Membership.fleet_id == fleet_id) & (Membership.role == ADMIN)
    if not await _is_alone(connection, Membership.person_id, admins, without):
        return
    name = await connection.scalar(select(Fleet.name).where(Fleet.fleet_id == fleet_id))
    instead = "Make somebody else its admin first, or delete the fleet."
    raise Problem(409, "last_admin", "Last admin", f"{name} would have no admin. {instead}")


async def require_another_server_admin(connection: AsyncConnection, without: uuid.UUID) -> None:
    """Raise 409 if the server would have no admin `without` them. Locks its admins."""
    if await _is_alone(connection, Person.person_id, Person.server_admin.is_(True), without):
        detail = "The server would have no admin. Invite another one first."
        raise Problem(409, "last_server_admin", "Last admin", detail)


async def _is_alone(
    connection: AsyncConnection, person_id: Any, are_admins: ColumnElement[bool], who: uuid.UUID
) -> bool:
    """Lock the admins. Return whether `who` is the only one."""
    admins = select(person_id).where(are_admins).order_by(person_id).with_for_update()
    return {*await connection.scalars(admins)} == {who}
