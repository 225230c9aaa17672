"""Scopes: the runs and fleets that a reader may see, per request. Also the mark of private ones."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import ADMIN, Member, Place, Role, require_change
from macmeter.accounts.tokens import DEVICE, FLEET, TokenPrincipal
from macmeter.catalog.terms import Op, Term, Value
from macmeter.models import Fleet, Machine
from macmeter.platform.errors import Problem, not_found

Principal = TokenPrincipal | Member
"""Principal of a request. None always means the public."""


@dataclass(frozen=True)
class Scope:
    """Readable runs: the commons, and besides them some fleets' runs or one machine's."""

    fleet_ids: frozenset[uuid.UUID] = frozenset()
    machine_id: uuid.UUID | None = None
    if_named: frozenset[tuple[str, uuid.UUID]] = frozenset()
    """Fleets that count only in questions that name them: see `asked`."""

    def asked(self, terms: Sequence[Term]) -> Scope:
        """Narrow the scope to a question with these filters.

        A page says the same to everybody: a signed-in reader's fleet doesn't appear among public
        runs, nor on the public side of a comparison with that fleet.
        """
        if not self.if_named:
            return self
        named = _named_fleets(terms)
        also = frozenset(fleet_id for name, fleet_id in self.if_named if name in named)
        return Scope(self.fleet_ids | also, self.machine_id)

    @property
    def every_fleet(self) -> frozenset[uuid.UUID]:
        """All fleets, for an address that names a single run or machine."""
        return self.fleet_ids | {fleet_id for _, fleet_id in self.if_named}

    @property
    def of_an_address(self) -> Scope:
        """Scope for an address that names a single run or machine."""
        return Scope(self.every_fleet, self.machine_id)


COMMONS = Scope()


async def scope_of(connection: AsyncConnection, reader: Principal | None) -> Scope:
    """Scope of `reader`: a device token sees its machine's runs, an uploader its fleet's, and a
    person their fleets' in questions that name them.
    """
    if reader is None:
        return COMMONS
    if isinstance(reader, Member):
        return Scope(if_named=frozenset((p.fleet_name, p.fleet_id) for p in reader.places))
    if reader.scope == DEVICE:
        bound = select(Machine.machine_id).where(Machine.bound_token_id == reader.token_id)
        return Scope(machine_id=await connection.scalar(bound))
    return Scope(fleet_ids=frozenset([reader.fleet_id] if reader.fleet_id else []))


def _named_fleets(terms: Iterable[Term]) -> set[Value]:
    return {term.value for term in terms if term.dimension == "fleet" and term.op is Op.IS}


# --- the fleet that a request names, if the reader may see it, and the reader's role in it


class SeenFleet(NamedTuple):
    """A fleet that the reader may see. `role` is None for the fleet's uploader, a program."""

    fleet_id: uuid.UUID
    name: str
    visibility: str
    role: Role | None


async def seen_fleet(
    connection: AsyncConnection, principal: Principal | None, named: str
) -> SeenFleet:
    """Find a fleet by id or name. Raise 404 both if there is none and if it isn't theirs.

    The two are distinguished without a query, because finding a row takes longer. A fleet with
    public runs isn't public itself: nobody else sees which Macs are silent or lack FileVault.
    """
    own, role = _own(principal, named)
    query = select(Fleet.name, Fleet.visibility).where(Fleet.fleet_id == own)
    found = (await connection.execute(query)).one_or_none()
    if found is None:
        raise not_found("fleet")
    return SeenFleet(own, found.name, found.visibility, role)


def _own(principal: Principal | None, named: str) -> tuple[uuid.UUID, Role | None]:
    """Return the reader's fleet of that id or name and their role in it, or raise 404."""
    if isinstance(principal, Member):
        place = principal.place(named)
        return place.fleet_id, place.role
    fleet_id = principal.fleet_id if principal is not None and principal.scope == FLEET else None
    if principal is None or fleet_id is None or named not in (principal.fleet_name, str(fleet_id)):
        raise not_found("fleet")
    return fleet_id, None


def seen_fleet_ids(principal: Principal | None) -> frozenset[uuid.UUID]:
    """Fleets whose machines the reader may see."""
    if isinstance(principal, Member):
        return principal.fleet_ids
    if principal is not None and principal.scope == FLEET and principal.fleet_id is not None:
        return frozenset([principal.fleet_id])
    return frozenset()


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


def named_places(member: Member, filters: Iterable[Sequence[Term]]) -> frozenset[Place]:
    """The member's fleets that these filters name and that aren't public."""
    named = _named_fleets(term for terms in filters for term in terms)
    return frozenset(p for p in member.places if p.fleet_name in named and not p.public)


def mark_of(reader: Principal | None, filters: Iterable[Sequence[Term]]) -> str | None:
    """Mark of what `reader` sees under these filters, or None if everybody sees the same."""
    if isinstance(reader, Member):
        return mark_of_places(named_places(reader, filters))
    if reader is None or reader.fleet_name is None or reader.visibility == "public":
        return None
    return f"Private: fleet {reader.fleet_name}"


def mark_of_places(places: Iterable[Place]) -> str | None:
    """Mark of figures of these fleets, or None if all are public."""
    names = sorted({place.fleet_name for place in places if not place.public})
    return f"Private: fleet{'' if len(names) == 1 else 's'} {', '.join(names)}" if names else None
