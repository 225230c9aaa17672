"""The log of changes to runs: following it without missing any, and pruning it.

A transaction's changes become visible when it commits, which may be long after later transactions.
So a follower keeps the snapshot up to which it has read everything; whatever that snapshot doesn't
see is new.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from sqlalchemy import Connection, text
from sqlalchemy.ext.asyncio import AsyncConnection

Kind = Literal["stored", "withdrawn", "reinstated", "deleted", "rederived", "moved"]

# A follower that was away for longer reads the tables again.
KEPT = timedelta(days=14)
_PRUNED_AT_ONCE = 10_000


@dataclass(frozen=True)
class Log:
    """The log as seen by a transaction, with other database state that answers depend on."""

    log_id: uuid.UUID
    """Identifies the log; a snapshot has no meaning in another one."""
    version: str
    """Equal versions mean equal data, in every process; each change makes a new one."""
    database: int
    """OID of the database: copies of a database have the same log id."""
    snapshot: str
    """Snapshot of this transaction: reading the tables in it covers everything up to here."""
    pruned: int
    """The last transaction whose changes were deleted."""
    replica: bool
    is_anothers: bool
    """Whether it comes from another PostgreSQL, with unrelated numbers: see `renew_if_moved`."""
    fleets: dict[uuid.UUID, str]
    """Names by id."""
    public_fleets: frozenset[uuid.UUID]

    def misses(self, snapshot: str) -> bool:
        """Whether changes that `snapshot` doesn't see were pruned: read the tables again."""
        return self.pruned >= int(snapshot.split(":")[0])

    def sees(self, snapshot: str) -> bool:
        """Whether this snapshot includes everything that `snapshot` sees; otherwise that one is
        later.
        """
        end, under_way = _ended(self.snapshot)
        its_end, its_under_way = _ended(snapshot)
        return its_end <= end and {xact for xact in under_way if xact < its_end} <= its_under_way


def _ended(snapshot: str) -> tuple[int, set[int]]:
    """Return the end of a snapshot and the transactions before it that were under way."""
    _, end, under_way = snapshot.split(":")
    return int(end), {int(xact) for xact in under_way.split(",") if xact}


@dataclass(frozen=True)
class Change:
    """A change to a run. `kind` is a hint: followers read the run's current row."""

    change_id: int
    kind: Kind
    machine_id: uuid.UUID
    run_id: uuid.UUID


@dataclass(frozen=True)
class Behind:
    """Lag of a snapshot: number of changes it doesn't see, age of the oldest in seconds."""

    changes: int
    seconds: float


# A version identifies the committed transactions: the last one in the log, earlier ones that were
# under way, and the log itself. It includes fleets, whose names appear in answers. A replica
# doesn't know which transactions are under way: there each replayed WAL record makes a version.
_OF_VERSION = """
    md5(concat_ws(
        ' ', log_id, coalesce(last.xact, pruned_xact),
        (SELECT string_agg(xact::text, ',' ORDER BY xact)
            FROM pg_snapshot_xip(pg_current_snapshot()) AS xact WHERE xact < last.xact),
        (SELECT string_agg(concat_ws(':', fleet_id, visibility, name), ',' ORDER BY fleet_id)
            FROM fleets),
        CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() END
    ))
"""
_WITH_LAST = """
    change_log LEFT JOIN LATERAL
        (SELECT xact FROM changes ORDER BY xact DESC, change_id DESC LIMIT 1) AS last ON true
"""
VERSION = f"SELECT {_OF_VERSION} FROM {_WITH_LAST}"  # noqa: S608 - made of our own words

