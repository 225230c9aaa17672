"""One line of an export: a run's document, byte for byte, and what the server knew about it.

    {"schema":"macmeter.export/1","sha256":"…","received_at":"…",…,"document":{…}}

`document` is the last member and holds the uploaded bytes. A document with line breaks is in `text`
instead, as a JSON string.
"""

import hashlib
from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Row

from macmeter import Json
from macmeter.documents.document import UUID_PATTERN
from macmeter.documents.read import pointer_of
from macmeter.platform.errors import Problem, invalid, message_of

SCHEMA = "macmeter.export/1"
_LINE_START = f'{{"schema":"{SCHEMA}",'.encode()
# Precedes the document. Quotes in strings are escaped, so it can't occur in one.
_BEFORE_DOCUMENT = b',"document":'

Time = Annotated[AwareDatetime, Field(strict=False)]
Visibility = Literal["public", "private"]
FleetVisibility = Literal["public", "members", "private"]


class _Part(BaseModel):
    """Model whose fields have the names of database columns, with aliases for the line."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @classmethod
    def of(cls, row: Row[*tuple[Any, ...]]) -> Self:
        """Build a part from a row's columns of the same names."""
        values = {name: getattr(row, name) for name in cls.model_fields}
        return cls.model_validate(values, by_name=True)


class Fleet(_Part):
    name: Annotated[str, Field(min_length=1, max_length=256)]
    visibility: FleetVisibility


class Withdrawal(_Part):
    withdrawn_at: Annotated[Time, Field(alias="at")]
    withdrawn_by: Annotated[Literal["owner", "server", "quarantine"], Field(alias="by")]
    withdrawn_reason: Annotated[str, Field(alias="reason")]


class Doubt(_Part):
    doubt_id: Annotated[str, Field(pattern=UUID_PATTERN, alias="id")]
    reason: str
    created_at: Annotated[Time, Field(alias="at")]
    decision: Literal["upheld", "dismissed"] | None = None
    answer: str | None = None
    decided_at: Time | None = None


class ExportMetadata(_Part):
    """What an export says about a run besides its document."""

    schema_: Annotated[Literal["macmeter.export/1"], Field(alias="schema")] = "macmeter.export/1"
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    received_at: Time
    visibility: Visibility
    fleet: Fleet | None = None
    withdrawn: Withdrawal | None = None
    doubts: list[Doubt] = []
    demo: bool = False
    token_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    """Hash of the Mac's own token, by which it can prove its identity elsewhere."""


class Record:
    """A document and, if it comes from an export, its `metadata`."""

    __slots__ = ("content", "metadata", "sha256")

    def __init__(self, content: bytes, metadata: ExportMetadata | None = None) -> None:
        self.content = content
        self.metadata = metadata
        self.sha256 = hashlib.sha256(content).digest()


def to_line(content: bytes, metadata: ExportMetadata) -> bytes:
    """Return the line of a run, without a line break."""
    head = metadata.model_dump(mode="json", by_alias=True, exclude_none=True, exclude_defaults=True)
    start = orjson.dumps({"schema": SCHEMA, **head})[:-1]
    if b"\n" in content or b"\r" in content:
        return start + b',"text":' + orjson.dumps(content.decode()) + b"}"
    return start + _BEFORE_DOCUMENT + content + b"}"


def is_exported(line: bytes) -> bool:
    return line.startswith(_LINE_START)


def parse_line(line: bytes) -> Record:
    """Parse a line of an export, or a plain document. Raise Problem if an export was changed."""
    if is_exported(line):
        return _parse_exported(line)
    if b'"macmeter.export/1"' in line[:200]:
        raise invalid("", "The line was changed after its export.", "changed")
    return Record(line)


def _parse_exported(line: bytes) -> Record:
    head, separator, rest = line.rstrip().partition(_BEFORE_DOCUMENT)
    content = rest[:-1]
    try:
        members: Json = orjson.loads(head + b"}" if separator else line)
    except orjson.JSONDecodeError as error:
        raise Problem(400, "bad_json", "Not JSON", f"The line is not JSON: {error}.") from None
    if not separator:
        text = members.pop("text", None)
        if not isinstance(text, str):
            raise invalid("/document", "The line has no document.", "missing")
        content = text.encode()
    try:
        metadata = ExportMetadata.model_validate(members)
    except ValidationError as error:
        first = error.errors()[0]
        raise invalid(pointer_of(first["loc"]), f"{message_of(first)}.") from None
    record = Record(content, metadata)
    if record.sha256.hex() != metadata.sha256:
        detail = "The document is not the one that was exported: its SHA-256 is another."
        raise invalid("/sha256", detail, "changed")
    return record
