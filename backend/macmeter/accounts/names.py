"""Names of Macs. Only readers of a fleet see its Macs' names, so each response has its reader's.

Whatever names a Mac asks `name_of`. Outside `names_visible_to` there are no names: saved
comparisons, links, their pictures and everything else that has no reader call a Mac by its id.
"""

import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from sqlalchemy import ARRAY, Text, any_, cast, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member
from macmeter.models import Fleet, Machine

Names = Mapping[str, str]
"""Names by machine id."""


class _VisibleNames(NamedTuple):
    """Names of a fleet, and the machines that its reader may see; None for all."""

    names: Names
    machine_ids: frozenset[uuid.UUID] | None

    def shows(self, machine_id: str) -> bool:
        return machine_id in self.names and (
            self.machine_ids is None or uuid.UUID(machine_id) in self.machine_ids
        )


_visible: ContextVar[tuple[_VisibleNames, ...]] = ContextVar("visible", default=())
# Names by fleet, with their version.
_cache: OrderedDict[uuid.UUID, tuple[int, Names]] = OrderedDict()
_MOST_CACHED = 64


def name_of(machine_id: object) -> str | None:
    """Return a Mac's name, if it has one that the reader of this response may see."""
    key = str(machine_id)
    return next((visible.names[key] for visible in _visible.get() if visible.shows(key)), None)


def any_names() -> bool:
    """Return whether the reader of this response may see any names."""
    return bool(_visible.get())


def machines_named(word: str) -> list[uuid.UUID]:
    """Return the ids of Macs whose visible name contains `word`, which is in lower case."""
    return [
        uuid.UUID(machine_id)
        for visible in _visible.get()
        for machine_id, name in visible.names.items()
        if word in name.lower() and visible.shows(machine_id)
    ]


@asynccontextmanager
async def names_visible_to(
    connection: AsyncConnection, readers: Iterable[object]
) -> AsyncIterator[None]:
    """Make the names visible that a member among `readers` may see, until this ends.

    A page of public runs says the same to everybody, so a public fleet's names are on its own pages
    only. A private fleet's Macs appear only where a question names the fleet, in files that say so.
    """
    accesses = {
        access.fleet_id: access.machine_ids
        for reader in readers
        if isinstance(reader, Member)
        for access in reader.fleet_access
        if access.naming and not access.public
    }
    names = await _names_of(connection, {*accesses}) if accesses else {}
    token = _visible.set(
        tuple(_VisibleNames(names[fleet_id], accesses[fleet_id]) for fleet_id in names)
    )
    try:
        yield
    finally:
        _visible.reset(token)


async def names_in(
    connection: AsyncConnection, fleet_id: uuid.UUID, machine_ids: Collection[str]
) -> dict[str, str]:
    """Return these machines' names, by id, for readers of the fleet: those that are still in it."""
    if not machine_ids:
        return {}
    # As text: findings that other versions stored may have ids that aren't UUIDs.
    machine_id = cast(Machine.machine_id, Text)
    # One parameter: an alert may name thousands.
    ids = literal([*machine_ids], ARRAY(Text))
    query = select(machine_id, Machine.name).where(
        Machine.fleet_id == fleet_id, Machine.name.is_not(None), machine_id == any_(ids)
    )
    return {row[0]: str(row[1]) for row in await connection.execute(query)}


async def names_of_fleet(connection: AsyncConnection, fleet_id: uuid.UUID) -> Names:
    """Return the names of all machines of a fleet, for its readers."""
    return (await _names_of(connection, {fleet_id})).get(fleet_id, {})


async def _names_of(connection: AsyncConnection, fleets: set[uuid.UUID]) -> dict[uuid.UUID, Names]:
    query = select(Fleet.fleet_id, Fleet.naming).where(Fleet.fleet_id.in_(fleets))
    versions = {row.fleet_id: row.naming for row in await connection.execute(query)}
    cached = {fleet_id: _cache[fleet_id] for fleet_id in versions if fleet_id in _cache}
    changed = [key for key, version in versions.items() if cached.get(key, (-1,))[0] != version]
    if changed:
        names_by_fleet: dict[Any, dict[str, str]] = {fleet_id: {} for fleet_id in changed}
        statement = select(Machine.fleet_id, Machine.machine_id, Machine.name)
        statement = statement.where(Machine.fleet_id.in_(changed), Machine.name.is_not(None))
        for row in await connection.execute(statement):
            names_by_fleet[row.fleet_id][str(row.machine_id)] = row.name
        cached |= {key: (versions[key], names) for key, names in names_by_fleet.items()}
    for fleet_id, entry in cached.items():
        _cache[fleet_id] = entry
        _cache.move_to_end(fleet_id)
    while len(_cache) > _MOST_CACHED:
        _cache.popitem(last=False)
    return {fleet_id: names for fleet_id, (_, names) in cached.items() if names}
