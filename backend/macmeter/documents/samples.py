"""The exact samples of a stored run, which its document alone has."""

from __future__ import annotations

import orjson

from macmeter.documents.derive import SPEED, TIMED, speeds
from macmeter.documents.flags import DERIVED
from macmeter.documents.series import canonical_parameters
from macmeter.untyped import Json


def series_key(metric: str, parameters: Json) -> bytes:
    """The same for the same series, however its parameters are written."""
    return orjson.dumps([metric, canonical_parameters(parameters)])


def samples_by_series(document: Json) -> dict[bytes, list[float]]:
    """Ascending, by `series_key`; with the speeds that follow from times where none is printed.

    `document` is one that was accepted once, as JSON.
    """
    derived = any(warning["code"] == DERIVED for warning in document.get("warnings") or [])
    found = {}
    for series in document.get("series") or []:
        stated = {k: v for k, v in (series.get("parameters") or {}).items() if v is not None}
        samples = sorted(map(float, series["values"]))
        found[series_key(series["metric"], stated)] = samples
        if derived and series["metric"] == TIMED and "file_size" in stated:
            found[series_key(SPEED, stated)] = speeds(stated["file_size"], samples)
    return found
