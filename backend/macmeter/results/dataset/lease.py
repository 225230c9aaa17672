"""Lease of a data set that several servers share: one of them writes, another when it has died.

A lease is a transaction that holds a lock of PostgreSQL and is heard of every second. PostgreSQL
ends it once nothing was heard for a while, so a server that is killed, paused or cut off loses it.
It can't know that before it goes on, but then it harms nobody: every lease has a number, its epoch,
which fences what is written under it. Names of manifests and files carry it, readers take the
manifest of the highest epoch, and writers remove no file of a higher one than theirs.
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
_KEY = "lease."


async def hold(engine: AsyncEngine, root: Path, job: Callable[[int], Awaitable[None]]) -> bool:
    """Run `job` with the epoch of a lease to write below `root`; False if another server has it.

    `engine` is of the primary: replicas have no locks in common. Raise the database's error if the
    lease was lost meanwhile.
    """
    files.make_directory(root)
    async with engine.connect() as connection, connection.begin():
        await connection.execute(_SILENCE)
        lock = func.pg_try_advisory_xact_lock(_key(root))
        if not await connection.scalar(select(lock)):
            return False
        epoch = await _next_epoch(connection, root)
        done = asyncio.Event()
        beating = asyncio.create_task(_beat(connection, done))
        try:
            await job(epoch)
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


async def _next_epoch(connection: AsyncConnection, root: Path) -> int:
    """Return a number above all that were given, and above those of files that are newer than a
    database that was restored.
    """
    epoch = int(await connection.scalar(text("SELECT nextval('dataset_epochs')")))
    highest = max(map(files.epoch_of, root.glob(f"*/{files.MANIFESTS}")), default=0)
    if epoch > highest:
        return epoch
    beyond = text("SELECT setval('dataset_epochs', :highest + 1)")
    return int(await connection.scalar(beyond, {"highest": highest}))


def _key(root: Path) -> int:
    """Return the key of the lock of whoever writes in this directory, by whatever path."""
    while not (keys := sorted(root.glob(f"{_KEY}*"))):
        os.close(os.open(root / f"{_KEY}{secrets.randbits(62)}", os.O_CREAT, 0o600))
    return int(keys[0].name.removeprefix(_KEY))
