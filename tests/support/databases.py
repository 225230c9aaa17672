"""Databases for tests, each a copy of one migrated template on an embedded cluster."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from macmeter.database import migrate
from macmeter.embedded import EmbeddedPostgres
from psycopg import sql

TEMPLATE = "template_migrated"
_numbers = itertools.count(1)


def make_template(cluster: EmbeddedPostgres) -> None:
    """Creates the template and brings its schema up to date."""
    with cluster.running.connect() as admin:
        admin.execute(sql.SQL("CREATE DATABASE {} OWNER macmeter").format(sql.Identifier(TEMPLATE)))
    migrate(cluster.url(TEMPLATE))


@contextmanager
def fresh_database(cluster: EmbeddedPostgres, template: str = TEMPLATE) -> Iterator[str]:
    """Yields the name of a new database like `template`; drops it afterwards, in use or not.

    `template0` gives an empty one.
    """
    name = f"test_{next(_numbers)}"
    with cluster.running.connect() as admin:
        admin.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY OWNER macmeter").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    try:
        yield name
    finally:
        with cluster.running.connect() as admin:
            admin.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )
