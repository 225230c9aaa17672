"""A transaction and a scope, from which everything is read; with columns, for many runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Asker, Scope, scope_of
from macmeter.columns.current import view_of
from macmeter.columns.recent import Recent
from macmeter.columns.view import View

_LAYOUTS = 64


@dataclass(frozen=True)
class Moment:
    """Whoever asks, at one moment: enough to read some runs, by their ids or of one machine."""

    connection: AsyncConnection
    scope: Scope


@dataclass(frozen=True)
class Reading(Moment):
    """With the columns as the transaction sees them: to choose among all runs, and count them."""

    view: View
    layouts: Recent = field(default_factory=lambda: Recent(_LAYOUTS))
    """What was worked out of runs for one lot of a question, and serves the next."""


async def begin(connection: AsyncConnection, reader: Asker | None) -> Moment:
    """All that is read through it is of the one transaction of `connection`."""
    return Moment(connection, await scope_of(connection, reader))


async def begin_reading(connection: AsyncConnection, reader: Asker | None) -> Reading:
    """`connection` is in a transaction of isolation REPEATABLE READ."""
    view = await view_of(connection)
    return Reading(connection, await scope_of(connection, reader), view)
