"""The log of what happened to runs: how it is followed without missing anything, and kept short.

A transaction's changes become visible when it commits, which may be long after others that began
later. So the log is read in the order of transactions' numbers, up to the oldest that is still
under way: below that nothing can come any more.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

Kind = Literal["stored", "withdrawn", "reinstated", "deleted", "rederived", "moved"]

# Whoever was away for longer reads the tables anew.
KEPT = timedelta(days=14)
_PRUNED_AT_ONCE = 10_000


@dataclass(frozen=True, order=True)
class Cursor:
    """The place of a change in the log, and of a reader who has read it."""

    xact: int
    change_id: int


@dataclass(frozen=True)
class Change:
    """What happened to a run. Whoever follows looks at the run as it is now: `kind` is a hint."""

    cursor: Cursor
    kind: Kind
    machine_id: uuid.UUID
    run_id: uuid.UUID
    at: datetime


class FellBehindError(Exception):
    """Changes after this cursor are no longer kept, or it is of another log: read the tables."""


# Old rows may be gone between the two parts of one statement as little as between two statements
# in this order: first what there is, then what is no longer there.
_CHANGES = text("""
    SELECT xact::text::bigint AS xact, change_id, kind, machine_id, run_id, at FROM changes
    WHERE (xact, change_id) > (CAST(CAST(:xact AS text) AS xid8), CAST(:change_id AS bigint))
        AND xact < pg_snapshot_xmin(pg_current_snapshot())
    ORDER BY changes.xact, change_id LIMIT :limit
""")
_LOG = text("""
    SELECT log_id, pruned_xact::text::bigint AS xact, pruned_change AS change_id FROM change_log
""")
_POSITION = text("SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint")


# A version is all transactions that were committed: the last one in the log, those before it that
# were under way, and which log it is. Fleets have names that answers tell. A replica does not know
# what is under way: there each record that it replays makes a version.
VERSION = """
    SELECT md5(concat_ws(
        ' ', log_id, coalesce(last.xact, pruned_xact),
        (SELECT string_agg(xact::text, ',' ORDER BY xact)
            FROM pg_snapshot_xip(pg_current_snapshot()) AS xact WHERE xact < last.xact),
        (SELECT string_agg(concat_ws(':', fleet_id, visibility, name), ',' ORDER BY fleet_id)
            FROM fleets),
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END
    ))
    FROM change_log LEFT JOIN LATERAL
        (SELECT xact FROM changes ORDER BY xact DESC, change_id DESC LIMIT 1) AS last ON true
"""


async def version_of(connection: AsyncConnection) -> str:
    """Of which version the data is that this transaction sees, or this statement in none.

    Equal versions are equal data, in whichever process; each change makes another.
    """
    found: str = (await connection.execute(text(VERSION))).scalar_one()
    return found


async def log_id(connection: AsyncConnection) -> uuid.UUID:
    """What log it is. A cursor of one log says nothing in another."""
    found: uuid.UUID = (await connection.execute(_LOG)).one().log_id
    return found


async def position(connection: AsyncConnection) -> Cursor:
    """Where whoever reads the tables in this snapshot goes on in the log.

    In a transaction of isolation REPEATABLE READ. Some changes that the tables show already may
    come again.
    """
    return Cursor((await connection.execute(_POSITION)).scalar_one(), 0)


async def read_changes(
    connection: AsyncConnection, log: uuid.UUID, after: Cursor, limit: int = 10_000
) -> list[Change]:
    """The next changes of that log after the cursor, oldest first; FellBehindError without them.

    A run's row may be newer than its change, never older: read it after this, in a later
    transaction or one that sees what is committed. A transaction that has written something and
    stays open holds the log back, whichever of the cluster's databases it is in.
    """
    asked = {"xact": str(after.xact), "change_id": after.change_id, "limit": limit}
    rows = (await connection.execute(_CHANGES, asked)).all()
    whole = (await connection.execute(_LOG)).one()
    if whole.log_id != log or after < Cursor(whole.xact, whole.change_id):
        raise FellBehindError
    return [
        Change(Cursor(row.xact, row.change_id), row.kind, row.machine_id, row.run_id, row.at)
        for row in rows
    ]


# One server after another, should several start at once.
_ADOPT = text("""
    WITH here AS (
        SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
            AS cluster FROM pg_control_system()
    ), began AS (
        UPDATE change_log SET cluster = here.cluster, log_id = gen_random_uuid(),
            pruned_xact = '0', pruned_change = 0
        FROM here WHERE change_log.cluster IS DISTINCT FROM here.cluster
        RETURNING log_id
    )
    DELETE FROM changes WHERE EXISTS (SELECT FROM began)
""")


def adopt(connection: Connection) -> None:
    """Begin a new log where the database came from another PostgreSQL, or from its own past.

    Numbers of transactions are a cluster's own: in a restored database they begin somewhere else.
    """
    connection.execute(_ADOPT)


_PRUNE = text("""
    WITH oldest AS (
        SELECT xact, change_id, at FROM changes ORDER BY xact, change_id LIMIT :most
    ), gone AS (
        DELETE FROM changes USING oldest
        WHERE changes.xact = oldest.xact AND changes.change_id = oldest.change_id
            AND oldest.at < now() - CAST(:kept AS interval)
        RETURNING changes.xact, changes.change_id
    ), last AS (
        SELECT xact, change_id FROM gone ORDER BY xact DESC, change_id DESC LIMIT 1
    )
    UPDATE change_log SET pruned_xact = last.xact, pruned_change = last.change_id FROM last
    RETURNING (SELECT count(*) FROM gone)
""")


def prune(connection: Connection, kept: timedelta = KEPT, most: int = _PRUNED_AT_ONCE) -> int:
    """Delete up to `most` changes older than `kept`; how many there were."""
    return connection.execute(_PRUNE, {"kept": kept, "most": most}).scalar() or 0
