"""The exact samples of a stored run, which its document alone has."""

from __future__ import annotations

import msgspec
import orjson

from macmeter.documents.derive import SPEED, sized, speeds
from macmeter.documents.flags import DERIVED
from macmeter.documents.series import canonical_parameters
from macmeter.untyped import Json


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
