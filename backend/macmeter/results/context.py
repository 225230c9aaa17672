"""A transaction and a scope, from which everything is read; with the data set, for many runs.

And how far what is read is behind what is written, where a replica is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Asker, Scope, scope_of
from macmeter.results.dataset.mirror import snapshot_of
from macmeter.results.dataset.snapshot import Snapshot


@dataclass(frozen=True)
class Moment:
    """Whoever asks, at one moment: enough to read some runs, by their ids or of one machine."""

    connection: AsyncConnection
    scope: Scope


@dataclass(frozen=True)
class Reading(Moment):
    """With the data set as the transaction sees it: to choose among all runs, and count them."""

    data: Snapshot


async def begin(connection: AsyncConnection, reader: Asker | None) -> Moment:
    """All that is read through it is of the one transaction of `connection`."""
    return Moment(connection, await scope_of(connection, reader))


async def begin_reading(connection: AsyncConnection, reader: Asker | None) -> Reading:
    """`connection` is in a transaction of isolation REPEATABLE READ."""
    data = await snapshot_of(connection)
    return Reading(connection, await scope_of(connection, reader), data)


_WRITTEN = text("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn WHERE NOT pg_is_in_recovery()")
_REPLAYED = text("""
    SELECT pg_last_wal_replay_lsn() - '0/0'::pg_lsn AS bytes,
        coalesce(extract(epoch FROM now() - pg_last_xact_replay_timestamp()), 0)::float8 AS seconds
    WHERE pg_is_in_recovery()
""")


@dataclass(frozen=True)
class Behind:
    """A replica behind its primary."""

    bytes: int
    """Of the write-ahead log."""
    seconds: float
    """Since the last transaction that it has was committed; 0 where it has them all."""


async def behind(writing: AsyncConnection, reading: AsyncConnection) -> Behind | None:
    """None if the database that is read isn't a replica."""
    written = (await writing.execute(_WRITTEN)).scalar()
    replayed = (await reading.execute(_REPLAYED)).one_or_none()
    if written is None or replayed is None:
        return None
    missing = max(int(written - replayed.bytes), 0)
    return Behind(missing, replayed.seconds if missing else 0.0)


# While the log comes in and all of it is replayed, a replica has what there is.
_AS_OF = text("""
    SELECT CASE
        WHEN NOT pg_is_in_recovery() THEN NULL
        WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn()
            AND EXISTS (SELECT pid FROM pg_stat_wal_receiver) THEN NULL
        ELSE pg_last_xact_replay_timestamp()
    END
""")


async def as_of(connection: AsyncConnection, now: datetime) -> datetime:
    """The moment that answers from `connection` are of: of a replica that is behind, its last
    transaction's; and of a transaction that others have read of, when it began.
    """
    assert connection.sync_connection is not None
    options = connection.sync_connection.get_execution_options()
    now = min(now, options.get("moment", now))
    if not options.get("replica"):
        return now
    found: datetime | None = (await connection.execute(_AS_OF)).scalar()
    return min(found, now) if found is not None else now
