"""Run migrations on the connection or address given; know nothing of the application.

A migration that imported the application would change its meaning with every later commit.
"""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection, NullPool, create_engine, text

# Two servers that start at once must not both migrate: the second waits here.
ADVISORY_LOCK = 7_306_161


def migrate(connection: Connection) -> None:
    """Run each migration in its own transaction; a long one may use several."""
    # A session lock, because it has to outlive them; it ends with the connection.
    connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": ADVISORY_LOCK})
    # A migration that can't get its lock soon gives up instead of blocking every upload.
    connection.execute(text("SET lock_timeout = '10s'"))
    connection.commit()
    context.configure(connection=connection, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    url = context.config.get_main_option("sqlalchemy.url")
    with create_engine(url, poolclass=NullPool).connect() as own:
        migrate(own)
