"""Which runs a reader may see, worked out when a question is asked."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.tokens import DEVICE, Bearer
from macmeter.models import Machine


@dataclass(frozen=True)
class Scope:
    """The commons, which everybody reads, and besides them some fleets' runs or one machine's."""

    fleet_ids: frozenset[uuid.UUID] = frozenset()
    machine_id: uuid.UUID | None = None


COMMONS = Scope()


async def scope_of(connection: AsyncConnection, reader: Bearer | None) -> Scope:
    """What `reader` may see: a device's token its machine's runs, an uploader's its fleet's."""
    if reader is None:
        return COMMONS
    if reader.scope == DEVICE:
        bound = select(Machine.machine_id).where(Machine.bound_token_id == reader.token_id)
        return Scope(machine_id=await connection.scalar(bound))
    return Scope(fleet_ids=frozenset([reader.fleet_id] if reader.fleet_id else []))
