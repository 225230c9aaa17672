"""Turns of the servers that share a data set: one of them writes, another when it has died.

A turn is a transaction that holds a lock of PostgreSQL and is heard of every second. PostgreSQL
ends it once nothing was heard for a while, so a server that is killed, paused or cut off loses its
turn. It can't know that before it goes on, but then it harms nobody: manifests and files carry the
number of their turn, readers take the manifest of the highest one, and writers remove no file of a
higher one than theirs.
"""

import asyncio
import contextlib
import os
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.results.dataset import files

SILENCE_SECONDS = 15
_BEAT_SECONDS = 1.0
_SILENCE = text(f"SET LOCAL idle_in_transaction_session_timeout = '{SILENCE_SECONDS}s'")
_KEY = "turns."


async def take(engine: AsyncEngine, root: Path, job: Callable[[int], Awaitable[None]]) -> bool:
    """Run `job` with the number of a turn to write below `root`, unless another server has its
    turn. `engine` is of the primary: replicas have no locks in common.

    Raise the database's error if the turn was lost meanwhile.
    """
    files.make_directory(root)
    async with engine.connect() as connection, connection.begin():
        await connection.execute(_SILENCE)
        lock = func.pg_try_advisory_xact_lock(_key(root))
        if not await connection.scalar(select(lock)):
            return False
        number = await _number(connection, root)
        done = asyncio.Event()
        beating = asyncio.create_task(_beat(connection, done))
        try:
            await job(number)
        finally:
            done.set()  # cancelled within a query, it would take the connection along
            (lost,) = await asyncio.gather(beating, return_exceptions=True)
        if lost is not None:
            raise lost
    return True


async def _beat(connection: AsyncConnection, done: asyncio.Event) -> None:
    while not done.is_set():
        await connection.execute(text("SELECT 1"))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), _BEAT_SECONDS)


async def _number(connection: AsyncConnection, root: Path) -> int:
    """Return a number above all that were given, and above those of files that are newer than a
    database that was restored.
    """
    number = int(await connection.scalar(text("SELECT nextval('dataset_turns')")))
    if number > (highest := files.highest_turn(root)):
        return number
    beyond = text("SELECT setval('dataset_turns', :highest + 1)")
    return int(await connection.scalar(beyond, {"highest": highest}))


def _key(root: Path) -> int:
    """Return the key of the lock of whoever writes in this directory, by whatever path."""
    while not (keys := sorted(root.glob(f"{_KEY}*"))):
        os.close(os.open(root / f"{_KEY}{secrets.randbits(62)}", os.O_CREAT, 0o600))
    return int(keys[0].name.removeprefix(_KEY))
