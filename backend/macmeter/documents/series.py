"""A document's series in the form that results are made of."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from macmeter.documents.document import Parameter, RunDocument
from macmeter.terms import Value

# Sets of parameters that a process keeps at hand.
MOST_KNOWN = 4_096


# A series: metric, parameters as `canonical_parameters` has them, samples ascending, printed,
# qualifier. A plain tuple: an upload has some fifty.
Measured = tuple[str, dict[str, Value], list[float], list[str] | None, str | None]


def measured(document: RunDocument) -> list[Measured]:
    """All series of a document."""
    return [
        (
            series.metric,
            _canonical(*series.parameters, *series.parameters.values()),
            sorted(series.values),
            series.printed,
            series.qualifier,
        )
        for series in document.series
    ]


# Those of one agent are the same in each of its runs, which share them: nobody changes any. By type
# as well, since `true` is equal to 1.
@lru_cache(MOST_KNOWN, typed=True)
def _canonical(*parameters: Parameter) -> dict[str, Value]:
    """Of parameters, first their names and then their values."""
    half = len(parameters) // 2
    names = cast("tuple[str, ...]", parameters[:half])
    return canonical_parameters(dict(zip(names, parameters[half:], strict=True)))


def canonical_parameters(parameters: dict[str, Parameter]) -> dict[str, Value]:
    """Sorted by name, whole numbers without a fraction: equal parameters, equal text."""
    return {
        name: int(value) if isinstance(value, float) and value.is_integer() else value
        for name, value in sorted(parameters.items())
    }
