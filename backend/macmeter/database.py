"""The way to PostgreSQL: engines, sessions and the schema's version."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

# The checkout's migrations, or beside the package where it is installed without one.
MIGRATIONS = next(
    path
    for path in (
        Path(__file__).resolve().parents[2] / "migrations",
        Path(__file__).resolve().parent / "migrations",
    )
    if path.name == "migrations" and (path.is_dir() or path.parent.name == "macmeter")
)

_POOL_SECONDS = 3.0
# A lock that a reader waits for is a migration's or an administrator's.
_READING = (
    "-c statement_timeout=15s -c lock_timeout=5s -c default_transaction_read_only=on "
    "-c client_connection_check_interval=1s"
)


def normalise(url: str) -> str:
    """`url` with the one driver we use; postgres:// and postgresql:// mean the same."""
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            return "postgresql+psycopg://" + url.removeprefix(scheme)
    return url


def engine(url: str, *, pool_size: int = 10, options: str = "") -> AsyncEngine:
    """An engine whose connections answer in UTC and give up on a statement after a minute.

    Whoever gets no connection within seconds is refused rather than kept waiting.
    """
    return create_async_engine(
        normalise(url),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS,
        connect_args={
            "options": f"-c timezone=UTC -c statement_timeout=60s {options}",
            "connect_timeout": 5,
        },
    )


def reading_engine(url: str, *, pool_size: int = 6) -> AsyncEngine:
    """An engine for what anybody may ask: bounded in time, and unable to write."""
    return engine(url, pool_size=pool_size, options=_READING)


def migrate(url: str, revision: str = "head") -> None:
    """Bring the schema to `revision`; quick when it is there already."""
    blocking = create_engine(normalise(url))
    try:
        with blocking.begin() as connection:
            command.upgrade(_config(connection), revision)
    finally:
        blocking.dispose()


def _config(connection: Connection) -> Config:
    config = Config(MIGRATIONS / "alembic.ini")
    config.attributes["connection"] = connection
    return config
