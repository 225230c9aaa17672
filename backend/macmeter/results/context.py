"""What a query reads from: a transaction and a scope, and for many runs the data set; and how far
a replica lags behind.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal, Scope, scope_of
from macmeter.results.dataset.mirror import snapshot_of
from macmeter.results.dataset.snapshot import Snapshot


@dataclass(frozen=True)
class ReadContext:
    """A reader's transaction, for reading single runs or those of one machine."""

    connection: AsyncConnection
    scope: Scope


@dataclass(frozen=True)
class Reading(ReadContext):
    """A read context with the transaction's data set, for selecting and counting among all runs."""

    data: Snapshot


async def begin(connection: AsyncConnection, reader: Principal | None) -> ReadContext:
    """Return the context for reading in the current transaction of `connection`."""
    return ReadContext(connection, await scope_of(connection, reader))


async def begin_reading(connection: AsyncConnection, reader: Principal | None) -> Reading:
    """Return the context with the data set; the transaction must be REPEATABLE READ."""
    data = await snapshot_of(connection)
    return Reading(connection, await scope_of(connection, reader), data)


_WRITTEN = text("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn WHERE NOT pg_is_in_recovery()")
_REPLAYED = text("""
    SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn AS bytes,
        coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::float8 AS seconds
    WHERE pg_is_in_recovery()
""")


@dataclass(frozen=True)
class ReplicaLag:
    """Lag of a replica behind its primary."""

    bytes: int
    """Bytes of the write-ahead log."""
    seconds: float
    """Time since its last replayed commit; 0 if it has them all."""


async def replica_lag(writing: AsyncConnection, reading: AsyncConnection) -> ReplicaLag | None:
    """Return the replica's lag; None if the read database isn't a replica."""
    written = (await writing.execute(_WRITTEN)).scalar()
    replayed = (await reading.execute(_REPLAYED)).one_or_none()
    if written is None or replayed is None:
        return None
    missing = max(int(written - replayed.bytes), 0)
    return ReplicaLag(missing, replayed.seconds if missing else 0.0)


# A replica that is connected and has replayed everything received is up to date.
_AS_OF = text("""
    SELECT CASE
        WHEN NOT pg_is_in_recovery() THEN NULL
        WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
            AND EXISTS (SELECT pid FROM pg_stat_wal_receiver) THEN NULL
        ELSE pg_last_xact_replay_timestamp()
    END
""")


async def as_of(connection: AsyncConnection, now: datetime) -> datetime:
    """Return the time that answers from `connection` represent: a lagging replica's last
    transaction, or the start of a shared snapshot.
    """
    assert connection.sync_connection is not None
    options = connection.sync_connection.get_execution_options()
    now = min(now, options.get("moment", now))
    if not options.get("replica"):
        return now
    replayed: datetime | None = (await connection.execute(_AS_OF)).scalar()
    return min(replayed, now) if replayed is not None else now