# A replica's snapshot doesn't list the transactions under way, so everything from the first of them
# on counts as unseen.
_LOG = text(f"""
    SELECT log_id, {_OF_VERSION} AS version,
        pruned_xact::text::bigint AS pruned, pg_is_in_recovery() AS replica,
        CASE WHEN pg_is_in_recovery()
            THEN pg_snapshot_xmin(pg_current_snapshot()) || ':'
                || pg_snapshot_xmin(pg_current_snapshot()) || ':'
            ELSE pg_current_snapshot()::text END AS snapshot,
        NOT pg_is_in_recovery() AND cluster IS DISTINCT FROM (
            SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
            FROM pg_control_system()
        ) AND cluster IS NOT NULL AS is_anothers,
        (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS database,
        (SELECT json_object_agg(fleet_id, name) FROM fleets) AS fleets,
        (SELECT array_agg(fleet_id) FROM fleets WHERE visibility = 'public') AS public_fleets
    FROM {_WITH_LAST}
""")  # noqa: S608 - made of our own words
# Changes that the snapshot doesn't see.
_SINCE = """
    FROM changes
    WHERE xact >= pg_snapshot_xmin(CAST(:snapshot AS pg_snapshot))
        AND NOT pg_visible_in_snapshot(xact, CAST(:snapshot AS pg_snapshot))
"""
_CHANGES = text(f"""
    SELECT change_id, kind, machine_id, run_id {_SINCE} ORDER BY changes.xact, change_id
""")
_BEHIND = text(f"""
    SELECT count(*), coalesce(extract(epoch FROM now() - min(at)), 0)::float8 {_SINCE}
""")  # noqa: S608 - made of our own words


async def find_log(connection: AsyncConnection) -> Log:
    """Return the log, or that of `remember_log`. Needs a REPEATABLE READ transaction."""
    assert connection.sync_connection is not None
    log: Log | None = connection.sync_connection.get_execution_options().get("log")
    return log if log is not None else await _read_log(connection)


async def remember_log(connection: AsyncConnection) -> Log:
    """Read the log once for a connection that is returned to its pool when its transaction ends."""
    log = await find_log(connection)
    await connection.execution_options(log=log)
    return log


async def _read_log(connection: AsyncConnection) -> Log:
    row = (await connection.execute(_LOG)).one()._mapping
    fleets = {uuid.UUID(fleet_id): name for fleet_id, name in (row["fleets"] or {}).items()}
    public = frozenset(row["public_fleets"] or ())
    return Log(**{**row, "fleets": fleets, "public_fleets": public})


async def changes_since(connection: AsyncConnection, snapshot: str) -> list[Change]:
    """Return the changes that this transaction sees and `snapshot` doesn't, by transaction.

    On a replica some may be returned again for the next snapshot. A run's row may be newer than its
    change, never older: read it in this transaction.
    """
    rows = await connection.execute(_CHANGES, {"snapshot": snapshot})
    return [Change(*row) for row in rows]


async def behind(connection: AsyncConnection, snapshot: str) -> Behind:
    """Return how far `snapshot` is behind this transaction."""
    return Behind(*(await connection.execute(_BEHIND, {"snapshot": snapshot})).one())


_MOST_PASSED = 1_000
# Number of transactions after the given one, up to a limit, and the last one.
PASSED = f"""
    SELECT count(DISTINCT xact), max(xact::text::bigint)
    FROM (SELECT xact FROM changes WHERE xact > %s::text::xid8
        ORDER BY xact DESC, change_id DESC LIMIT {_MOST_PASSED}) AS newer
"""  # noqa: S608 - made of our own words
# The same for the last seconds, for a first check.
PASSED_OF_LATE = f"""
    SELECT count(DISTINCT xact) FILTER (WHERE at > now() - make_interval(secs => %s)),
        max(xact::text::bigint)
    FROM (SELECT xact, at FROM changes ORDER BY xact DESC, change_id DESC LIMIT {_MOST_PASSED})
        AS newest
"""  # noqa: S608 - made of our own words


# Row locking lets one server at a time renew the log if several start at once.
_ADOPT = text("""
    WITH here AS (
        SELECT system_identifier || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
            AS cluster FROM pg_control_system()
    ), began AS (
        UPDATE change_log SET cluster = here.cluster, log_id = gen_random_uuid(),
            pruned_xact = '0', pruned_change = 0, judged = NULL
        FROM here WHERE change_log.cluster IS DISTINCT FROM here.cluster
        RETURNING log_id
    )
    DELETE FROM changes WHERE EXISTS (SELECT FROM began)
""")


def renew_if_moved(connection: Connection) -> None:
    """Begin a new log if the database comes from another PostgreSQL or from an older backup.

    Transaction ids belong to a cluster: a restored database counts them from elsewhere.
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
    """Delete up to `most` changes older than `kept`; return their number."""
    return connection.execute(_PRUNE, {"kept": kept, "most": most}).scalar() or 0
