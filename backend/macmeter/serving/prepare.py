"""Brings a database up to what this version of the program needs, before anybody is answered."""

from __future__ import annotations

from sqlalchemy import create_engine

from macmeter import changelog, database
from macmeter.ingest import published


def prepare(url: str) -> None:
    """Migrates, then loads the published results. Both do nothing when it is done already."""
    database.migrate(url)
    engine = create_engine(database.normalise(url))
    with engine.begin() as connection:
        changelog.adopt(connection)
    engine.dispose()
    published.load(url)
