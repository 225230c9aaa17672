"""A document's series in the form that results are made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from macmeter import catalog
from macmeter.catalog.terms import Value
from macmeter.documents.document import Parameter, RunDocument
from macmeter.documents.read import pointer_of
from macmeter.platform.errors import FieldError

# Sets of parameters that a process keeps at hand.
MOST_KNOWN = 4_096


class Kind(NamedTuple):
    """What series of a metric under the same parameters have in common."""

    name: str
    parameters: dict[str, Value]
    """As `canonical_parameters` has them."""
    metric: catalog.Metric | None
    """None where the catalogue has none of that name."""
    faults: tuple[FieldError, ...]
    """What is wrong with the parameters, by pointers into the series."""
    key: tuple[Any, ...]
    """Equal where these are, however their numbers are written."""


# A series: kind, samples ascending, printed, qualifier. A plain tuple: an upload has some fifty.
Measured = tuple[Kind, list[float], list[str] | None, str | None]


def measured(document: RunDocument) -> list[Measured]:
    """All series of a document."""
    return [
        (
            _kind(one.metric, *one.parameters, *one.parameters.values())
            if one.parameters
            else _kind(one.metric),
            sorted(one.values),
            one.printed,
            one.qualifier,
        )
        for one in document.series or ()
    ]


# Those of one agent are the same in each of its runs, which share them: nobody changes any. By type
# as well, since `true` is equal to 1.
@lru_cache(MOST_KNOWN, typed=True)
def _kind(name: str, *parameters: Any) -> Kind:
    """The kind of a metric and its parameters, first their names and then their values."""
    half = len(parameters) // 2
    canonical = canonical_parameters(dict(zip(parameters[:half], parameters[half:], strict=True)))
    metric = catalog.METRICS.get(name)
    faults = tuple(_faults(metric, canonical)) if metric is not None else ()
    return Kind(name, canonical, metric, faults, (name, *canonical.items()))


def canonical_parameters(parameters: Mapping[str, Parameter | None]) -> dict[str, Value]:
    """Sorted by name, whole numbers without a fraction: equal parameters, equal text."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in sorted(parameters.items())
        if value is not None
    }


def _faults(metric: catalog.Metric, parameters: dict[str, Value]) -> Iterator[FieldError]:
    allowed = metric.required + metric.optional
    for name, value in parameters.items():
        place = f"/parameters{pointer_of((name,))}"
        if name not in allowed:
            detail = f"{metric.name} only has these parameters: {', '.join(allowed) or 'none'}."
            yield FieldError(place, "unknown_parameter", detail)
        elif catalog.DIMENSIONS[name].kind is catalog.Kind.NUMBER:
            if not _is_quantity(value):
                detail = f"{name} must be a number, 0 or at least {catalog.PLAUSIBLE_MINIMUM:g}."
                yield FieldError(place, "not_a_number", detail)
        elif not isinstance(value, str):
            yield FieldError(place, "not_a_text", f"{name} must be a string.")
    for name in metric.required:
        if name not in parameters:
            detail = f"{metric.name} needs the parameter {name}."
            yield FieldError("/parameters", "missing_parameter", detail)


def _is_quantity(value: Value) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value == 0 or value >= catalog.PLAUSIBLE_MINIMUM
