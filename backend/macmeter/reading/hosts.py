"""Which tokens and fleets may say which host a guest has."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import select

from macmeter.access.visibility import visible
from macmeter.dataset.wording import machine_number
from macmeter.models import Machine, Run
from macmeter.reading.moment import Moment, Reading


class _Owner(NamedTuple):
    """Who speaks for a machine."""

    token_id: uuid.UUID | None
    fleet_id: uuid.UUID | None
    reserved: bool
    merged_into: uuid.UUID | None


@dataclass(frozen=True)
class Hosts:
    """The machines that guests name as their hosts, by id."""

    machines: dict[uuid.UUID, _Owner]

    def named_by(self, run: Any) -> uuid.UUID | None:
        """The machine that a run names as its host, if somebody vouches for it.

        The same token or fleet has to speak for both. Any device may name any machine: its word
        alone must not join it to a stranger's.
        """
        owner = self.machines.get(run.host_machine_id)
        if owner is None:
            return None
        vouched = (
            (owner.fleet_id is not None and owner.fleet_id == run.fleet_id)
            or (owner.token_id is not None and owner.token_id == run.token_id)
            or (owner.reserved and run.source == "published")
        )
        return (owner.merged_into or run.host_machine_id) if vouched else None


Guests = dict[tuple[int, uuid.UUID], uuid.UUID]
"""By the number of a guest and the host that it names: the machine that this is, if somebody
vouches for it.
"""


async def fetch_guests(reading: Reading) -> Guests:
    """All that are readable; see `Hosts.named_by`. A guest whose runs aren't all vouched for has
    no host.
    """
    told = (Run.machine_id, Run.host_machine_id, Run.token_id, Run.fleet_id, Run.source)
    query = select(*told).where(Run.host_machine_id.is_not(None), visible(reading.scope)).distinct()
    rows = [*await reading.connection.execute(query)]
    hosts = await hosts_of(reading, {row.host_machine_id for row in rows})
    found: Guests = {}
    refused = set()
    for row in rows:
        guest = (machine_number(row.machine_id), row.host_machine_id)
        host = hosts.named_by(row)
        if host is None:
            refused.add(guest)
        else:
            found[guest] = host
    return {guest: host for guest, host in found.items() if guest not in refused}


async def hosts_of(moment: Moment, machine_ids: Collection[uuid.UUID]) -> Hosts:
    """Those of these machines that are known here, and those that were merged into them."""
    if not machine_ids:
        return Hosts({})
    columns = (Machine.bound_token_id, Machine.fleet_id, Machine.reserved, Machine.merged_into)
    theirs = Machine.machine_id.in_(machine_ids) | Machine.merged_into.in_(machine_ids)
    query = select(Machine.machine_id, *columns).where(theirs)
    rows = await moment.connection.execute(query)
    return Hosts({row[0]: _Owner._make(row[1:]) for row in rows})
