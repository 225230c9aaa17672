"""Background jobs of a server: rederive results after an upgrade, prune the change log, write the
data set, update fleets' pages, send alerts, delete runs past a fleet's retention, and compare new
runs with those of similar machines.
"""

import asyncio
import contextlib
import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.accounts import one_time_links
from macmeter.alerts.refresh import FleetRefresher
from macmeter.fleets import retention
from macmeter.moderation import outliers
from macmeter.platform import changelog, database
from macmeter.platform.isolation import forever, forget_old
from macmeter.platform.processes.process import Process, end_with_starter
from macmeter.platform.settings import Settings
from macmeter.platform.telemetry.logs import print_log_line
from macmeter.results.dataset import writer
from macmeter.runs.rederive import rederive

# Uploads and answers have priority.
NICENESS = 10
# An unfinished batch is rolled back and repeated at the next start.
STOP_SECONDS = 5.0
RETRY_SECONDS = 5.0
PRUNE_EVERY_SECONDS = 3600.0
CHECK_LOG_SECONDS = 2.0


@contextlib.contextmanager
def rederived_meanwhile(url: str) -> Iterator[None]:
    """Rederive outdated runs in a separate process during the `with` block."""
    print_log_line("Runs of an older version are being rederived in the background")
    process = Process("macmeter-derive", rederive_in_background, url)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join(STOP_SECONDS)


def rederive_in_background(url: str) -> None:
    """Rederive until nothing is outdated; ends with its starter."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter()
    os.nice(NICENESS)
    while True:
        try:
            rederive(url)
        except DBAPIError as error:
            # PostgreSQL is restarting or full; committed batches stay done.
            print_log_line(f"rederiving goes on later: {error.orig}")
            time.sleep(RETRY_SECONDS)
        else:
            return


def follow(settings: Settings, url: str, dataset: Path) -> None:
    """Run all background jobs forever, in a process of its own."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter(status=0)
    os.nice(NICENESS)

    async def follow_all() -> None:
        await asyncio.gather(
            writer.follow(settings.database_read_url or url, dataset, url),
            FleetRefresher(url, dataset).follow(settings),
            retention.follow(url),
            outliers.follow(url, dataset),
            _maintain_log(url),
        )

    asyncio.run(follow_all())


async def _maintain_log(url: str) -> None:
    """Forever: begin a new change log when a replica was promoted; delete old changes, failures and
    addresses of expired links.
    """
    engine = database.engine(url, pool_size=1)
    pruned = time.monotonic()

    async def keep() -> None:
        nonlocal pruned
        async with engine.begin() as connection:
            await connection.run_sync(changelog.renew_if_moved)
        if time.monotonic() - pruned > PRUNE_EVERY_SECONDS:
            pruned = time.monotonic()
            await prune_changes(engine)
            async with engine.begin() as connection:
                await forget_old(connection, datetime.now(UTC))
                await one_time_links.forget_addresses(connection, datetime.now(UTC))

    await forever("keeping the change log goes on", keep, CHECK_LOG_SECONDS, RETRY_SECONDS)


async def prune_changes(engine: AsyncEngine) -> None:
    """Delete all old changes, one batch per transaction."""
    done = -1
    while done:
        async with engine.begin() as connection:
            done = await connection.run_sync(changelog.prune)
