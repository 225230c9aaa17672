"""A transaction and a scope, from which everything is read; with the data set, for many runs."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker, Scope, scope_of
from macmeter.dataset.mirror import snapshot_of
from macmeter.dataset.snapshot import Snapshot


@dataclass(frozen=True)
class Moment:
    """Whoever asks, at one moment: enough to read some runs, by their ids or of one machine."""

    connection: AsyncConnection
    scope: Scope


@dataclass(frozen=True)
class Reading(Moment):
    """With the data set as the transaction sees it: to choose among all runs, and count them."""

    data: Snapshot


async def begin(connection: AsyncConnection, reader: Asker | None) -> Moment:
    """All that is read through it is of the one transaction of `connection`."""
    return Moment(connection, await scope_of(connection, reader))


async def begin_reading(connection: AsyncConnection, reader: Asker | None) -> Reading:
    """`connection` is in a transaction of isolation REPEATABLE READ."""
    data = await snapshot_of(connection)
    return Reading(connection, await scope_of(connection, reader), data)
