"""Rows of `run_results` as COPY takes them, in binary."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

from macmeter.documents.derive import DerivedRun
from macmeter.documents.packing import Packed, packed
from macmeter.ingest.wire import BOOL, FLOAT8, INT4, array, jsonb

_COLUMNS = (
    "machine_id",
    "run_id",
    "series",
    "medians",
    "counts",
    "doubtful",
    "steps",
    "said",
)
STATEMENT = f"COPY run_results ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT BINARY)"

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = struct.pack(">h", -1)
_FIELDS = struct.pack(">h", len(_COLUMNS))
_LENGTH = struct.Struct(">i")


def result_rows(runs: Sequence[DerivedRun], series: Iterable[int]) -> Iterator[bytes]:
    """What STATEMENT is sent: a piece a run. `series` has the numbers of all their results, in
    order.
    """
    yield _HEAD
    for run, row in zip(runs, packed([run.results for run in runs], series), strict=True):
        yield _FIELDS + b"".join(map(_field, (run.machine_id.bytes, run.run_id.bytes, *_row(row))))
    yield _END


def _row(row: Packed) -> tuple[bytes | None, ...]:
    return (
        array(INT4, row.series),
        array(FLOAT8, row.medians),
        array(INT4, row.counts),
        array(BOOL, row.doubtful) if row.doubtful else None,
        row.steps,
        jsonb(row.said) if row.said else None,
    )


def _field(value: bytes | None) -> bytes:
    return _LENGTH.pack(-1) if value is None else _LENGTH.pack(len(value)) + value
