"""Background work of a server: results of an older version are derived again after an upgrade, old
entries of the change log are removed, the data set is written, fleets' pages follow their runs,
alerts are sent, runs that fleets no longer keep are deleted, and new runs are compared with those
of similar machines.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.alerts.refresh import Keeper
from macmeter.fleets import retention
from macmeter.moderation import outliers
from macmeter.platform import changelog, database
from macmeter.platform.isolation import forever, forget_old
from macmeter.platform.processes.process import Process, end_with_starter
from macmeter.platform.settings import Settings
from macmeter.platform.telemetry.logs import say
from macmeter.results.dataset import writer
from macmeter.runs.rederive import rederive

# Uploads and answers come first.
NICENESS = 10
# A batch is rolled back and done again at the next start.
STOP_SECONDS = 5.0
RETRY_SECONDS = 5.0
PRUNE_EVERY_SECONDS = 3600.0
ADOPT_EVERY_SECONDS = 2.0


@contextlib.contextmanager
def rederived_meanwhile(url: str) -> Iterator[None]:
    """While entered, a process of its own brings outdated runs up to date; it ends when done."""
    say("Runs of an older version are being rederived in the background")
    process = Process("macmeter-derive", rederive_in_background, url)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join(STOP_SECONDS)


def rederive_in_background(url: str) -> None:
    """The process: goes on until nothing is outdated, or whoever started it has ended."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter()
    os.nice(NICENESS)
    while True:
        try:
            rederive(url)
        except DBAPIError as error:
            # PostgreSQL is being started again, or is full: what was committed stays done.
            say(f"rederiving goes on later: {error.orig}")
            time.sleep(RETRY_SECONDS)
        else:
            return


def follow(settings: Settings, url: str, dataset: Path) -> None:
    """The process: forever it has the data set written, works out what fleets' pages show, sends
    alerts, ends old runs, has new ones compared with those of similar machines, and keeps the log.
    """
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter(0)
    os.nice(NICENESS)

    async def every() -> None:
        await asyncio.gather(
            writer.follow(settings.database_read_url or url, dataset),
            Keeper(url, dataset).follow(settings),
            retention.follow(url),
            outliers.follow(url, dataset),
            _keep_log(url),
        )

    asyncio.run(every())


async def _keep_log(url: str) -> None:
    """Forever: begins a new log where a replica was promoted, and removes what is too old."""
    engine = database.engine(url, pool_size=1)
    pruned = time.monotonic()

    async def keep() -> None:
        nonlocal pruned
        async with engine.begin() as connection:
            await connection.run_sync(changelog.adopt)
        if time.monotonic() - pruned > PRUNE_EVERY_SECONDS:
            pruned = time.monotonic()
            await prune_changes(engine)
            async with engine.begin() as connection:
                await forget_old(connection, datetime.now(UTC))

    await forever("keeping the log goes on", keep, ADOPT_EVERY_SECONDS, RETRY_SECONDS)


async def prune_changes(engine: AsyncEngine) -> None:
    """Delete all that is too old, a piece a transaction."""
    done = -1
    while done:
        async with engine.begin() as connection:
            done = await connection.run_sync(changelog.prune)
