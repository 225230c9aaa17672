"""Rows of `results` as COPY takes them, in binary: a batch has ten thousand, and psycopg's adapters
took more time for their arrays than all reading of the documents.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from macmeter.ingest.derive import DerivedResult, DerivedRun

_COLUMNS = (
    "machine_id",
    "run_id",
    "series_id",
    "doubtful",
    "median",
    "samples",
    "flags",
    "printed",
    "qualifier",
)
STATEMENT = f"COPY results ({', '.join(_COLUMNS)}) FROM STDIN (FORMAT BINARY)"

_HEAD = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_END = struct.pack(">h", -1)
_UUIDS = struct.Struct(">hi16si16s")
_FIXED = struct.Struct(">ii i? id")
_ARRAY = struct.Struct(">iiiIii")
_LENGTH = struct.Struct(">i")
_NULL = _LENGTH.pack(-1)
_FLOAT8, _TEXT = 701, 25
_ELEMENT = np.dtype([("length", ">i4"), ("value", ">f8")])


def result_rows(runs: Iterable[DerivedRun], series: Iterable[int]) -> Iterator[bytes]:
    """What STATEMENT is sent: a piece a run. `series` has the numbers of all their results, in
    order.
    """
    yield _HEAD
    numbers = iter(series)
    for run in runs:
        start = _UUIDS.pack(len(_COLUMNS), 16, run.machine_id.bytes, 16, run.run_id.bytes)
        samples = _elements([sample for result in run.results for sample in result.samples])
        rows: list[bytes] = []
        place = 0
        for result in run.results:
            end = place + len(result.samples) * _ELEMENT.itemsize
            rows += start, _row(next(numbers), result, samples[place:end])
            place = end
        yield b"".join(rows)
    yield _END


def _elements(values: Sequence[float]) -> bytes:
    """Each with its length before it, as an array has them."""
    elements = np.empty(len(values), _ELEMENT)
    elements["length"] = 8
    elements["value"] = values
    return elements.tobytes()


def _row(number: int, result: DerivedResult, samples: bytes) -> bytes:
    fixed = _FIXED.pack(4, number, 1, result.doubtful, 8, result.median)
    array = _array(_FLOAT8, len(result.samples), samples)
    if not (result.flags or result.printed or result.qualifier):
        return fixed + array + 3 * _NULL
    flags = _NULL
    if result.flags is not None:
        flags = _array(_TEXT, len(result.flags), b"".join(map(_text, result.flags)))
    return fixed + array + flags + _text(result.printed) + _text(result.qualifier)


def _array(kind: int, count: int, elements: bytes) -> bytes:
    """One-dimensional, without NULLs."""
    return _ARRAY.pack(20 + len(elements), 1, 0, kind, count, 1) + elements


def _text(text: str | None) -> bytes:
    if text is None:
        return _NULL
    encoded = text.encode()
    return _LENGTH.pack(len(encoded)) + encoded
