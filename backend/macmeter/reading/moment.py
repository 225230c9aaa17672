"""What one question is answered from: a transaction, the columns as it sees them, and a scope."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.access.scope import Scope, scope_of
from macmeter.access.tokens import Bearer
from macmeter.columns.current import view_of
from macmeter.columns.view import View


@dataclass(frozen=True)
class Reading:
    """Everything read through it is of one moment, and may be read by whoever asks."""

    connection: AsyncConnection
    reader: Bearer | None
    scope: Scope
    view: View


async def begin_reading(connection: AsyncConnection, reader: Bearer | None) -> Reading:
    """`connection` is in a transaction of isolation REPEATABLE READ."""
    view = await view_of(connection)
    return Reading(connection, reader, await scope_of(connection, reader), view)
