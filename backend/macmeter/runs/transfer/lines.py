"""Files of runs: numbered lines, and batches of these, which a thread reads ahead."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from macmeter.documents.read import MAX_DOCUMENT_BYTES
from macmeter.platform.isolation import reason_of
from macmeter.runs.transfer.compressed import Reader
from macmeter.runs.transfer.files import InputError

# A document in an exported line has some hundred bytes around it, and readers' doubts.
LONGEST_LINE = MAX_DOCUMENT_BYTES + 512 * 1024
_CHUNK = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ONE_A_LINE = "A line holds one run document; `jq -c` writes them so"
CORPUS_COLUMN = b"run_id,"


@dataclass(frozen=True)
class Line:
    """`content` is None for a line longer than any document, which isn't kept."""

    number: int
    content: bytes | None


def numbered(reader: Reader) -> Iterator[Line]:
    """Yield the non-blank lines. InputError if the first shows that this isn't NDJSON."""
    first = True
    for number, content in enumerate(_split(reader), start=1):
        if content is not None:
            content = content.removesuffix(b"\r")
            if number == 1:
                content = content.removeprefix(_BYTE_ORDER_MARK)
            if not content.strip():
                continue
            if first:
                _require_ndjson(reader.name, content)
        first = False
        yield Line(number, content)


def _split(reader: Reader) -> Iterator[bytes | None]:
    line, too_long = bytearray(), False
    while chunk := reader.read(_CHUNK):
        *ended, rest = chunk.split(b"\n")
        for piece in ended:
            too_long = too_long or len(line) + len(piece) > LONGEST_LINE
            yield None if too_long else bytes(line) + piece
            line.clear()
            too_long = False
        line += rest
        if len(line) > LONGEST_LINE:
            too_long = True
            line.clear()
    if line or too_long:
        yield None if too_long else bytes(line)


def _require_ndjson(name: str, line: bytes) -> None:
    text = line.strip()
    if text.startswith(CORPUS_COLUMN):
        what = "is a corpus of results: summaries, not the run documents"
        raise InputError(f"{name} {what}. `macmeter-server export` writes documents.")
    if text.startswith(b"["):
        raise InputError(f"{name} is a JSON array, not NDJSON. {_ONE_A_LINE}: jq -c '.[]' FILE")
    if not text.startswith(b"{"):
        raise InputError(f"{name} is not NDJSON: line 1 holds no JSON object. {_ONE_A_LINE}.")
    if not text.endswith(b"}"):
        raise InputError(f"{name} is not NDJSON: line 1 ends early. {_ONE_A_LINE}: jq -c . FILE")


STDIN = "-"
# Runs per transaction: enough to share its commit, few enough to keep several batches in memory.
BATCH_LINES = 250
_BATCH_BYTES = 4 * 1024 * 1024
# Batches to read ahead while others are stored.
_AHEAD = 2


@dataclass(frozen=True)
class Batch:
    """Lines of one file; `position` is the number of bytes read so far of all files."""

    file: str
    lines: list[Line]
    position: int


@contextlib.contextmanager
def opened(name: str) -> Iterator[Reader]:
    """Open a file of runs, or standard input for `-`. InputError if it can't be read."""
    try:
        # Unbuffered: a thread that waits for input must not hold a buffer's lock.
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
    """Return the total size; None if it can't be known in advance."""
    if any(not Path(name).is_file() for name in files):
        return None
    return sum(Path(name).stat().st_size for name in files)


async def batches(files: Sequence[str]) -> AsyncIterator[Batch | InputError]:
    """Yield batches in order; a file that fails is reported, and the next one follows."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[Batch | InputError | None] = asyncio.Queue(_AHEAD)

    def put(item: Batch | InputError | None) -> None:
        asyncio.run_coroutine_threadsafe(queue.put(item), loop).result()

    def read() -> None:
        # The loop may have closed, so that nobody needs the rest.
        with contextlib.suppress(RuntimeError, asyncio.CancelledError):
            for item in _batches(files):
                put(item)
            put(None)

    threading.Thread(target=read, name="read-files", daemon=True).start()
    while item := await queue.get():
        yield item


def _batches(files: Sequence[str]) -> Iterator[Batch | InputError]:
    offset = 0
    for name in files:
        try:
            with opened(name) as reader:
                for lines in _gathered(reader):
                    yield Batch(reader.name, lines, offset + reader.position)
                offset += reader.position
        except InputError as error:
            yield error
        except Exception as error:  # files may contain anything: continue with the next
            yield InputError(f"{name}: {reason_of(error)}")


def _gathered(reader: Reader) -> Iterator[list[Line]]:
    """Yield batches, including what was read before an error."""
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
