"""Which tokens and fleets may say which host a guest has."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import select

from macmeter.columns.view import View
from macmeter.models import Machine
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

    def named_by(self, view: View, setup: int, host: int) -> uuid.UUID | None:
        """The machine that a run with these numbers names as its host, if somebody vouches for it.

        The same token or fleet has to speak for both. Any device may name any machine: its word
        alone must not join it to a stranger's.
        """
        named = view.names.hosts.things[host]
        owner = self.machines.get(named.machine_id) if named is not None else None
        if named is None or owner is None:
            return None
        fleet_id, source = (_of_setup(view, setup, name) for name in ("fleet_id", "source"))
        vouched = (
            (owner.fleet_id is not None and owner.fleet_id == fleet_id)
            or (owner.token_id is not None and owner.token_id == named.token_id)
            or (owner.reserved and source == "published")
        )
        return (owner.merged_into or named.machine_id) if vouched else None


def _of_setup(view: View, setup: int, name: str) -> object:
    codes, values = view.names.setup_values(name)
    found: object = values[codes[setup]]
    return found


async def fetch_hosts(reading: Reading) -> Hosts:
    """All that are named."""
    return await hosts_of(
        reading,
        {host.machine_id for host in reading.view.names.hosts.things if host is not None},
    )


async def hosts_of(moment: Moment, machine_ids: Collection[uuid.UUID]) -> Hosts:
    """Those of these machines that are known here, and those that were merged into them."""
    if not machine_ids:
        return Hosts({})
    columns = (Machine.bound_token_id, Machine.fleet_id, Machine.reserved, Machine.merged_into)
    theirs = Machine.machine_id.in_(machine_ids) | Machine.merged_into.in_(machine_ids)
    query = select(Machine.machine_id, *columns).where(theirs)
    rows = await moment.connection.execute(query)
    return Hosts({row[0]: _Owner._make(row[1:]) for row in rows})
