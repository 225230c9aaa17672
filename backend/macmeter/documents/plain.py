"""Whether a document has nothing in it that could be refused, decided without words for it.

It repeats the rules of parse.py in a form that is quick to check. It may doubt a good
document, which is then read the long way, and must never pass one that those rules refuse: a test
holds the two together.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from macmeter import catalog
from macmeter.documents.document import MAX_LABELS, MAX_VALUES, RunDocument, Series

_TEXT = (str,)
_NUMBER = (int, float)


@dataclass(frozen=True)
class _Rules:
    """A metric's parameters with the types of their values, and the range of its own."""

    required: frozenset[str]
    types: dict[str, tuple[type, ...]]
    minimum: float
    maximum: float


def _rules_of(metric: catalog.Metric) -> _Rules:
    return _Rules(
        frozenset(metric.required),
        {
            name: _NUMBER if catalog.DIMENSIONS[name].kind is catalog.Kind.NUMBER else _TEXT
            for name in metric.required + metric.optional
        },
        metric.minimum,
        metric.maximum,
    )


_RULES = {name: _rules_of(metric) for name, metric in catalog.METRICS.items()}


def is_plain(document: RunDocument) -> bool:
    """Whether nothing in an agent's document contradicts anything else."""
    if document.source == "published" or document.citation or document.traces:
        return False
    if document.published_ratios or document.published_ranges:
        return False
    if document.tool is None if document.source == "imported" else document.started_at is None:
        return False
    if len(document.labels) > MAX_LABELS or not _in_order(
        document.started_at, document.finished_at
    ):
        return False
    if not all(map(_is_plain, document.series)):
        return False
    if sum(len(series.values) for series in document.series) > MAX_VALUES:
        return False
    keys = {(series.metric, *sorted(series.parameters.items())) for series in document.series}
    return len(keys) == len(document.series)


def _in_order(start: datetime | None, finish: datetime | None) -> bool:
    times = [time for time in (start, finish) if time is not None]
    if any(time.tzinfo is None or time.year < 2000 for time in times):
        return False
    return start is None or finish is None or start <= finish


def _is_plain(series: Series) -> bool:
    rules = _RULES.get(series.metric)
    parameters = series.parameters
    if rules is None or not rules.required <= parameters.keys():
        return False
    for name, value in parameters.items():
        types = rules.types.get(name)
        if types is None or type(value) not in types or (types is _NUMBER and value < 0):  # type: ignore[operator]
            return False
    values = series.values
    if min(values) < rules.minimum or max(values) > rules.maximum:
        return False
    positions, printed = series.positions, series.printed
    return (positions is None or len(positions) == len(values)) and (
        printed is None or len(printed) == len(values)
    )
