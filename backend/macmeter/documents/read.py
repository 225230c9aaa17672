"""Reading of a request's bytes to a JSON value that every JSON reader would agree on.

JSON doesn't define duplicate keys, the range of numbers or the maximum depth; readers differ, and
each difference could silently change a measurement. Refusals name the place.
"""

import json
import math
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from macmeter import Json
from macmeter.platform.errors import FieldError, Problem, invalid

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
MAX_STRING = 256
MAX_DEPTH = 32
# Maximum number of errors in a refusal; the search stops there.
MAX_ERRORS = 20
# Several times what the fullest document holds; without limits, a few megabytes of brackets would
# take a second to build.
MAX_OBJECTS = 20_000
MAX_KEYS = 50_000
MAX_ARRAYS = 250_000
# 64-bit integers are read alike in every language, longer ones hardly in two.
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**64 - 1
_INTEGER_DIGITS = 20

# C0 controls break terminals, CSV and PostgreSQL's text; lone surrogates are not characters.
_REFUSED_CHARACTERS = re.compile("[\x00-\x1f\ud800-\udfff]")
# A string or a structural character.
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{}:,]', re.DOTALL)
_NUMBERS = {int, float}


class _Repeated(Json):
    """An object with a duplicate key."""

    key = ""


class _NoNumber(str):
    """The text of a number that is NaN, infinite or beyond 64 bits."""


def gunzip(body: bytes, limit: int = MAX_DOCUMENT_BYTES) -> bytes:
    """Decompress a body; 413 as soon as it exceeds the limit, 400 if it isn't gzip."""
    reader = zlib.decompressobj(wbits=31)
    try:
        content = reader.decompress(body, limit + 1)
    except zlib.error as error:
        raise bad_gzip("Not gzip", f"it is not: {error}") from None
    if len(content) > limit:
        raise too_large(limit)
    if not reader.eof:
        raise bad_gzip("Truncated gzip", "it ends before its end")
    if reader.unused_data:
        raise bad_gzip("More than gzip", "bytes follow its end")
    return content


def bad_gzip(title: str, what: str) -> Problem:
    detail = f"The body can't be unpacked as gzip: {what}."
    return Problem(400, "bad_gzip", title, detail)


def too_large(limit: int = MAX_DOCUMENT_BYTES) -> Problem:
    return Problem(
        413,
        "too_large",
        "Document too large",
        f"A run document can have at most {limit:,} bytes uncompressed.",
        extra={"limit": limit},
    )


def read_json(content: bytes) -> Any:
    """Parse `content` (UTF-8), or raise a Problem that says where it goes wrong."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _bad_json(f"not UTF-8 at byte {error.start}") from None
    # Counted before anything is built; the few brackets within strings count too.
    for bracket, most, what in ((b"{", MAX_OBJECTS, "objects"), (b"[", MAX_ARRAYS, "arrays")):
        if content.count(bracket) > most:
            raise _too_many(what, most)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_Objects(),
            parse_int=_integer,
            parse_constant=_NoNumber,
        )
    except json.JSONDecodeError as error:
        raise _bad_json(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _too_deep(_deep_place(content)) from None
    # Nearly every document is clean; pointers are only built for the others.
    if not _clean(value, 0):
        errors = list(islice(_walk(value, "", 0), MAX_ERRORS))
        raise Problem(422, errors[0].code, "Invalid document", errors[0].detail, errors)
    return value


def read_stored(content: bytes) -> Json:
    """Parse a stored document, without its null members: null means absent. Accepts whatever an
    older server did: the last of duplicate keys, integers beyond 64 bits as strings.
    """
    document: Json = json.loads(content, object_pairs_hook=_without_nulls, parse_int=_integer)
    return document


def is_integer(value: int) -> bool:
    """Whether every JSON reader reads it exactly."""
    return MIN_INTEGER <= value <= MAX_INTEGER


def pointer_of(location: tuple[int | str, ...]) -> str:
    """Return a JSON pointer (RFC 6901) from keys and indexes."""
    return "".join("/" + _escape(str(step)) for step in location)


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


def _integer(digits: str) -> int | _NoNumber:
    if len(digits) <= _INTEGER_DIGITS and is_integer(value := int(digits)):
        return value
    return _NoNumber(digits)


def _without_nulls(pairs: list[tuple[str, Any]]) -> Json:
    return {key: value for key, value in pairs if value is not None}


class _Objects:
    """Hook that builds one document's objects, and refuses it once they have too many keys."""

    def __init__(self) -> None:
        self._keys = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> Json:
        self._keys += len(pairs)
        if self._keys > MAX_KEYS:
            raise _too_many("keys", MAX_KEYS)
        value = dict(pairs)
        return value if len(value) == len(pairs) else _repeated(pairs)


