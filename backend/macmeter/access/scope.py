"""Which runs a reader may see, decided for each request."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.people import Member
from macmeter.access.tokens import DEVICE, Bearer
from macmeter.models import Machine
from macmeter.terms import Op, Term

Asker = Bearer | Member
"""Whom a request speaks for; None, everywhere, is the public."""


@dataclass(frozen=True)
class Scope:
    """The commons, which everybody reads, and besides them some fleets' runs or one machine's."""

    fleet_ids: frozenset[uuid.UUID] = frozenset()
    machine_id: uuid.UUID | None = None
    if_named: frozenset[tuple[str, uuid.UUID]] = frozenset()
    """Fleets that count in questions that name them and in no other: see `asked`."""

    def asked(self, terms: Sequence[Term]) -> Scope:
        """What of it a question with these filters is about.

        A page says the same to everybody: whoever signs in doesn't find their fleet's runs among
        the public's, nor on the public side of a comparison with their fleet.
        """
        if not self.if_named:
            return self
        named = {term.value for term in terms if term.dimension == "fleet" and term.op is Op.IS}
        also = frozenset(fleet_id for name, fleet_id in self.if_named if name in named)
        return Scope(self.fleet_ids | also, self.machine_id)

    @property
    def every_fleet(self) -> frozenset[uuid.UUID]:
        """All fleets, where an address names the single run or machine that is read."""
        return self.fleet_ids | {fleet_id for _, fleet_id in self.if_named}

    @property
    def of_an_address(self) -> Scope:
        """What an address is about that names a single run or machine."""
        return Scope(self.every_fleet, self.machine_id)


COMMONS = Scope()


async def scope_of(connection: AsyncConnection, reader: Asker | None) -> Scope:
    """What `reader` may see: a device's token its machine's runs, an uploader's its fleet's, and a
    person their fleets' where they are named.
    """
    if reader is None:
        return COMMONS
    if isinstance(reader, Member):
        return Scope(if_named=frozenset((p.fleet_name, p.fleet_id) for p in reader.places))
    if reader.scope == DEVICE:
        bound = select(Machine.machine_id).where(Machine.bound_token_id == reader.token_id)
        return Scope(machine_id=await connection.scalar(bound))
    return Scope(fleet_ids=frozenset([reader.fleet_id] if reader.fleet_id else []))
