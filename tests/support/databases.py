"""Databases for tests, each a copy of one migrated template on an embedded cluster."""

from __future__ import annotations

import atexit
import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from macmeter.accounts import tokens
from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.database import migrate, normalise
from psycopg import sql
from sqlalchemy import Connection, Engine, create_engine

TEMPLATE = "template_migrated"
# Database of a seed that no server uses, with the published results.
PUBLISHED = "macmeter"
_numbers = itertools.count(1)
# Engines of the databases created here, by address, until they are dropped: connecting costs
# PostgreSQL more than most of what tests then do.
_engines: dict[str, Engine | None] = {}
# Superuser engines of each cluster, until this process ends.
_admins: dict[str, Engine] = {}


def make_template(cluster: EmbeddedPostgres) -> None:
    """Create the template and bring its schema up to date."""
    _administer(cluster, "CREATE DATABASE {} OWNER macmeter", TEMPLATE)
    migrate(cluster.url(TEMPLATE))


@contextmanager
def fresh_database(cluster: EmbeddedPostgres, template: str = TEMPLATE) -> Iterator[str]:
    """Yield the name of a new database like `template`; drop it afterwards, in use or not.

    `template0` gives an empty one.
    """
    name = f"test_{next(_numbers)}"
    if (template_engine := _engines.get(cluster.url(template))) is not None:
        template_engine.dispose()  # PostgreSQL copies only unused databases
    copy = "CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY OWNER macmeter"
    _administer(cluster, copy, name, template)
    _engines[cluster.url(name)] = None
    try:
        yield name
    finally:
        if (engine := _engines.pop(cluster.url(name))) is not None:
            engine.dispose()
        _administer(cluster, "DROP DATABASE IF EXISTS {} WITH (FORCE)", name)


def _administer(cluster: EmbeddedPostgres, statement: str, *names: str) -> None:
    """Execute a statement on these databases that only a superuser may."""
    url = cluster.admin_url()
    if url not in _admins:
        _admins[url] = create_engine(url, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
        atexit.register(_admins[url].dispose)
    with _admins[url].connect() as admin:
        admin.exec_driver_sql(sql.SQL(statement).format(*map(sql.Identifier, names)).as_string())


@contextmanager
def transaction(url: str) -> Iterator[Connection]:
    """Commit at the end. A database of `fresh_database` keeps its connections for later."""
    engine = _engines.get(url) or create_engine(
        normalise(url), pool_pre_ping=True, use_native_hstore=False
    )
    if url in _engines:
        _engines[url] = engine
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        if url not in _engines:
            engine.dispose()


def token(url: str, scope: str = "device") -> str:
    """Issue a token in this database, without starting a program for it."""
    with transaction(url) as connection:
        return tokens.issue(connection, scope)
