"""Files of the corpus, written by DuckDB in a process of its own and sent meanwhile."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Callable
from datetime import datetime
from pathlib import Path

from macmeter.dataset import frozen
from macmeter.dataset.corpus import COLUMNS, VERSION, lines
from macmeter.dataset.wording import listed, literal
from macmeter.licence import LICENCE
from macmeter.processes.process import apart_meanwhile

_CHUNK = 64 * 1024
# A group of rows is held until it is whole.
_ROW_GROUP = 20_480
CSV = f"FORMAT csv, HEADER, {frozen.IN_PLACE}"


def parquet(made_at: datetime, left_out: int, *, demo: bool, private: str | None = None) -> str:
    """How DuckDB writes Parquet, with the metadata of the file; `private` as in access/marks.py.

    What is private is under no licence.
    """
    columns = [
        {"name": one.name, "type": one.type, "unit": one.unit, "about": one.about}
        for one in COLUMNS
    ]
    said = {
        "macmeter.version": VERSION,
        "macmeter.columns": json.dumps(columns, ensure_ascii=False),
        "macmeter.made_at": made_at.isoformat(timespec="seconds"),
        "macmeter.unreadable_runs": str(left_out),
    }
    if private is None:
        said |= {"macmeter.licence": LICENCE["name"], "macmeter.licence_text": LICENCE["text"]}
    else:
        said["macmeter.private"] = private
    if demo:
        said["macmeter.demo"] = "true"
    metadata = listed(f"{literal(name)}: {literal(value)}" for name, value in said.items())
    return (
        f"FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROW_GROUP}, {frozen.IN_PLACE},"
        f" KV_METADATA {{{metadata}}}"
    )


def write(directory: Path, to: Path, how: str, where: str = "true") -> None:
    """Write what `frozen.freeze` put by in `directory`, as `CSV` or `parquet` says."""
    with frozen.opened(directory) as connection:
        rows = lines(as_csv=how == CSV, where=where)
        connection.execute(f"COPY ({rows}) TO {literal(str(to))} ({how})")


async def sent(directory: Path, how: str) -> AsyncGenerator[bytes]:
    """The same as it is written: a pipe holds the writer up while the reader is slow, and breaks
    under it when the reader has gone.
    """
    pipe = directory / "pipe"
    os.mkfifo(pipe, 0o600)
    source = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    # As long as this end is open a writer that has not begun yet is not one that has ended.
    end = os.open(pipe, os.O_WRONLY)
    writing = asyncio.ensure_future(
        apart_meanwhile("macmeter-download", write, directory, pipe, how)
    )
    writing.add_done_callback(lambda _: os.close(end))
    reader = asyncio.StreamReader(limit=_CHUNK)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(source, "rb")
    )
    ended = _lines_ended() if how == CSV else bytes
    try:
        while chunk := await reader.read(_CHUNK):
            yield ended(chunk)
        await writing  # a file that broke off must not look like one that ended
    finally:
        transport.close()
        writing.add_done_callback(_forget)


def _lines_ended() -> Callable[[bytes], bytes]:
    """Ends lines as RFC 4180 says, chunk by chunk, and leaves what is inside of quoted cells."""
    quotes = 0

    def ended(chunk: bytes) -> bytes:
        nonlocal quotes
        parts = chunk.split(b'"')
        for place in range(quotes % 2, len(parts), 2):
            parts[place] = parts[place].replace(b"\n", b"\r\n")
        quotes += len(parts) - 1
        return b'"'.join(parts)

    return ended


def _forget(writing: asyncio.Future[None]) -> None:
    """What failed after its reader had gone is nobody's concern."""
    if not writing.cancelled():
        writing.exception()
