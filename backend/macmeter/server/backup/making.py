"""`macmeter-server backup`: the whole database in one snapshot, while the server runs."""

import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection, text

from macmeter.platform import database
from macmeter.platform.progress import Progress, number_of
from macmeter.runs.transfer.files import InputError, created
from macmeter.server.backup.archive import Manifest, dump_writer, write_manifest
from macmeter.server.backup.programs import output, running

_PG_DUMP_OPTIONS = (
    "--format=custom",
    "--compress=none",
    "--no-owner",
    "--no-privileges",
    "--schema=public",
)


# Tables of a Macmeter database, whatever version made it.
_TABLES = text("""
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname
""")


def backup(url: str, target: Path) -> Path:
    """Write a backup to the file `target`, or under a name with the time into that directory.

    The schema stays as it is: before an upgrade it is the older version's.
    """
    now = datetime.now(UTC)
    if target.is_dir():
        target = target / f"macmeter-{now:%Y-%m-%dT%H%M%SZ}.backup"
    if not target.parent.is_dir():
        raise InputError(f"{target}: there is no directory {target.parent}.")
    with database.begun(url, isolation_level="REPEATABLE READ") as connection:
        revision = database.current_revision(connection)
        if revision is None:
            raise InputError("the database holds nothing of Macmeter's.")
        with created(str(target)) as file:
            rows = _write(connection, url, file, revision, now)
    size = target.stat().st_size / 1_000_000
    runs = number_of(rows.get("runs", 0), "run")
    print(f"backup: {runs}, {size:,.1f} MB in {target}", file=sys.stderr)
    return target


def _write(
    connection: Connection, url: str, file: BinaryIO, revision: str, now: datetime
) -> dict[str, int]:
    """Write a backup of this connection's snapshot. Return its rows by table."""
    snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
    progress = Progress("backup", "MB")
    with (
        dump_writer(file) as dump,
        running("pg_dump", [*_PG_DUMP_OPTIONS, f"--snapshot={snapshot}"], url) as program,
    ):
        for chunk in output(program):
            dump.write(chunk)
            progress.show(dump.written // 1_000_000, None)
        digest = dump.finish()
    progress.clear()
    rows = {table: count(connection, table) for table in tables(connection)}
    manifest = Manifest(
        made_at=now,
        made_by=f"macmeter {version('macmeter')}",
        postgresql=str(connection.scalar(text("SHOW server_version"))),
        revision=revision,
        tables=rows,
        dump_bytes=dump.written,
        dump_sha256=digest,
    )
    write_manifest(file, manifest)
    return rows


def tables(connection: Connection) -> list[str]:
    return list(connection.scalars(_TABLES))


def count(connection: Connection, table: str) -> int:
    """Count the rows of a table that `tables` has named."""
    quoted = connection.dialect.identifier_preparer.quote(table)
    counted = connection.scalar(text(f"SELECT count(*) FROM {quoted}"))  # noqa: S608
    return int(counted or 0)
