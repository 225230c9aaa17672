"""Read stored documents.

Older versions may have accepted them by other rules, so nothing is assumed about their content.
"""

import math
from typing import Any

import msgspec
import orjson

from macmeter import Json
from macmeter.documents.compression import uncompressed
from macmeter.documents.derive import SPEED, speeds, timed_file_size
from macmeter.documents.flags import DERIVED
from macmeter.documents.methods import counted_as
from macmeter.documents.read import read_stored
from macmeter.documents.series import canonical_parameters
from macmeter.platform.errors import ItemError


class UnreadableError(ItemError):
    """The document can't be read."""


def stored_document(compressed: bytes) -> Json:
    """Return the document without null members. Raises UnreadableError, DamagedError."""
    try:
        document = read_stored(uncompressed(compressed))
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"The document is not JSON: {error}") from None
    if not isinstance(document, dict):
        raise UnreadableError("The document is not a JSON object")
    return document


class _Series(msgspec.Struct):
    metric: str
    values: list[float]
    parameters: Json | None = None


class _Warning(msgspec.Struct):
    code: str


class _Method(msgspec.Struct):
    name: str
    version: int


class _Document(msgspec.Struct):
    """The members needed here; others are ignored, whatever an older server accepted."""

    method: _Method
    series: list[_Series] | None = None
    warnings: list[_Warning] | None = None


_decoder = msgspec.json.Decoder(_Document)


def series_key(metric: str, parameters: Json) -> bytes:
    """Return the same key for the same series, however its parameters are written."""
    return orjson.dumps([metric, canonical_parameters(parameters)])


def samples_by_series(content: bytes) -> dict[bytes, list[float]]:
    """Return a document's samples, ascending, by the `series_key` of the metric that they count as.

    Speeds derived from times are included.
    """
    document = _decoder.decode(content)
    derived = any(warning.code == DERIVED for warning in document.warnings or ())
    metric_of = counted_as(document.method.name, document.method.version).metric
    samples_by_key = {}
    for series in document.series or ():
        parameters = canonical_parameters(series.parameters or {})
        samples = sorted(series.values)
        samples_by_key[series_key(metric_of(series.metric), parameters)] = samples
        size = timed_file_size(series.metric, parameters, samples) if derived else None
        if size is not None:
            samples_by_key[series_key(SPEED, parameters)] = speeds(size, samples)
    return samples_by_key


def stored_samples(compressed: bytes) -> dict[bytes, list[float]]:
    """Return `samples_by_series`; UnreadableError if a series is invalid or its sum overflows."""
    try:
        samples_by_key = _samples(compressed)
    except msgspec.MsgspecError as error:
        raise UnreadableError(f"The document's series can't be read: {error}") from None
    if not all(math.isfinite(sum(samples)) for samples in samples_by_key.values()):
        raise UnreadableError("The document has samples that are too large")
    return samples_by_key


def _samples(compressed: bytes) -> dict[bytes, list[float]]:
    try:
        return samples_by_series(uncompressed(compressed))
    except msgspec.MsgspecError:
        # The fast reader may refuse other members, which an older server accepted.
        document = stored_document(compressed)
        members = {name: document.get(name) for name in ("method", "series", "warnings")}
        return samples_by_series(msgspec.json.encode(members))


def value_at(document: Json, path: str) -> Any:
    """Look up a path such as `agent.version`; None if it, or an object around it, is absent."""
    value: Any = document
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text_at(document: Json, path: str) -> str | None:
    """Return the value at a path if it is a string."""
    value = value_at(document, path)
    return value if isinstance(value, str) else None


def object_at(document: Json, path: str) -> Json | None:
    """Return the value at a path if it is an object."""
    value = value_at(document, path)
    return value if isinstance(value, dict) else None


def objects_at(document: Json, path: str) -> list[Json]:
    """Return the objects in the list at a path."""
    value = value_at(document, path)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
