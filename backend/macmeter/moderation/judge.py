"""The server's admin at the command line: what readers doubt, and what is withdrawn for it."""

from __future__ import annotations

import asyncio
import re
import sys
import uuid
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import database
from macmeter.errors import invalid
from macmeter.models import Doubt
from macmeter.moderation.withdraw import reinstate, withdraw
from macmeter.plain_text import is_seen

_MOST_CHARACTERS = 2000


def withdraw_run(url: str, run_id: uuid.UUID, reason: str) -> None:
    reason = reason.strip()
    too_long = len(reason) > _MOST_CHARACTERS
    if too_long or not is_seen(reason) or re.search("[\x00-\x08\x0b-\x1f]", reason):
        raise invalid("--reason", f"--reason must have 1 to {_MOST_CHARACTERS} characters.")
    _run(url, lambda connection: withdraw(connection, run_id, reason, None, datetime.now(UTC)))
    print(f"withdrawn: run {run_id}", file=sys.stderr)


def reinstate_run(url: str, run_id: uuid.UUID) -> None:
    _run(url, lambda connection: reinstate(connection, run_id, None))
    print(f"reinstated: run {run_id}", file=sys.stderr)


def print_doubts(url: str) -> None:
    """Those that nobody has judged, a line each, oldest first.

    They are anybody's words, so without anything that moves a terminal.
    """

    async def tell(connection: AsyncConnection) -> None:
        query = select(Doubt.created_at, Doubt.run_id, Doubt.reason)
        query = query.where(Doubt.decision.is_(None)).order_by(Doubt.created_at)
        for row in await connection.execute(query):
            reason = "".join(c if c.isprintable() else " " for c in row.reason)
            print(f"{row.created_at:%Y-%m-%d %H:%M}  {row.run_id}  {reason}")

    _run(url, tell)


def _run(url: str, work: Callable[[AsyncConnection], Awaitable[None]]) -> None:
    async def run() -> None:
        engine = database.engine(url)
        try:
            async with engine.begin() as connection:
                await work(connection)
        finally:
            await engine.dispose()

    database.migrate(url)
    asyncio.run(run())
