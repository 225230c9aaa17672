"""Preparation of the database for this version, before the first request."""

import contextlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from macmeter.accounts.one_time_links import has_admin, make_admin_link
from macmeter.platform import changelog, database
from macmeter.platform.demo import claim, is_demo, monday
from macmeter.platform.errors import ServeError
from macmeter.platform.processes.process import run_in_subprocess
from macmeter.platform.settings import FORMER_NAMES, Settings
from macmeter.platform.telemetry.logs import print_log_line
from macmeter.runs import published
from macmeter.runs.rederive import any_outdated

# In case the process that prepares the database is killed.
_ATTEMPTS = 3
_DATABASE_IDENTITY = text("""
    SELECT system_identifier::text AS cluster,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database
    FROM pg_control_system()
""")


def check_replica(writing: str, reading: str) -> None:
    """Raise ServeError if the database for reading isn't a copy of the one for writing.

    Ignores databases that are down: questions get 503 until they are back.
    """
    identities = []
    for url in (writing, reading):
        engine = create_engine(database.normalise(url), poolclass=NullPool)
        with contextlib.suppress(OperationalError), engine.connect() as connection:
            identities.append(tuple(connection.execute(_DATABASE_IDENTITY).one()))
    if len(set(identities)) > 1:
        raise ServeError(
            "DATABASE_READ_URL is another database than DATABASE_URL: name a streaming replica of "
            "it, made by pg_basebackup, or leave it away"
        )


@dataclass(frozen=True)
class Prepared:
    """State of a prepared database."""

    is_demo: bool
    is_outdated: bool
    """Whether runs need rederiving."""
    admin_secret: str | None
    """Secret of a link for the first administrator, while there is none."""


def prepare_in_subprocess(settings: Settings, url: str) -> Prepared:
    """Prepare the database and read what the server needs to know from it.

    Runs in a separate process, whose memory the long-lived supervisor doesn't need.
    """
    for _ in range(_ATTEMPTS):
        with contextlib.suppress(ConnectionError):
            return run_in_subprocess("macmeter-begins", _prepare_and_read, settings, url)
    raise ServeError("the process that prepares the database is killed again and again")


def _prepare_and_read(settings: Settings, url: str) -> Prepared:
    if settings.database_read_url is not None:
        check_replica(url, settings.database_read_url)
    prepare(url)
    if settings.demo:
        claim(url, None, monday(datetime.now(UTC)))
    engine = create_engine(database.normalise(url), poolclass=NullPool)
    with engine.begin() as connection:
        secret = None if has_admin(connection) else make_admin_link(connection)
    return Prepared(is_demo(url), any_outdated(url), secret)


def prepare(url: str) -> None:
    """Migrate the schema and load the published results; a no-op if both are up to date."""
    database.migrate(url)
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        changelog.renew_if_moved(connection)
    engine.dispose()
    published.load(url)


def remove_obsolete_files(*directories: Path) -> None:
    """Remove column files of version 0.1, which the data set replaces, and warn of old settings."""
    obsolete = [
        path
        for directory in directories
        for pattern in ("*.segment", "*.names", "building.json")
        for path in directory.glob(f"*-*/{pattern}")
    ]
    if obsolete:
        print_log_line(
            "Removing the columns of an older version: the data set is built in their place"
        )
    for path in obsolete:
        path.unlink(missing_ok=True)
    for former, name in FORMER_NAMES.items():
        if former in os.environ:
            print_log_line(
                f"{former} is called {name} now. The next version will not know {former}."
            )