def _repeated(pairs: list[tuple[str, Any]]) -> _Repeated:
    repeated = _Repeated(pairs)
    ((repeated.key, _),) = Counter(key for key, _ in pairs).most_common(1)
    return repeated


def _too_many(what: str, most: int) -> Problem:
    return invalid("", f"A run document can have at most {most:,} {what}.", "too_many")


def _too_deep(pointer: str) -> Problem:
    return invalid(pointer, f"This is nested more than {MAX_DEPTH} levels deep.", "too_deep")


def _deep_place(content: bytes) -> str:
    """Return the JSON pointer of the first value that is too deep, in JSON too deep to parse."""
    location: list[int | str] = []
    text = ""
    for token in _TOKEN.finditer(content):
        match token.group():
            case b"[" | b"{" if len(location) > MAX_DEPTH:
                break
            case b"[":
                location.append(0)
            case b"{":
                location.append("")
            case b"]" | b"}":
                location.pop()
            case b":":
                location[-1] = text
            case b",":
                location[-1] = location[-1] + 1 if isinstance(location[-1], int) else ""
            case written:
                text = json.loads(written)
    return pointer_of(tuple(location))


def _bad_json(detail: str) -> Problem:
    return Problem(
        400,
        "bad_json",
        "Not JSON",
        f"The body isn't valid JSON: {detail}.",
        [FieldError("", "bad_json", detail)],
    )


def _clean(value: Any, depth: int) -> bool:
    """Whether `_walk` would find nothing."""
    kind = type(value)
    if kind is str:
        return len(value) <= MAX_STRING and _REFUSED_CHARACTERS.search(value) is None
    if kind is float:
        return math.isfinite(value)
    if kind is list:
        if depth > MAX_DEPTH:
            return False
        if set(map(type, value)) <= _NUMBERS:
            return not value or (-math.inf < min(value) and max(value) < math.inf)
        return all(_clean(item, depth + 1) for item in value)
    if kind is dict:
        return depth <= MAX_DEPTH and all(
            _clean(key, depth) and _clean(item, depth + 1) for key, item in value.items()
        )
    return kind not in (_Repeated, _NoNumber)


def _walk(value: Any, pointer: str, depth: int) -> Iterator[FieldError]:
    """Yield a FieldError for each duplicate key, refused string and invalid number."""
    if isinstance(value, _NoNumber):
        yield FieldError(pointer, "not_a_number", f"Write {value[:32]} as a number of 64 bits.")
    elif isinstance(value, str):
        yield from _check_string(value, pointer)
    elif isinstance(value, float) and not math.isfinite(value):
        yield FieldError(pointer, "not_finite", "This number is too large.")
    elif isinstance(value, (dict, list)) and depth > MAX_DEPTH:
        yield from _too_deep(pointer).errors
    elif isinstance(value, dict):
        if isinstance(value, _Repeated):
            path = f"{pointer}/{_escape(value.key)}"
            yield FieldError(path, "duplicate_key", f'The key "{value.key[:64]}" occurs twice.')
        for key, item in value.items():
            path = f"{pointer}/{_escape(key)}"
            yield from _check_string(key, path)
            yield from _walk(item, path, depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            if type(item) is not int:  # skips most items, which are right
                yield from _walk(item, f"{pointer}/{index}", depth + 1)


def _check_string(value: str, pointer: str) -> Iterator[FieldError]:
    if len(value) > MAX_STRING:
        yield FieldError(
            pointer[:300],
            "too_long",
            f"A string can have at most {MAX_STRING} characters.",
        )
    if _REFUSED_CHARACTERS.search(value):
        printable = _REFUSED_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", pointer)
        yield FieldError(
            printable,
            "control_character",
            "Remove control characters and lone surrogates.",
        )
