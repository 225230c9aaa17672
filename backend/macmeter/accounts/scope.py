"""Scopes: the runs and fleets that a reader may see, per request. Also the mark of private ones."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import ADMIN, FleetAccess, Member, Role, require_change
from macmeter.accounts.tokens import DEVICE, FLEET, TokenPrincipal
from macmeter.catalog.terms import Op, Term, Value
from macmeter.models import Fleet, Machine
from macmeter.platform.errors import Problem, not_found

Principal = TokenPrincipal | Member
"""Principal of a request. None always means the public."""


class Macs(NamedTuple):
    """Some machines, by their runs in one fleet; with None by all their runs."""

    fleet_id: uuid.UUID | None
    machine_ids: frozenset[uuid.UUID]


@dataclass(frozen=True)
class Scope:
    """Readable runs: the commons, and besides them some fleets' runs or some machines'."""

    fleet_ids: frozenset[uuid.UUID] = frozenset()
    macs: tuple[Macs, ...] = ()
    if_named: frozenset[tuple[str, uuid.UUID | Macs]] = frozenset()
    """Fleets, or groups in them, that count only in questions that name the fleet: see `asked`."""

    def asked(self, terms: Sequence[Term]) -> Scope:
        """Return the scope of a question with these filters: of `if_named`, only what they name.

        A page says the same to everybody: a signed-in reader's fleet doesn't appear among public
        runs, nor on the public side of a comparison with that fleet.
        """
        if not self.if_named:
            return self
        names = _named_fleets(terms)
        return self._with(item for name, item in self.if_named if name in names)

    @property
    def of_named_item(self) -> Scope:
        """Scope for an address that names a single run or machine."""
        return self._with(item for _, item in self.if_named)

    def _with(self, also: Iterable[uuid.UUID | Macs]) -> Scope:
        ids = set[uuid.UUID]()
        macs = set(self.macs)
        for item in also:
            macs.add(item) if isinstance(item, Macs) else ids.add(item)
        return Scope(self.fleet_ids | ids, tuple(sorted(macs, key=lambda mac: str(mac.fleet_id))))


COMMONS = Scope()


async def scope_of(connection: AsyncConnection, reader: Principal | None) -> Scope:
    """Scope of `reader`: a device token sees its machine's runs, an uploader its fleet's, and a
    person their fleets' in questions that name them.
    """
    if reader is None:
        return COMMONS
    if isinstance(reader, Member):
        return Scope(if_named=frozenset((p.fleet_name, _readable(p)) for p in reader.fleet_access))
    if reader.scope == DEVICE:
        query = select(Machine.machine_id).where(Machine.bound_token_id == reader.token_id)
        return Scope(macs=(Macs(None, frozenset(await connection.scalars(query))),))
    return Scope(fleet_ids=frozenset([reader.fleet_id] if reader.fleet_id else []))


def _readable(access: FleetAccess) -> uuid.UUID | Macs:
    if access.machine_ids is None:
        return access.fleet_id
    return Macs(access.fleet_id, access.machine_ids)


def _named_fleets(terms: Iterable[Term]) -> set[Value]:
    return {term.value for term in terms if term.dimension == "fleet" and term.op is Op.IS}


# --- the fleet that a request names, if the reader may see it, and the reader's role in it


class SeenFleet(NamedTuple):
    """A fleet that the reader may see. `role` is None for the fleet's uploader, a program.

    `where` and `machine_ids` are as in `FleetAccess`.
    """

    fleet_id: uuid.UUID
    name: str
    visibility: str
    role: Role | None
    where: str = ""
    machine_ids: frozenset[uuid.UUID] | None = None


async def seen_fleet(
    connection: AsyncConnection, principal: Principal | None, fleet: str
) -> SeenFleet:
    """Find a fleet by id or name, of which the reader sees all. Raise 404 both if there is none and
    if it isn't theirs, and 403 if their role is limited to a group.
    """
    if isinstance(principal, Member):
        principal.access_to(fleet)
    return await seen_part(connection, principal, fleet)


async def seen_part(
    connection: AsyncConnection, principal: Principal | None, fleet: str
) -> SeenFleet:
    """Find a fleet of which the reader sees all or a group. Raise 404 as `seen_fleet` does.

    Fleets of others are refused without a query: finding a row would take longer. A fleet with
    public runs isn't public itself: nobody else sees which Macs are silent or lack FileVault.
    """
    fleet_id, role, where, machine_ids = _own_fleet(principal, fleet)
    query = select(Fleet.name, Fleet.visibility).where(Fleet.fleet_id == fleet_id)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("fleet")
    return SeenFleet(fleet_id, row.name, row.visibility, role, where, machine_ids)


def _own_fleet(
    principal: Principal | None, fleet: str
) -> tuple[uuid.UUID, Role | None, str, frozenset[uuid.UUID] | None]:
    """Return the reader's fleet of that id or name, their role and its limit; or raise 404."""
    if isinstance(principal, Member):
        access = principal.any_access_to(fleet)
        return access.fleet_id, access.role, access.where, access.machine_ids
    fleet_id = principal.fleet_id if principal is not None and principal.scope == FLEET else None
    if principal is None or fleet_id is None or fleet not in (principal.fleet_name, str(fleet_id)):
        raise not_found("fleet")
    return fleet_id, None, "", None


def seen_fleets(principal: Principal | None) -> dict[uuid.UUID, frozenset[uuid.UUID] | None]:
    """Fleets whose machines the reader may see, with these machines; None for all."""
    if isinstance(principal, Member):
        return {access.fleet_id: access.machine_ids for access in principal.fleet_access}
    if principal is not None and principal.scope == FLEET and principal.fleet_id is not None:
        return {principal.fleet_id: None}
    return {}


def require_admin(member: Member, fleet_id: uuid.UUID, does: str, what: str = "fleet") -> None:
    """Raise 403 for the fleet's viewers and 404 for non-members.

    `does` is a phrase such as "acknowledges an alert".
    """
    role = member.roles.get(fleet_id)
    if role is None:
        raise not_found(what)
    require_change(member)
    if role != ADMIN:
        raise Problem(403, "not_admin", "Not an admin", f"Only an admin of the fleet {does}.")


# --- the mark of private figures in pictures, files and embeds


def named_fleets(member: Member, filters: Iterable[Sequence[Term]]) -> frozenset[FleetAccess]:
    """The member's fleets that these filters name and that aren't public."""
    names = _named_fleets(term for terms in filters for term in terms)
    return frozenset(p for p in member.fleet_access if p.fleet_name in names and not p.public)


def mark_of(reader: Principal | None, filters: Iterable[Sequence[Term]]) -> str | None:
    """Mark of what `reader` sees under these filters, or None if everybody sees the same."""
    if isinstance(reader, Member):
        return mark_of_fleets(named_fleets(reader, filters))
    if reader is None or reader.fleet_name is None or reader.visibility == "public":
        return None
    return f"Private: fleet {reader.fleet_name}"


def mark_of_fleets(accesses: Iterable[FleetAccess]) -> str | None:
    """Mark of figures of these fleets, or None if all are public."""
    names = sorted({access.fleet_name for access in accesses if not access.public})
    return f"Private: fleet{'' if len(names) == 1 else 's'} {', '.join(names)}" if names else None
