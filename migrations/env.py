"""Runs migrations on the connection or address it is given; knows nothing of the application.

A migration that imported the application would change its meaning with every later commit.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, create_engine, text

# Two servers that start at once must not both migrate: the second waits here.
ADVISORY_LOCK = 7_306_161


def migrate(connection: Connection) -> None:
    context.configure(connection=connection, transaction_per_migration=False)
    with context.begin_transaction():
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": ADVISORY_LOCK})
        # A migration that can't get its lock soon gives up instead of stopping every upload.
        connection.execute(text("SET LOCAL lock_timeout = '10s'"))
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    with create_engine(context.config.get_main_option("sqlalchemy.url")).connect() as own:
        migrate(own)
        own.commit()
