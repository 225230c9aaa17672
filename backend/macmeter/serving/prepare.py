"""Brings a database up to what this version of the program needs, before anybody is answered."""

from __future__ import annotations

import contextlib

from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from macmeter import changelog, database
from macmeter.errors import ServeError
from macmeter.ingest import published

_CLUSTER = text("""
    SELECT system_identifier::text AS cluster,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database
    FROM pg_control_system()
""")


def check_replica(writing: str, reading: str) -> None:
    """ServeError where what is read is no copy of what is written.

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


def prepare(url: str) -> None:
    """Migrates, then loads the published results. Both do nothing when it is done already."""
    database.migrate(url)
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        changelog.adopt(connection)
    engine.dispose()
    published.load(url)
