"""Brings a database up to what this version of the program needs, before anybody is answered."""

from __future__ import annotations

from macmeter import database
from macmeter.ingest import published


def prepare(url: str) -> None:
    """Migrates, then loads the published results. Both do nothing when it is done already."""
    database.migrate(url)
    published.load(url)
