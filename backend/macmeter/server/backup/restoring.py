"""`macmeter-server restore`: replace the database's contents with a backup's, or change nothing."""

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sqlalchemy import Connection, text

from macmeter import models
from macmeter.platform import database
from macmeter.platform.progress import Progress, number_of
from macmeter.runs.transfer.files import InputError
from macmeter.server.backup.archive import Backup
from macmeter.server.backup.making import tables
from macmeter.server.backup.programs import feed, output, put, running

_RESTORE = ("--no-owner", "--no-privileges", "--schema=public", "--exit-on-error", "--file=-")
_SQL = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}", "--file=-")
# Contents that a restore must not delete unasked. A server that was only started has published
# runs.
_OCCUPIED = {
    "runs": "SELECT count(*) FROM runs WHERE source <> 'published'",
    "tokens": "SELECT count(*) FROM tokens",
    "comparisons": "SELECT count(*) FROM comparisons",
}
_OTHERS = text("""
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
        AND pid <> pg_backend_pid()
""")
_CLOSING_SECONDS = 2.0
# Drops everything in the schema, except what belongs to an extension or goes with its table. All
# names are collected before anything is dropped: a table takes its views along, and those have no
# name then.
_CLEAR = """
    DO $$
    DECLARE
        commands text[] := ARRAY(
            SELECT format('DROP %s IF EXISTS %s CASCADE', CASE relkind
                    WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                    WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
                FROM pg_class c
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = c.oid AND d.deptype IN ('a', 'e', 'i'))
            UNION ALL
            SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc p
                WHERE pronamespace = 'public'::regnamespace
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = p.oid AND d.deptype = 'e')
            UNION ALL
            SELECT format('DROP TYPE IF EXISTS %s CASCADE', oid::regtype) FROM pg_type t
                WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = t.oid AND d.deptype = 'e')
        );
        command text;
    BEGIN
        FOREACH command IN ARRAY commands LOOP
            EXECUTE command;
        END LOOP;
    END
    $$
"""


def restore(url: str, path: Path, *, replace: bool, confirmed: bool) -> None:
    """Restore a backup in one transaction, then migrate its schema.

    Raise InputError, with nothing changed, if the backup is damaged or of a newer version, if the
    database holds something and nobody agreed to `replace` it, or if a server runs on it.
    """
    backup = Backup(path)
    if not database.knows_revision(backup.manifest.revision):
        raise InputError(
            f"{path} was made by a newer version ({backup.manifest.made_by}, schema "
            f"{backup.manifest.revision}): restore it with that version or a newer one."
        )
    _require_replaceable(url, backup, replace=replace, confirmed=confirmed)
    check(backup, Progress("restore: checking the file", "MB"))
    _load(url, backup)
    database.migrate(url)
    # Makes followers of the change log, and PostgreSQL's planner, read all tables once.
    with database.begun(url) as connection:
        connection.execute(text("UPDATE change_log SET cluster = NULL"))
        connection.execute(text("ANALYZE"))
    runs = number_of(backup.manifest.tables.get("runs", 0), "run")
    print(f"restore: {runs} as of {backup.manifest.made_at:%Y-%m-%d %H:%M:%S} UTC", file=sys.stderr)


def check(backup: Backup, progress: Progress) -> None:
    """Read the whole dump. Raise InputError if it is not what its manifest says."""
    for _ in backup.dump(lambda done: progress.show(done // 1_000_000, done / backup.size)):
        pass
    progress.clear()


def _require_replaceable(url: str, backup: Backup, *, replace: bool, confirmed: bool) -> None:
    with database.begun(url) as connection:
        if not _is_alone(connection):
            raise InputError(
                "the database is in use: stop the servers on it and whatever else is connected."
            )
        held = _held(connection, {*backup.manifest.tables})
    if not held:
        return
    if not replace:
        raise InputError(f"the database holds {held}: --replace deletes all of it.")
    if not confirmed and not _agreed(f"This deletes {held}."):
        raise InputError("nothing was changed; --yes answers the question beforehand.")


def _is_alone(connection: Connection) -> bool:
    """Return whether nobody else is connected.

    PostgreSQL shows a connection for a moment after its client has closed it, so wait for that.
    """
    until = time.monotonic() + _CLOSING_SECONDS
    while connection.scalar(_OTHERS):
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
        connection.execute(text("SELECT pg_stat_clear_snapshot()"))
    return True


def _held(connection: Connection, restored: set[str]) -> str:
    """Describe what a restore would delete. Empty if the database holds nothing that matters.

    Raise InputError if it has tables that are not Macmeter's.
    """
    present = set(tables(connection))
    foreign = sorted(present - set(models.Base.metadata.tables) - restored - {"alembic_version"})
    if foreign or (present and database.current_revision(connection) is None):
        names = ", ".join(foreign or sorted(present))
        raise InputError(
            f"the database has tables that are not Macmeter's ({names}): restore into one that is "
            "Macmeter's alone."
        )
    counts = {
        what: connection.scalar(text(query)) for what, query in _OCCUPIED.items() if what in present
    }
    return ", ".join(number_of(n, what.removesuffix("s")) for what, n in counts.items() if n)


def _agreed(what: str) -> bool:
    if not sys.stdin.isatty():
        return False
    print(f"{what} Type yes to go on: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() == "yes"


def _load(url: str, backup: Backup) -> None:
    """Load the dump in one transaction, and commit once pg_restore has succeeded.

    `psql --single-transaction` would take our own end for the end of a whole input, and commit.
    """
    progress = Progress("restore", "MB")

    def show(done: int) -> None:
        progress.show(done // 1_000_000, done / backup.size)

    with running("psql", _SQL, url, takes_input=True) as loading:
        put(loading, f"SET client_min_messages = warning;\nBEGIN;\n{_CLEAR};\n".encode())
        with (
            ThreadPoolExecutor(1) as thread,
            running("pg_restore", _RESTORE, takes_input=True) as unpacking,
        ):
            feeding = thread.submit(feed, unpacking, backup.dump(show))
            for chunk in output(unpacking):
                put(loading, chunk)
            feeding.result()
        put(loading, b"COMMIT;\n")
    progress.clear()
