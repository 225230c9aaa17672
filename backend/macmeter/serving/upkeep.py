"""Background work of a server: results of an older version are derived again after an upgrade, old
entries of the change log are removed, columns are written, fleets' pages follow their runs, alerts
are sent, runs that fleets no longer keep are deleted, and new runs are compared with those of
similar machines.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from macmeter import changelog, database
from macmeter.alerts.keeping import Keeper
from macmeter.columns import writer
from macmeter.fleets import keeping as retention
from macmeter.ingest.rederive import rederive
from macmeter.moderation import strays
from macmeter.observing.logs import say
from macmeter.processes.child import end_with_starter
from macmeter.processes.process import Process
from macmeter.settings import Settings

# Uploads and answers come first.
NICENESS = 10
# A batch is rolled back and done again at the next start.
STOP_SECONDS = 5.0
RETRY_SECONDS = 5.0
PRUNE_EVERY_SECONDS = 3600.0
POLL_SECONDS = 0.2
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


@contextlib.contextmanager
def changes_pruned_meanwhile(url: str) -> Iterator[None]:
    """While entered, a thread keeps the change log to the days that it is kept for."""
    stopping = threading.Event()

    def work() -> None:
        while not stopping.wait(PRUNE_EVERY_SECONDS):
            with contextlib.suppress(SQLAlchemyError):  # in an hour again
                prune_changes(url, stopping)

    threading.Thread(target=work, name="prune-changes", daemon=True).start()
    try:
        yield
    finally:
        stopping.set()


@contextlib.contextmanager
def log_adopted_meanwhile(url: str) -> Iterator[None]:
    """While entered, a thread restarts the change log where a replica was promoted."""
    stopping = threading.Event()
    engine = create_engine(database.normalise(url), poolclass=NullPool)

    def work() -> None:
        while not stopping.wait(ADOPT_EVERY_SECONDS):
            with contextlib.suppress(SQLAlchemyError), engine.begin() as connection:
                changelog.adopt(connection)

    threading.Thread(target=work, name="adopt-log", daemon=True).start()
    try:
        yield
    finally:
        stopping.set()


@contextlib.contextmanager
def kept_up_to_date_meanwhile(settings: Settings, url: str, columns: Path) -> Iterator[None]:
    """While entered, a process follows the log of changes; another one if it is killed."""
    # What it had not written or committed is done again.
    with _always("macmeter-follow", follow, settings, url, columns):
        yield


def follow(settings: Settings, url: str, columns: Path) -> None:
    """The process: forever it has columns written, works out what fleets' pages show, sends alerts,
    ends old runs, and has new ones compared with those of similar machines.
    """
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter(0)
    os.nice(NICENESS)

    async def every() -> None:
        await asyncio.gather(
            writer.follow(settings.database_read_url or url, columns),
            Keeper(url, columns).follow(settings),
            retention.follow(url),
            strays.follow(url, columns),
        )

    asyncio.run(every())


@contextlib.contextmanager
def _always(name: str, function: Callable[..., None], *arguments: Any) -> Iterator[None]:
    """While entered, a process that does this; it may be killed at any time."""
    stopping = threading.Event()

    def work() -> None:
        while not stopping.is_set():
            process = Process(name, function, *arguments)
            with contextlib.suppress(OSError):
                process.start()
                while process.is_alive() and not stopping.wait(POLL_SECONDS):
                    pass
                process.kill()
                process.join()
            stopping.wait(RETRY_SECONDS)

    thread = threading.Thread(target=work, name=name)
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join(STOP_SECONDS)


def prune_changes(url: str, stopping: threading.Event) -> None:
    """Delete all that is too old, a piece a transaction."""
    engine = create_engine(database.normalise(url), poolclass=NullPool)
    done = -1
    while done and not stopping.is_set():
        with engine.begin() as connection:
            done = changelog.prune(connection)
