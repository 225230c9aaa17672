"""Documents that were stored once, as whoever needs something of them reads them.

This version may have accepted them or an older one, whose rules were others: whatever is wanted of
them is looked for, and nothing is taken for granted.
"""

from __future__ import annotations

import math
from typing import Any

import msgspec
import orjson

from macmeter import Json
from macmeter.documents.compression import uncompressed
from macmeter.documents.derive import SPEED, sized, speeds
from macmeter.documents.flags import DERIVED
from macmeter.documents.read import read_stored
from macmeter.documents.series import canonical_parameters
from macmeter.platform.errors import ItemError


class UnreadableError(ItemError):
    """The document can't be read."""


def stored_document(compressed: bytes) -> Json:
    """The document without its null members. UnreadableError, DamagedError."""
    try:
        found = read_stored(uncompressed(compressed))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The document is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise UnreadableError("The document is not a JSON object")
    return found


class _Series(msgspec.Struct):
    metric: str
    values: list[float]
    parameters: Json | None = None


class _Warned(msgspec.Struct):
    code: str


class _Document(msgspec.Struct):
    """What matters here: nothing else is looked at, whatever an older server took."""

    series: list[_Series] | None = None
    warnings: list[_Warned] | None = None


_decoder = msgspec.json.Decoder(_Document)


def series_key(metric: str, parameters: Json) -> bytes:
    """The same for the same series, however its parameters are written."""
    return orjson.dumps([metric, canonical_parameters(parameters)])


def samples_by_series(content: bytes) -> dict[bytes, list[float]]:
    """Ascending, by `series_key`; with the speeds that follow from times where none is printed.

    `content` is a document that was accepted once.
    """
    document = _decoder.decode(content)
    derived = any(warning.code == DERIVED for warning in document.warnings or ())
    found = {}
    for series in document.series or ():
        parameters = canonical_parameters(series.parameters or {})
        samples = sorted(series.values)
        found[series_key(series.metric, parameters)] = samples
        size = sized(series.metric, parameters, samples) if derived else None
        if size is not None:
            found[series_key(SPEED, parameters)] = speeds(size, samples)
    return found


def stored_samples(compressed: bytes) -> dict[bytes, list[float]]:
    """The `samples_by_series`. UnreadableError where one can't be read, or counted with."""
    try:
        found = _samples(compressed)
    except msgspec.MsgspecError as error:
        raise UnreadableError(f"The document's series can't be read: {error}") from None
    if not all(math.isfinite(sum(samples)) for samples in found.values()):
        raise UnreadableError("The document has samples that are too large")
    return found


def _samples(compressed: bytes) -> dict[bytes, list[float]]:
    try:
        return samples_by_series(uncompressed(compressed))
    except msgspec.MsgspecError:
        # What surrounds the series may be what the faster reader refuses, and an older one took.
        document = stored_document(compressed)
        own = {name: document.get(name) for name in ("series", "warnings")}
        return samples_by_series(msgspec.json.encode(own))


def at(document: Json, path: str) -> Any:
    """What the document states there, as `agent.version`; None where it, or an object around it,
    is absent.
    """
    found: Any = document
    for key in path.split("."):
        found = found.get(key) if isinstance(found, dict) else None
    return found


def text_at(document: Json, path: str) -> str | None:
    """The value `at` a path, where that is a text."""
    found = at(document, path)
    return found if isinstance(found, str) else None


def object_at(document: Json, path: str) -> Json | None:
    """The value `at` a path, where that is an object."""
    found = at(document, path)
    return found if isinstance(found, dict) else None


def objects_at(document: Json, path: str) -> list[Json]:
    """The objects of the list that the document has there."""
    found = at(document, path)
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
