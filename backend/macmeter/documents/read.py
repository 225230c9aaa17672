"""From a request's bytes to a JSON value, refusing what JSON leaves open.

Python's reader keeps the last of two equal keys, takes NaN and lets numbers
overflow to infinity: each would change a measurement without a word.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple, NoReturn

import orjson

from macmeter.errors import FieldError, Problem, invalid
from macmeter.untyped import Json

MAX_DOCUMENT_BYTES = 8 * 1024 * 1024
MAX_STRING = 256
MAX_DEPTH = 32
# Errors that a refusal names; more are not looked for.
_TOLD = 20
# What the fullest document can hold, several times over: beyond it a few megabytes of nothing but
# brackets would take a second to build.
MAX_OBJECTS = 20_000
MAX_KEYS = 50_000
MAX_ARRAYS = 250_000

# C0 controls break terminals, CSV and PostgreSQL's text; lone surrogates are not characters.
_REFUSED_CHARACTERS = re.compile("[\x00-\x1f\ud800-\udfff]")

_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(set(range(256)) - set(_BRACKETS))
_ONE_KIND = bytes.maketrans(b"{}", b"[]")


class _Repeated(Json):
    """An object with a duplicate key."""

    key = ""


def gunzip(body: bytes, limit: int = MAX_DOCUMENT_BYTES) -> bytes:
    """The decompressed body; 413 as soon as it passes the limit, 400 when it is not gzip."""
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
    """The JSON value of `content` (UTF-8), or a Problem that says where it goes wrong."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _bad_json(f"not UTF-8 at byte {error.start}") from None
    # Counted in the bytes, before anything is built of them; the few within texts count too.
    for bracket, most, what in ((b"{", MAX_OBJECTS, "objects"), (b"[", MAX_ARRAYS, "arrays")):
        if content.count(bracket) > most:
            raise _too_many(what, most)
    try:
        value = json.loads(text, object_pairs_hook=_Objects(), parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise _bad_json(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise _bad_json(f"nested more than {MAX_DEPTH} levels deep") from None
    except ValueError as error:
        # An integer of thousands of digits, which Python declines to convert.
        raise _bad_json(str(error).split(";")[0]) from None
    # Nearly every document is clean; pointers are only made for one that is not.
    if not _clean(value, 0):
        errors = list(islice(_walk(value, "", 0), _TOLD))
        raise Problem(422, errors[0].code, "Invalid document", errors[0].detail, errors)
    return value


class PlainJson(NamedTuple):
    """What `read_json` returns, without the member that is `apart`, which nobody has looked at."""

    value: Json
    apart: Any
    colons: int
    """So many has `apart`; with fewer keys and colons in texts, one of its keys is there twice."""


def read_plain_json(content: bytes, apart: str) -> PlainJson | None:
    """The object in `content`, in a tenth of `read_json`'s time; None where that might refuse.

    Nearly every document is as plain as this takes it: without a backslash, so that no text holds
    more than is to be seen. Then a duplicate key is missing in what was read, and with it a colon
    when that is written out again. Most of a document is the member that is `apart`, whose reader
    can tell the same by its shape.
    """
    colons = content.count(b":")
    if b"\\" in content or colons > MAX_KEYS:
        return None
    # Each has a byte of its own: most documents are too short for too many.
    if len(content) > MAX_OBJECTS and (
        content.count(b"{") > MAX_OBJECTS or content.count(b"[") > MAX_ARRAYS
    ):
        return None
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    if type(value) is not dict:
        return None
    member = value.pop(apart, None)
    written = orjson.dumps(value)
    texts = written.split(b'"')[1::2]
    if max(map(len, texts), default=0) > MAX_STRING or _may_be_deep(written, b"".join(texts)):
        return None
    of_its_own = apart.count(":") + 1 if member is not None else 0
    left = colons - written.count(b":") - of_its_own
    return PlainJson(value, member, left) if left >= 0 else None


def _may_be_deep(content: bytes, texts: bytes) -> bool:
    """Whether objects and arrays may lie in one another deeper than they may; texts that have
    brackets themselves are not looked into.
    """
    if len(texts.translate(None, _BRACKETS)) < len(texts):
        return True
    # Of one kind, so that each look takes away what is innermost and no more.
    brackets = content.translate(_ONE_KIND, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def pointer_of(location: tuple[int | str, ...]) -> str:
    """A JSON pointer (RFC 6901) from keys and indexes."""
    return "".join("/" + _escape(str(step)) for step in location)


def _escape(step: str) -> str:
    return step.replace("~", "~0").replace("/", "~1")


class _Objects:
    """Makes the objects of one document; refuses it as soon as they have too many keys."""

    def __init__(self) -> None:
        self._keys = 0

    def __call__(self, pairs: list[tuple[str, Any]]) -> Json:
        self._keys += len(pairs)
        if self._keys > MAX_KEYS:
            raise _too_many("keys", MAX_KEYS)
        return _object(pairs)


def _object(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) == len(pairs):
        return value
    seen: set[str] = set()
    repeated = _Repeated(value)
    for key, _ in pairs:
        if key in seen:
            repeated.key = key
            break
        seen.add(key)
    return repeated


def _refuse_constant(name: str) -> NoReturn:
    raise invalid(
        "", f"{name} isn't a JSON number. Leave out values that were not measured.", "bad_json"
    )


def _too_many(what: str, most: int) -> Problem:
    return invalid("", f"A run document can have at most {most:,} {what}.", "too_many")


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
        return depth <= MAX_DEPTH and all(_clean(item, depth + 1) for item in value)
    if kind is dict:
        return depth <= MAX_DEPTH and all(
            _clean(key, depth) and _clean(item, depth + 1) for key, item in value.items()
        )
    return kind is not _Repeated


def _walk(value: Any, pointer: str, depth: int) -> Iterator[FieldError]:
    """Yield a FieldError for each repeated key, refused string and infinite number."""
    if depth > MAX_DEPTH:
        yield FieldError(pointer, "too_deep", f"This is nested more than {MAX_DEPTH} levels deep.")
    elif isinstance(value, dict):
        if isinstance(value, _Repeated):
            place = f"{pointer}/{_escape(value.key)}"
            yield FieldError(place, "duplicate_key", f'The key "{value.key[:64]}" occurs twice.')
        for key, item in value.items():
            place = f"{pointer}/{_escape(key)}"
            yield from _check_string(key, place)
            yield from _walk(item, place, depth + 1)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            # Most items are plain numbers; asking here spares them a call and a pointer.
            if type(item) is float:
                if not math.isfinite(item):
                    yield FieldError(
                        f"{pointer}/{index}", "not_finite", "This number is too large."
                    )
            elif type(item) is not int:
                yield from _walk(item, f"{pointer}/{index}", depth + 1)
    elif isinstance(value, str):
        yield from _check_string(value, pointer)
    elif isinstance(value, float) and not math.isfinite(value):
        yield FieldError(pointer, "not_finite", "This number is too large.")


def _check_string(value: str, pointer: str) -> Iterator[FieldError]:
    if len(value) > MAX_STRING:
        yield FieldError(
            pointer[:300],
            "too_long",
            f"A string can have at most {MAX_STRING} characters.",
        )
    if _REFUSED_CHARACTERS.search(value):
        place = _REFUSED_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", pointer)
        yield FieldError(
            place,
            "control_character",
            "Remove control characters and lone surrogates.",
        )
