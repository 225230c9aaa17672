"""A document's series in the form that results are derived from."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from macmeter import catalog
from macmeter.catalog.terms import Value
from macmeter.documents.document import Parameter, RunDocument
from macmeter.documents.methods import counted_as
from macmeter.documents.read import pointer_of
from macmeter.platform.errors import FieldError

# Cache size: distinct sets of parameters in a process.
MAX_CACHED_KINDS = 4_096


class SeriesKind(NamedTuple):
    """Common properties of all series with the same metric and parameters."""

    name: str
    parameters: dict[str, Value]
    """Result of `canonical_parameters`."""
    metric: catalog.Metric | None
    """None if the catalogue has no such metric."""
    faults: tuple[FieldError, ...]
    """Errors in the parameters, with pointers relative to the series."""
    key: tuple[Any, ...]
    """Equal for equal metric and parameters, however numbers are written."""


# A series: kind, ascending samples, printed, qualifier. A plain tuple: an upload has some fifty.
PreparedSeries = tuple[SeriesKind, list[float], list[str] | None, str | None]


def prepare_series(document: RunDocument) -> list[PreparedSeries]:
    """Return all series of a document, by the metrics that they count as."""
    metric_of = counted_as(document.method.name, document.method.version).metric
    return [
        (
            _kind(metric_of(series.metric), *series.parameters, *series.parameters.values())
            if series.parameters
            else _kind(metric_of(series.metric)),
            sorted(series.values),
            series.printed,
            series.qualifier,
        )
        for series in document.series or ()
    ]


# Runs of one agent have the same kinds and share them, so they must not be mutated. Typed, since
# `true` equals 1.
@lru_cache(MAX_CACHED_KINDS, typed=True)
def _kind(name: str, *parameters: Any) -> SeriesKind:
    """Return the kind of a metric and its parameters, given as all names and then all values."""
    half = len(parameters) // 2
    canonical = canonical_parameters(dict(zip(parameters[:half], parameters[half:], strict=True)))
    metric = catalog.METRICS.get(name)
    faults = tuple(_faults(metric, canonical)) if metric is not None else ()
    return SeriesKind(name, canonical, metric, faults, (name, *canonical.items()))


def canonical_parameters(parameters: Mapping[str, Parameter | None]) -> dict[str, Value]:
    """Sort by name and drop whole numbers' fractions, so that equal parameters have equal text."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in sorted(parameters.items())
        if value is not None
    }


def _faults(metric: catalog.Metric, parameters: dict[str, Value]) -> Iterator[FieldError]:
    allowed = metric.required + metric.optional
    for name, value in parameters.items():
        pointer = f"/parameters{pointer_of((name,))}"
        if name not in allowed:
            detail = f"{metric.name} only has these parameters: {', '.join(allowed) or 'none'}."
            yield FieldError(pointer, "unknown_parameter", detail)
        elif catalog.DIMENSIONS[name].kind is catalog.Kind.NUMBER:
            if not _is_quantity(value):
                detail = f"{name} must be a number, 0 or at least {catalog.PLAUSIBLE_MINIMUM:g}."
                yield FieldError(pointer, "not_a_number", detail)
        elif not isinstance(value, str):
            yield FieldError(pointer, "not_a_text", f"{name} must be a string.")
    for name in metric.required:
        if name not in parameters:
            detail = f"{metric.name} needs the parameter {name}."
            yield FieldError("/parameters", "missing_parameter", detail)


def _is_quantity(value: Value) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return value == 0 or value >= catalog.PLAUSIBLE_MINIMUM
