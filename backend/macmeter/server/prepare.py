"""Brings a database up to what this version of the program needs, before anybody is answered."""

from __future__ import annotations

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
from macmeter.platform.processes.process import apart
from macmeter.platform.settings import FORMER_NAMES, Settings
from macmeter.platform.telemetry.logs import say
from macmeter.runs import published
from macmeter.runs.rederive import any_outdated

# As often as its process may be killed.
_ATTEMPTS = 3
_CLUSTER = text("""
    SELECT system_identifier::text AS cluster,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database
    FROM pg_control_system()
""")


def check_replica(writing: str, reading: str) -> None:
    """ServeError if the database that is read isn't a copy of the one written.

    One that is away is none of this: questions get 503 until it is there.
    """
    found = []
    for url in (writing, reading):
        engine = create_engine(database.normalise(url), poolclass=NullPool)
        with contextlib.suppress(OperationalError), engine.connect() as connection:
            found.append(tuple(connection.execute(_CLUSTER).one()))
    if len(set(found)) > 1:
        raise ServeError(
            "DATABASE_READ_URL is another database than DATABASE_URL: name a streaming replica of "
            "it, made by pg_basebackup, or leave it away"
        )


@dataclass(frozen=True)
class Prepared:
    """What was found in a database that is ready."""

    is_demo: bool
    is_outdated: bool
    """Whether runs have to be rederived."""
    admin_secret: str | None
    """Of a link to become the first administrator, while there is none."""


def prepared(settings: Settings, url: str) -> Prepared:
    """`prepare` and whatever else is read from the database before the first answer.

    In a process of its own: the supervisor, which lives long, needs none of the memory that takes.
    """
    for _ in range(_ATTEMPTS):
        with contextlib.suppress(ConnectionError):
            return apart("macmeter-begins", _prepared, settings, url)
    raise ServeError("the process that prepares the database is killed again and again")


def _prepared(settings: Settings, url: str) -> Prepared:
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
    """Migrates, then loads the published results. Both do nothing when it is done already."""
    database.migrate(url)
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        changelog.adopt(connection)
    engine.dispose()
    published.load(url)


def remove_columns(*directories: Path) -> None:
    """What 0.1 answered from, in any of these. The data set is built in its place."""
    found = [
        path
        for directory in directories
        for pattern in ("*.segment", "*.names", "building.json")
        for path in directory.glob(f"*-*/{pattern}")
    ]
    if found:
        say("Removing the columns of an older version: the data set is built in their place")
    for path in found:
        path.unlink(missing_ok=True)
    for former, name in FORMER_NAMES.items():
        if former in os.environ:
            say(f"{former} is called {name} now. The next version will not know {former}.")
