"""The corpus as files that grow while they are sent: CSV and Parquet."""

from __future__ import annotations

import asyncio
import csv
import io
import os
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from datetime import datetime
from typing import Any, BinaryIO, cast

from arro3.core import Array, DataType, Field, RecordBatch, RecordBatchReader, Schema
from arro3.io import write_parquet

from macmeter.isolation import Isolated
from macmeter.licence import LICENCE
from macmeter.queries.export import cell
from macmeter.reading.corpus import COLUMNS, VERSION, Column, Line, Page, Value, lines

Pages = AsyncIterator[Page]

_CHUNK = 64 * 1024
# What the writer holds before it lets go of it.
_ROW_GROUP = 10_000
_TYPES = {
    "text": DataType.utf8(),
    "number": DataType.float64(),
    "boolean": DataType.bool(),
    "time": DataType.timestamp("us", tz="UTC"),
}


def metadata_of(made_at: datetime, unreadable: int, *, demo: bool) -> dict[str, str]:
    """A Parquet file's own metadata."""
    said = {
        "macmeter.version": VERSION,
        "macmeter.licence": LICENCE["name"],
        "macmeter.licence_text": LICENCE["text"],
        "macmeter.made_at": made_at.isoformat(timespec="seconds"),
        "macmeter.unreadable_runs": str(unreadable),
    }
    return {**said, "macmeter.demo": "true"} if demo else said


async def as_csv(pages: Pages, isolated: Isolated) -> AsyncGenerator[bytes]:
    """RFC 4180, UTF-8; figures in SI base units, absent ones empty."""
    yield _written([tuple(column.name for column in COLUMNS)])
    async for page in pages:
        # Arithmetic over thousands of samples: not while others wait for the event loop.
        yield await asyncio.to_thread(_csv, page, isolated)


def _csv(page: Page, isolated: Isolated) -> bytes:
    return _written(lines(page, isolated, _as_text))


def _as_text(_: Column, value: Value) -> Any:
    return cell(_written_as(value) if isinstance(value, str) else value)


def _written_as(text: str) -> str:
    """UnicodeError for what UTF-8 has no bytes for: one cell would be the end of its file."""
    if not text.isascii():
        text.encode()
    return text


def _written(found: list[Line]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows(found)
    return text.getvalue().encode()


async def as_parquet(
    pages: Pages, metadata: dict[str, str], isolated: Isolated
) -> AsyncGenerator[bytes]:
    """Parquet, as its writer makes it in a thread of its own.

    Through a pipe, which holds the writer up when the reader is slow, and breaks under it when
    the reader has gone.
    """
    loop = asyncio.get_running_loop()
    source, end = os.pipe()
    reader = asyncio.StreamReader(limit=_CHUNK)
    transport, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb")
    )

    async def following() -> Page | None:
        return await anext(pages, None)

    def batches(sink: _Sink) -> Iterator[RecordBatch]:
        while page := asyncio.run_coroutine_threadsafe(following(), loop).result():
            if sink.broken:
                return
            if found := lines(page, isolated, _typed):
                yield _batch(found)

    def write() -> None:
        with _Sink(end) as sink:
            write_parquet(
                RecordBatchReader.from_batches(SCHEMA, batches(sink)),
                cast(BinaryIO, sink),
                compression="zstd(3)",
                max_row_group_size=_ROW_GROUP,
                key_value_metadata=metadata,
            )

    writing = loop.run_in_executor(None, write)
    try:
        while chunk := await reader.read(_CHUNK):
            yield chunk
        await writing  # a file that broke off must not look like one that ended
    finally:
        transport.close()
        writing.add_done_callback(_forget)


class _Sink(io.RawIOBase):
    """The writer's end of the pipe.

    Once it is broken what is written goes nowhere: the writer does not survive an error, but
    can be ended.
    """

    def __init__(self, end: int) -> None:
        self._file = os.fdopen(end, "wb", buffering=0)
        self.broken = False

    def writable(self) -> bool:
        return True

    def write(self, chunk: Any) -> int:
        left = memoryview(chunk)
        while left and not self.broken:
            try:
                left = left[self._file.write(left) :]
            except BrokenPipeError:
                self.broken = True
        return len(chunk)

    def close(self) -> None:
        self._file.close()
        super().close()


def _forget(writing: asyncio.Future[None]) -> None:
    """What failed after its reader had gone is nobody's concern."""
    if not writing.cancelled():
        writing.exception()


def _field(column: Column) -> Field:
    told = {"unit": column.unit, "about": column.about}
    metadata = {name: text for name, text in told.items() if text}
    return Field(column.name, _TYPES[column.type], nullable=True, metadata=metadata)


SCHEMA = Schema([_field(column) for column in COLUMNS])


def _batch(found: list[Line]) -> RecordBatch:
    arrays = [
        _array(column, list(values))
        for column, values in zip(COLUMNS, zip(*found, strict=True), strict=True)
    ]
    return RecordBatch.from_arrays(arrays, schema=SCHEMA)


def _array(column: Column, values: list[Any]) -> Array:
    if column.type == "time":
        return Array(values, DataType.int64()).cast(_TYPES["time"])
    return Array(values, _TYPES[column.type])


def _typed(column: Column, value: Value) -> Any:
    """As the writer takes it, which does not survive a value of another type."""
    if value is None:
        return None
    match column.type:
        case "number":
            return float(value)
        case "boolean":
            return bool(value)
        case "time":
            return int(datetime.fromisoformat(str(value)).timestamp() * 1e6)
    return _written_as(str(value))
