"""`macmeter-server export`: the runs of one moment, with everything needed to import them again."""

import hashlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import ColumnElement, Connection, Row, Text, and_, cast, exists, func, select

from macmeter.accounts.scope import COMMONS
from macmeter.accounts.visibility import visible
from macmeter.catalog.terms import Term
from macmeter.documents.compression import DamagedError, uncompressed
from macmeter.models import RETENTION, Document, Doubt, Fleet, Machine, Run, Token
from macmeter.platform import database
from macmeter.platform.demo import find as find_demo
from macmeter.platform.isolation import Isolated
from macmeter.platform.progress import Progress, number_of
from macmeter.results.filters import matches
from macmeter.runs.transfer import compressed, record
from macmeter.runs.transfer.files import created
from macmeter.runs.transfer.owners import fleet_named
from macmeter.runs.transfer.record import ExportMetadata

_ROWS_PER_FETCH = 200
_COMPRESSION_BY_SUFFIX = {".gz": "gzip", ".zst": "zstd"}


@dataclass(frozen=True)
class ExportSelection:
    """Runs to export; never published figures, which every server has already."""

    terms: tuple[Term, ...] = ()
    fleet: str | None = None
    public: bool = False


def export(url: str, target: str, compression: str | None, selection: ExportSelection) -> int:
    """Write the runs; return the number of those left out because their documents are damaged.

    Without `compression` the target's suffix decides: .gz, .zst, or neither.
    """
    compression = compression or _COMPRESSION_BY_SUFFIX.get(Path(target).suffix, "plain")
    with (
        database.begun(url, isolation_level="REPEATABLE READ") as connection,
        created(target) as raw,
        compressed.written(raw, compression) as lines,
    ):
        return _Export(connection, selection).write(lines)


class _Export:
    """Export of one snapshot's runs."""

    def __init__(self, connection: Connection, selection: ExportSelection) -> None:
        """Prepare the export; InputError if the fleet doesn't exist."""
        self._connection = connection
        self._where = _condition(connection, selection)
        self._demo = find_demo(connection) is not None
        self._doubts = _doubts(connection)
        # A public export must not reveal who owns a machine.
        self._proofs = {} if selection.public else _proofs(connection)

    def write(self, lines: BinaryIO) -> int:
        counted = select(func.count()).select_from(Run).where(self._where)
        total = self._connection.scalar(counted) or 0
        progress = Progress("export", "runs")
        done, damaged = 0, Isolated("export", quiet=True)
        for row in self._rows():
            with damaged.item(f"run {row.run_id}"):
                lines.write(self._line(row))
                done += 1
            progress.show(done, done / total)
        for run, reason in damaged.failed.items():
            progress.say(f"export: {run}: {reason}; left out")
        progress.say(f"export: {number_of(done, 'run')} written")
        return len(damaged.failed)

    def _line(self, row: Row[Any]) -> bytes:
        content = uncompressed(row.compressed)
        if hashlib.sha256(content).digest() != row.sha256:
            raise DamagedError("its document is damaged")
        return record.to_line(content, self._metadata(row)) + b"\n"

    def _rows(self) -> Iterator[Row[Any]]:
        """Yield rows in the order of their keys, so that equal runs give equal files."""
        same_run = and_(Document.machine_id == Run.machine_id, Document.run_id == Run.run_id)
        query = (
            select(Run.machine_id, Run.run_id, Run.received_at, Run.visibility)
            .add_columns(Document.sha256, Document.compressed)
            .add_columns(Run.withdrawn_at, Run.withdrawn_by, Run.withdrawn_reason)
            .add_columns(Fleet.name.label("fleet"), Fleet.visibility.label("fleet_visibility"))
            .join(Document, same_run)
            .outerjoin(Fleet, Fleet.fleet_id == Run.fleet_id)
            .where(self._where)
            .order_by(Run.machine_id, Run.run_id)
        )
        yield from self._connection.execute(query, execution_options={"yield_per": _ROWS_PER_FETCH})

    def _metadata(self, row: Row[Any]) -> ExportMetadata:
        fleet = None
        if row.fleet is not None:
            fleet = record.Fleet(name=row.fleet, visibility=row.fleet_visibility)
        return ExportMetadata(
            sha256=row.sha256.hex(),
            received_at=row.received_at,
            visibility=row.visibility,
            fleet=fleet,
            withdrawn=record.Withdrawal.of(row) if row.withdrawn_at is not None else None,
            doubts=[record.Doubt.of(doubt) for doubt in self._doubts.get(row.run_id, ())],
            demo=self._demo,
            token_sha256=self._proofs.get(row.machine_id),
        )


def _condition(connection: Connection, selection: ExportSelection) -> ColumnElement[bool]:
    conditions = [
        Run.source != "published",
        matches(selection.terms),
        # Excludes runs that a fleet's retention withdrew or reduced to medians.
        Run.withdrawn_by.is_distinct_from(RETENTION),
        exists()
        .where(
            Document.machine_id == Run.machine_id,
            Document.run_id == Run.run_id,
            Document.compressed.is_not(None),
        )
        .correlate(Run),
    ]
    if selection.public:
        conditions.append(visible(COMMONS))
    if selection.fleet is not None:
        conditions.append(Run.fleet_id == fleet_named(connection, selection.fleet).fleet_id)
    return and_(*conditions)


def _doubts(connection: Connection) -> dict[uuid.UUID, list[Any]]:
    """Return doubts by run. There are few: one address may report thirty per hour."""
    doubts: dict[uuid.UUID, list[Any]] = {}
    query = select(Doubt.run_id, cast(Doubt.doubt_id, Text).label("doubt_id"), Doubt.reason)
    query = query.add_columns(Doubt.created_at, Doubt.decision, Doubt.answer, Doubt.decided_at)
    for row in connection.execute(query.order_by(Doubt.created_at, Doubt.doubt_id)):
        doubts.setdefault(row.run_id, []).append(row)
    return doubts


def _proofs(connection: Connection) -> dict[uuid.UUID, str]:
    """Return the hash of each machine's own token."""
    bound = select(Machine.machine_id, Token.secret_sha256)
    rows = connection.execute(bound.join(Token, Token.token_id == Machine.bound_token_id))
    return {row.machine_id: row.secret_sha256.hex() for row in rows}
