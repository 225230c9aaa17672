"""The lines of NDJSON files, with the numbers that an editor shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter.documents.read import MAX_DOCUMENT_BYTES
from macmeter.transfer.compressed import Reader
from macmeter.transfer.errors import InputError

# A document in an exported line has some hundred bytes around it, and doubts of its readers.
LONGEST_LINE = MAX_DOCUMENT_BYTES + 512 * 1024
_CHUNK = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_ONE_A_LINE = "A line holds one run document; `jq -c` writes them so"
CORPUS_COLUMN = b"run_id,"


@dataclass(frozen=True)
class Line:
    """`content` is None for a line longer than any document: it was not kept."""

    number: int
    content: bytes | None


def numbered(reader: Reader) -> Iterator[Line]:
    """The lines that hold something. InputError when the first shows that this isn't NDJSON."""
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
    kept, too_long = bytearray(), False
    while chunk := reader.read(_CHUNK):
        *ended, rest = chunk.split(b"\n")
        for part in ended:
            too_long = too_long or len(kept) + len(part) > LONGEST_LINE
            yield None if too_long else bytes(kept) + part
            kept.clear()
            too_long = False
        kept += rest
        if len(kept) > LONGEST_LINE:
            too_long = True
            kept.clear()
    if kept or too_long:
        yield None if too_long else bytes(kept)


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
