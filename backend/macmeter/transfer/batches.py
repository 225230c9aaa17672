"""Files of runs as batches of lines, read by a thread beside whoever stores them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from macmeter.isolation import reason_of
from macmeter.transfer.compressed import Reader
from macmeter.transfer.errors import InputError
from macmeter.transfer.lines import Line, numbered

STDIN = "-"
# Runs of a transaction: enough to share its commit, few enough to be kept in memory some times.
BATCH_LINES = 250
_BATCH_BYTES = 4 * 1024 * 1024
# Batches that wait: the next ones are read while these are stored.
_AHEAD = 2


@dataclass(frozen=True)
class Batch:
    """Lines of one file; `position` is how many bytes of all files were read for it."""

    file: str
    lines: list[Line]
    position: int


@contextlib.contextmanager
def opened(name: str) -> Iterator[Reader]:
    """A file of runs, or standard input for `-`. InputError where it can't be read."""
    try:
        # Unbuffered: a thread that waits for its input holds no lock of Python's.
        raw = FileIO(0, closefd=False) if name == STDIN else FileIO(name)
    except FileNotFoundError:
        raise InputError(f"{name}: there is no such file.") from None
    except IsADirectoryError:
        raise InputError(f"{name} is a directory: name the files in it.") from None
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}.") from None
    with raw:
        yield Reader("standard input" if name == STDIN else name, raw)


def total_bytes(files: Sequence[str]) -> int | None:
    """Size of all files; None where that can't be known beforehand."""
    if any(not Path(name).is_file() for name in files):
        return None
    return sum(Path(name).stat().st_size for name in files)


async def batches(files: Sequence[str]) -> AsyncIterator[Batch | InputError]:
    """The files' lines in order; a file that breaks off is reported, and the next one follows."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Batch | InputError | None] = asyncio.Queue(_AHEAD)

    def put(item: Batch | InputError | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(item), loop).result()

    def read() -> None:
        # The loop may be gone: then nobody waits for what is read.
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):
            for item in _of_all(files):
                put(item)
            put(None)

    threading.Thread(target=read, name="read-files", daemon=True).start()
    while item := await queue.get():
        yield item


def _of_all(files: Sequence[str]) -> Iterator[Batch | InputError]:
    before = 0
    for name in files:
        try:
            with opened(name) as reader:
                for lines in _gathered(reader):
                    yield Batch(reader.name, lines, before + reader.position)
                before += reader.position
        except InputError as error:
            yield error
        except Exception as error:  # whatever a file may hold: the next one follows
            yield InputError(f"{name}: {reason_of(error)}")


def _gathered(reader: Reader) -> Iterator[list[Line]]:
    """What was read before a file breaks off is stored, too."""
    lines: list[Line] = []
    size = 0
    try:
        for line in numbered(reader):
            lines.append(line)
            size += len(line.content or b"")
            if len(lines) >= BATCH_LINES or size >= _BATCH_BYTES:
                yield lines
                lines, size = [], 0
    except InputError:
        if lines:
            yield lines
        raise
    if lines:
        yield lines
