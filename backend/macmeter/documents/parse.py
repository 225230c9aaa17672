"""Parsing of a document's bytes to a RunDocument, or a Problem that names every refused field."""

from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec

from macmeter import Json
from macmeter.documents.contradictions import contradictions, unknown_metrics
from macmeter.documents.document import RunDocument
from macmeter.documents.faults import field_errors
from macmeter.documents.read import (
    MAX_ERRORS,
    MAX_STRING,
    is_integer,
    read_json,
)
from macmeter.documents.series import PreparedSeries, prepare_series
from macmeter.platform.errors import FieldError, Problem

MAX_CLOCK_AHEAD = timedelta(minutes=10)

_decoder = msgspec.json.Decoder(RunDocument)
_encoder = msgspec.json.Encoder()


class Parsed(NamedTuple):
    """A document, and its series in the form that `derive` takes."""

    document: RunDocument
    series: list[PreparedSeries]


def parse(content: bytes, *, now: datetime) -> Parsed:
    """Parse an uploaded document; raise a Problem that names every refused field."""
    document = _parse_unambiguous(content)
    if document is None:
        document = _convert(read_json(content))
    series = prepare_series(document)
    if errors := list(contradictions(document, series)):
        raise _invalid_document(errors)
    _check_clock(document, now)
    return Parsed(document, series)


def parse_stored(content: bytes) -> Parsed:
    """Parse a stored document, which may have been accepted by an older server's rules.

    Raise a Problem for what no server accepted, and for a metric that has left the catalogue.
    """
    try:
        document = _decoder.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _invalid_document(
            [FieldError("", "unreadable", f"It can't be read: {error}.")]
        ) from None
    series = prepare_series(document)
    if unknown := list(unknown_metrics(series)):
        raise _invalid_document(unknown)
    return Parsed(document, series)


def _parse_unambiguous(content: bytes) -> RunDocument | None:
    """Parse a document whose text can't be read in two ways; None in case of doubt, for
    `read_json`, which costs five times as much.

    Without a backslash, strings are literal, so none hides a control character or a quote. The
    decoder drops duplicate keys, unknown members and nulls: each of these leaves fewer colons when
    the document is encoded again.
    """
    if b"\\" in content:
        return None
    try:
        document = _decoder.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    if _encoder.encode(document).count(b":") != content.count(b":"):
        return None
    return document if _are_plain(document.method.parameters or {}) else None


def _are_plain(parameters: Json) -> bool:
    """Whether a method's parameters, the only untyped part, are strings and numbers."""
    return all(len(key) <= MAX_STRING and _is_plain(value) for key, value in parameters.items())


def _is_plain(value: Any) -> bool:
    if isinstance(value, str):
        return len(value) <= MAX_STRING
    return isinstance(value, float) or (isinstance(value, int) and is_integer(value))


def _convert(value: Any) -> RunDocument:
    if not isinstance(value, dict):
        raise _invalid_document(
            [FieldError("", "not_an_object", "A run document must be a JSON object.")]
        )
    try:
        return msgspec.convert(value, RunDocument)
    except msgspec.ValidationError:
        raise _invalid_document(list(field_errors(value))) from None


def _invalid_document(errors: list[FieldError]) -> Problem:
    first = errors[0]
    detail = f"{first.pointer or 'The document'}: {first.detail}"
    if len(errors) > 1:
        detail += f" (and {len(errors) - 1} more)"
    return Problem(422, first.code, "Invalid document", detail, errors[:MAX_ERRORS])


def _check_clock(document: RunDocument, now: datetime) -> None:
    for name, time in (("started_at", document.started), ("finished_at", document.finished)):
        if time is not None and time > now + MAX_CLOCK_AHEAD:
            detail = (
                "This time is ahead of the server's clock. Set the Mac's clock and send it again."
            )
            raise Problem(
                422,
                "clock_ahead",
                "Clock ahead",
                detail,
                [FieldError(f"/{name}", "clock_ahead", detail)],
                extra={"server_time": now.astimezone(UTC).isoformat()},
            )
