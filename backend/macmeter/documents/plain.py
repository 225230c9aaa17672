"""Whether a document has nothing in it that could be refused, decided without words for it.

It repeats the rules of document.py and parse.py in a form that is quick to check. It may doubt a
good document, which is then read the long way, and must never pass one that those rules refuse: a
test holds the two together.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from macmeter import catalog
from macmeter.documents.document import (
    MAX_LABELS,
    MAX_NUMBER,
    MAX_SERIES,
    MAX_VALUES,
    RunDocument,
    Series,
)
from macmeter.documents.read import MAX_STRING
from macmeter.documents.series import MOST_KNOWN, Measured, canonical_parameters
from macmeter.terms import Value
from macmeter.untyped import Json

_TEXT = (str,)
_NUMBER = (int, float)
_NO_PARAMETERS: Json = {}
_NUMBERS = {int, float}
# Members of a newer agent are looked at the long way.
_KEYS = set(Series.model_fields)


def is_plain(document: RunDocument) -> bool:
    """Whether nothing in an agent's document contradicts anything else, whatever its series are."""
    if document.source == "published" or document.citation or document.traces:
        return False
    if document.published_ratios or document.published_ranges:
        return False
    if document.tool is None if document.source == "imported" else document.started_at is None:
        return False
    return len(document.labels) <= MAX_LABELS and _in_order(
        document.started_at, document.finished_at
    )


def _in_order(start: datetime | None, finish: datetime | None) -> bool:
    times = [time for time in (start, finish) if time is not None]
    if any(time.tzinfo is None or time.year < 2000 for time in times):
        return False
    return start is None or finish is None or start <= finish


def plain_series(value: Any, colons: int) -> list[Measured] | None:
    """The series of an agent's document, from JSON with so many colons; None in case of doubt."""
    if not value:
        return [] if colons == 0 and (value is None or value == []) else None
    if type(value) is not list or len(value) > MAX_SERIES:
        return None
    try:
        series, counted = _checked(value)
    except (AttributeError, LookupError, TypeError, _DoubtError):
        return None
    if counted != colons:
        return None
    samples = [one for _, _, one, *_ in series]
    if sum(map(len, samples)) > MAX_VALUES:
        return None
    types = set(map(type, chain.from_iterable(samples)))
    if types <= {float}:
        return series
    if not types <= _NUMBERS:
        return None
    return [(*one[:2], list(map(float, one[2])), *one[3:]) for one in series]


class _DoubtError(Exception):
    """Something isn't as usual."""


class _Kind(NamedTuple):
    """What series of a metric under the same parameters have in common."""

    key: tuple[Any, ...]
    """Equal where these are, however their numbers are written."""
    parameters: dict[str, Value]
    minimum: float
    maximum: float
    colons: int
    """In texts, and one for each parameter's name."""


def _checked(items: list[Json]) -> tuple[list[Measured], int]:
    """Series whose values may still be of any type that can be compared with numbers, and how many
    colons their JSON has at least.
    """
    found: list[Measured] = []
    keys, colons = set(), 0
    # One loop, without a call for each of some fifty series.
    for item in items:
        metric, values = item["metric"], item["values"]
        parameters = item.get("parameters", _NO_PARAMETERS)
        kind = _kind(metric, *parameters, *parameters.values())
        samples = sorted(values)
        if samples[0] < kind.minimum or samples[-1] > kind.maximum or type(values) is not list:
            raise _DoubtError
        printed = qualifier = None
        if len(item) > (3 if parameters else 2):
            printed, qualifier = _beside(item, len(values))
            colons += "".join((*(printed or ()), qualifier or "")).count(":")
        keys.add(kind.key)
        colons += len(item) + kind.colons
        found.append((metric, kind.parameters, samples, printed, qualifier))
    if len(keys) < len(found):
        raise _DoubtError
    return found, colons


# Those of one agent are the same in each of its runs. By type as well, since `true` is equal to 1.
@lru_cache(MOST_KNOWN, typed=True)
def _kind(name: str, *parameters: Any) -> _Kind:
    """Of a metric and its parameters, first their names and then their values."""
    metric = catalog.METRICS[name]
    half = len(parameters) // 2
    given = dict(zip(parameters[:half], parameters[half:], strict=True))
    if not set(metric.required) <= given.keys() <= {*metric.required, *metric.optional}:
        raise _DoubtError
    for parameter, value in given.items():
        is_number = catalog.DIMENSIONS[parameter].kind is catalog.Kind.NUMBER
        if type(value) not in (_NUMBER if is_number else _TEXT):
            raise _DoubtError
        if not 0 <= value <= MAX_NUMBER if is_number else len(value) > MAX_STRING:
            raise _DoubtError
    canonical = canonical_parameters(given)
    return _Kind(
        (name, *canonical.items()),
        canonical,
        max(metric.minimum, -MAX_NUMBER),
        min(metric.maximum, MAX_NUMBER),
        len(given) + "".join(map(str, (name, *parameters))).count(":"),
    )


def _beside(item: Json, count: int) -> tuple[list[str] | None, str | None]:
    """What some series have beside their `count` values: printed digits and qualifier."""
    positions, printed, qualifier = map(item.get, ("positions", "printed", "qualifier"))
    is_plain = (
        item.keys() <= _KEYS
        and (qualifier is None or _is_text(qualifier))
        and (printed is None or (_are(list, printed, count) and all(map(_is_text, printed))))
        and (
            positions is None
            or (
                _are(list, positions, count)
                and set(map(type, positions)) == {int}
                and min(positions) >= 0
            )
        )
    )
    if not is_plain:
        raise _DoubtError
    return printed, qualifier


def _are(kind: type[Collection[Any]], items: Any, count: int) -> bool:
    return type(items) is kind and len(items) == count


def _is_text(value: Any) -> bool:
    return type(value) is str and 0 < len(value) <= MAX_STRING
